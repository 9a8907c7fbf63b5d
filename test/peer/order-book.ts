import { createHash, randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { PeerClock } from './clock.ts';
import type { Defect } from './defects.ts';
import type { Dialect } from './dialect.ts';
import type { Quote } from './quote.ts';
import { Refusal } from './refusal.ts';

const D = Decimal.clone({ precision: 40 });

const roundings = {
  'half-up': D.ROUND_HALF_UP,
  'half-even': D.ROUND_HALF_EVEN,
  up: D.ROUND_UP,
  down: D.ROUND_DOWN,
} as const;

export interface Order {
  id: string;
  status: string;
  sender: string;
  body: Record<string, string>;
  created: number;
  expires: number;
  /** In the order of their submission. */
  readonly quotes: Quote[];
  reason?: string;
  accepted?: { quote: Quote; at: number };
  settled?: { hash: string; at: number };
}

function push<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

export type Announce = (to: string, event: string, order: Order, data: unknown) => void;

/** The orders and quotes of a peer and their lives. Mutable; it shares no code with Assay. */
export class Book {
  /** Index of all lists, oldest first: a backend in use has one too. */
  readonly ofParty = new Map<string, Order[]>();
  readonly quotesOf = new Map<string, Quote[]>();
  readonly wonBy = new Map<string, Order[]>();
  readonly pending = new Set<Order>();
  private readonly byId = new Map<string, Order>();
  private readonly contracts = new Set<string | undefined>();
  readonly clock: PeerClock;
  readonly dialect: Dialect;
  readonly makers: readonly string[];
  readonly announce: Announce;
  readonly defect: Defect;

  constructor(
    clock: PeerClock,
    dialect: Dialect,
    makers: readonly string[],
    announce: Announce,
    defect: Defect,
  ) {
    this.clock = clock;
    this.dialect = dialect;
    this.makers = makers;
    this.announce = announce;
    this.defect = defect;
  }

  get size(): number {
    return this.byId.size;
  }

  find(id: string): Order | undefined {
    return this.byId.get(id.toLowerCase());
  }

  /** Files an order under those who may list it. */
  keep(order: Order): void {
    this.byId.set(order.id.toLowerCase(), order);
    const { sender_custodian_party_id: own, receiver_custodian_party_id: other } = order.body;
    for (const party of new Set([order.sender, own ?? '', other ?? '']))
      push(this.ofParty, party, order);
    this.contracts.add(order.body.source_contract_id);
    if (order.status === 'PENDING') this.pending.add(order);
    for (const quote of order.quotes) push(this.quotesOf, quote.maker, quote);
    if (order.settled) push(this.wonBy, order.accepted?.quote.maker ?? '', order);
  }

  moment(ms: number): string {
    const text = new Date(ms).toISOString();
    return this.dialect.utcOffset ? text.replace('Z', '+00:00') : text;
  }

  private newId(): string {
    const id = randomUUID();
    return this.dialect.upperIds ? id.toUpperCase() : id;
  }

  private money(value: Decimal): string {
    const fixed = value.toFixed(this.dialect.decimals, roundings[this.dialect.rounding]);
    return this.dialect.trailingZeros || !fixed.includes('.') ? fixed : fixed.replace(/\.?0+$/, '');
  }

  create(sender: string, body: Record<string, string>): Order {
    const now = this.clock.now();
    if (this.dialect.contractOnce && this.contracts.has(body.source_contract_id))
      throw new Refusal('state', 'contract_used');
    const order: Order = {
      id: this.newId(),
      status: 'PENDING',
      sender,
      body,
      created: now,
      expires: now + this.dialect.lifetimeMs,
      quotes: [],
    };
    this.keep(order);
    const memo = body.memo ?? '';
    this.clock.after(0, () => {
      if (memo.includes('!invalid')) this.end(order, 'FAILED');
      if (memo.includes('!withdraw')) this.end(order, 'FAILED', 'OPERATOR_WITHDRAWN');
    });
    this.clock.after(this.dialect.lifetimeMs + (this.defect === 'expires-late' ? 9_000 : 0), () => {
      if (order.status === 'PENDING') this.expire(order);
    });
    if (this.dialect.creationUpdates) this.updated(order);
    const told =
      this.defect === 'second-order-not-announced' && this.size % 5 === 2 ? [] : this.makers;
    for (const maker of told)
      this.announce(maker, 'quote_request_new', order, this.rfq(order, true));
    return order;
  }

  private expire(order: Order): void {
    const reason = this.dialect.expiryReason
      ? order.quotes.length
        ? undefined
        : 'NO_QUOTE'
      : undefined;
    this.end(order, 'EXPIRED', reason);
    for (const maker of this.makers) {
      this.announce(maker, 'quote_request_expired', order, { intent_id: order.id });
    }
  }

  private end(order: Order, status: string, reason?: string): void {
    this.move(order, status);
    if (reason) order.reason = reason;
    for (const quote of order.quotes) {
      if (quote.status === 'PENDING') quote.status = this.dialect.orphans;
    }
    this.updated(order);
  }

  private move(order: Order, status: string): void {
    order.status = status;
    this.pending.delete(order);
  }

  private updated(order: Order): void {
    const { sender_custodian_party_id: own, receiver_custodian_party_id: other } = order.body;
    const to = new Set([order.sender, own ?? '']);
    if (this.dialect.receiverEvents) to.add(other ?? '');
    if (this.defect === 'custodian-misses-settled' && order.status === 'SETTLED')
      to.delete(own ?? '');
    const data = this.dialect.namedFieldsOnly
      ? { intent_id: order.id, status: order.status }
      : this.view(order);
    for (const party of to) {
      this.announce(party, 'order_updated', order, data);
      if (this.defect === 'executing-announced-twice' && order.status === 'EXECUTING') {
        this.announce(party, 'order_updated', order, data);
      }
    }
  }

  submit(maker: string, order: Order, rate: string, amount: string, untilText: string): Quote {
    const now = this.clock.now();
    if (order.status !== 'PENDING') throw new Refusal('state', 'closed');
    if (!this.dialect.quoteTwice && order.quotes.some((q) => q.maker === maker)) {
      throw new Refusal('state', 'quoted_already');
    }
    const until = Date.parse(untilText);
    if (Number.isNaN(until) || until <= now) throw new Refusal('form', 'valid_until');
    const given = new D(amount);
    const r = new D(rate);
    const asSource = (target: Decimal) =>
      this.dialect.sourcePerTarget ? target.mul(r) : target.div(r);
    const asTarget = (source: Decimal) =>
      this.dialect.sourcePerTarget ? source.div(r) : source.mul(r);
    const source = this.dialect.amountIsSource ? given : asSource(given);
    const target = this.dialect.amountIsSource ? asTarget(given) : given;
    const wanted = order.body.target_amount ?? '0';
    if (!this.dialect.anyAmount && this.money(target) !== this.money(new D(wanted))) {
      throw new Refusal('form', 'amount');
    }
    const max = order.body.source_amount_max ?? '0';
    if (this.dialect.aboveMax === 'refuse-submit' && source.gt(max))
      throw new Refusal('form', 'above_max');
    const quote: Quote = {
      id: this.newId(),
      order,
      maker,
      rate,
      // Only an amount that was worked out is rounded; one that a party gave is shown as it is.
      target: this.dialect.amountIsSource ? this.money(target) : amount,
      source: this.defect === 'source-rounded-away' ? source.toFixed(0) : this.money(source),
      submitted: amount,
      at: now,
      until,
      untilText,
      status: 'PENDING',
    };
    order.quotes.push(quote);
    push(this.quotesOf, maker, quote);
    this.clock.after(until - now, () => {
      if (quote.status === 'PENDING' && this.defect !== 'quotes-never-expire')
        quote.status = 'EXPIRED';
      if (order.status === 'QUOTED' && order.accepted?.quote === quote) this.end(order, 'EXPIRED');
    });
    const to = new Set([order.sender, order.body.sender_custodian_party_id ?? '']);
    if (this.defect === 'receiver-hears-quotes')
      to.add(order.body.receiver_custodian_party_id ?? '');
    for (const party of to)
      this.announce(party, 'quote_received', order, this.quoteView(quote, true));
    return quote;
  }

  accept(order: Order, quote: Quote | undefined): Order {
    const now = this.clock.now();
    if (order.status !== 'PENDING') throw new Refusal('state', 'not_pending');
    if (!quote || (quote.order !== order && this.defect !== 'any-orders-quote')) {
      throw new Refusal('missing', 'quote');
    }
    if (quote.status !== 'PENDING' || quote.until <= now) throw new Refusal('state', 'quote_gone');
    if (new D(quote.source).gt(order.body.source_amount_max ?? '0')) {
      if (this.dialect.aboveMax !== 'fail-order') throw new Refusal('state', 'above_max');
      this.end(order, 'FAILED', 'SLIPPAGE');
      throw new Refusal('state', 'above_max');
    }
    quote.status = 'ACCEPTED';
    order.accepted = { quote, at: now };
    this.move(order, 'QUOTED');
    const rivals = order.quotes.filter((q) => q !== quote && q.status === 'PENDING');
    for (const rival of rivals) {
      const own = rival.maker === quote.maker;
      if (this.defect === 'third-quote-stays-pending' && rivals.indexOf(rival) === 1) continue;
      if (!own || this.dialect.winnerOthers === 'REJECTED') rival.status = 'REJECTED';
      if (!own)
        this.announce(rival.maker, 'quote_rejected', order, {
          intent_id: order.id,
          quote_id: rival.id,
        });
    }
    this.announce(quote.maker, 'quote_accepted', order, {
      intent_id: order.id,
      quote_id: quote.id,
      fx_rate: quote.rate,
    });
    if (this.dialect.closedOnAccept) {
      for (const maker of this.makers)
        this.announce(maker, 'quote_request_expired', order, { intent_id: order.id });
    }
    this.updated(order);
    this.clock.after(this.dialect.startMs, () => this.start(order));
    return order;
  }

  private start(order: Order): void {
    if (order.status !== 'QUOTED') return;
    order.status = 'EXECUTING';
    this.updated(order);
    const memo = order.body.memo ?? '';
    const left = this.dialect.settleMs - this.dialect.startMs;
    if (memo.includes('!stall')) {
      this.clock.after(12_000, () => this.end(order, 'FAILED', 'TIMEOUT'));
    } else if (memo.includes('!revert')) {
      this.clock.after(left / 2, () => this.end(order, 'FAILED', 'REVERT'));
    } else this.clock.after(left, () => this.settle(order));
  }

  private settle(order: Order): void {
    const hash = createHash('sha256').update(order.id).digest('hex');
    order.settled = { hash: `${this.dialect.hashPrefix}${hash}`, at: this.clock.now() };
    order.status = 'SETTLED';
    this.updated(order);
    const winner = order.accepted?.quote.maker ?? '';
    push(this.wonBy, winner, order);
    this.announce(winner, 'settlement_completed', order, this.settlement(order));
  }

  cancel(order: Order): void {
    if (this.dialect.cancelAgain === 'repeat' && order.reason === 'USER_CANCELLED') return;
    const open =
      this.defect === 'cancels-executing'
        ? ['PENDING', 'QUOTED', 'EXECUTING']
        : ['PENDING', 'QUOTED'];
    if (!open.includes(order.status)) throw new Refusal('state', 'too_late');
    const was = order.status;
    this.end(order, this.dialect.cancelState, 'USER_CANCELLED');
    if (was === 'PENDING' && this.dialect.closedOnCancel) {
      for (const maker of this.makers)
        this.announce(maker, 'quote_request_expired', order, { intent_id: order.id });
    }
  }

  private unset(): Record<string, null> {
    const late = [
      'quote_id',
      'market_maker_party_id',
      'fx_rate',
      'source_amount_actual',
      'quote_accepted_at',
      'transaction_hash',
      'settled_at',
    ];
    return this.dialect.unsetIsNull ? Object.fromEntries(late.map((name) => [name, null])) : {};
  }

  view(order: Order): Record<string, unknown> {
    const view: Record<string, unknown> = {
      ...this.unset(),
      intent_id: order.id,
      status: order.status,
      sender_party_id: order.sender,
      ...order.body,
      created_at: this.moment(order.created),
      expires_at: this.moment(order.expires),
      revision: 3,
    };
    if (order.accepted) {
      const { quote, at } = order.accepted;
      view.quote_id = quote.id;
      view.market_maker_party_id = quote.maker;
      view.fx_rate = this.defect === 'rate-as-number' ? Number(quote.rate) : quote.rate;
      view.source_amount_actual = quote.source;
      view.quote_accepted_at = this.moment(at);
    }
    if (order.settled) {
      view.transaction_hash = order.settled.hash;
      view.settled_at = this.moment(order.settled.at);
    }
    if (order.reason) {
      const [outer = '', inner] = this.dialect.reasonField;
      view[outer] = inner ? { [inner]: order.reason } : order.reason;
    }
    return view;
  }

  quoteView(quote: Quote, orderSide: boolean): Record<string, unknown> {
    const view: Record<string, unknown> = {
      quote_id: quote.id,
      intent_id: quote.order.id,
      fx_rate: quote.rate,
      target_amount: orderSide ? quote.target : quote.submitted,
      submitted_at: this.moment(quote.at),
      valid_until: quote.untilText,
      status: quote.status,
    };
    if (orderSide) {
      view.market_maker_party_id = quote.maker;
      view.source_amount = quote.source;
    }
    return view;
  }

  rfq(order: Order, listed: boolean): Record<string, unknown> {
    const { source_currency, target_currency, target_amount } = order.body;
    return {
      intent_id: order.id,
      created_at: this.moment(order.created),
      expires_at: this.moment(order.expires),
      source_currency,
      target_currency,
      target_amount,
      ...(this.dialect.rfqExtras && !listed && { quotes_so_far: 1, reference: { hint: 'none' } }),
      ...(this.defect === 'detail-leaks-custodian' &&
        !listed && { route: { via: [order.body.sender_custodian_party_id] } }),
    };
  }

  settlement(order: Order): Record<string, unknown> {
    const quote = order.accepted?.quote;
    return {
      intent_id: order.id,
      source_currency: order.body.source_currency,
      target_currency: order.body.target_currency,
      target_amount: order.body.target_amount,
      source_amount_actual: quote?.source,
      fx_rate: quote?.rate,
      quote_id: quote?.id,
      mm_quoted_source_amount: quote?.source,
      mm_delivered_target_amount: quote?.target,
      transaction_hash: order.settled?.hash,
      settled_at: this.moment(order.settled?.at ?? 0),
    };
  }
}
