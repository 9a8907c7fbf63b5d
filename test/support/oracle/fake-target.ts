import type { Exchange } from '../../../src/history/records.ts';
import type { EndpointName, PathParams } from '../../../src/spec/endpoints.ts';
import { formatTimestamp } from '../../../src/spec/forms.ts';
import { cast, type CastName } from '../../../src/spec/requirements/index.ts';
import {
  type Json,
  type Order,
  type Quote,
  unsetFields,
  rfqOf,
  ownQuote,
  sideQuote,
  acceptanceOf,
  settlementOf,
  sourceOf,
} from './fake-views.ts';
import { partyIds, FakeWire } from './fake-wire.ts';

const uuid = (kind: string, n: number): string =>
  `00000000-0000-4000-8000-${kind}${String(n).padStart(12 - kind.length, '0')}`;

/** Times of this target: EXECUTING 500 ms after acceptance, SETTLED after 4 s, orders last 60 s. */
const span = { start: 500, settle: 4_000, order: 60_000 };

export interface FakeTargetOptions {
  /** Milliseconds that each exchange takes. */
  readonly latency?: number;
  /** Form of an unset field in answers. */
  readonly unset?: 'absent' | 'null';
  readonly cancelState?: 'FAILED' | 'EXPIRED';
}

/**
 * A made-up target that conforms to the document, as the history of a run against it. Tests of
 * rules break one thing in such a history and look for the rule that fails. Methods are in the
 * order of a trade: create, quote, accept, settle, cancel. fake-views.ts holds the views of each
 * side.
 */
export class FakeTarget extends FakeWire {
  readonly orders = new Map<string, Order>();
  readonly #quotes = new Map<string, Quote[]>();
  readonly #options: Required<Omit<FakeTargetOptions, 'latency'>>;

  constructor(options: FakeTargetOptions = {}) {
    super(options.latency ?? 2);
    this.#options = { unset: 'absent', cancelState: 'FAILED', ...options };
  }

  /** A walk over all pages of a list. */
  list(
    party: CastName,
    endpoint: EndpointName,
    {
      params = {},
      query = {},
      size = 20,
    }: { params?: PathParams; query?: Record<string, string>; size?: number } = {},
  ): Exchange[] {
    const all = this.#items(party, endpoint, params).filter(
      (item) => query['status'] === undefined || item['status'] === query['status'],
    );
    const pages = Math.max(1, Math.ceil(all.length / size));
    return Array.from({ length: pages }, (_, index) =>
      this.exchange(party, endpoint, {
        params,
        query: { ...query, ...(index > 0 && { page: String(index + 1) }) },
        answer: () =>
          this.envelope(all.slice(index * size, (index + 1) * size), {
            page: index + 1,
            page_size: size,
            total_items: all.length,
            total_pages: Math.ceil(all.length / size),
          }),
      }),
    );
  }

  #items(party: CastName, endpoint: EndpointName, params: PathParams): Json[] {
    const orders = [...this.orders.values()];
    const self = partyIds[party];
    const quotes = [...this.#quotes.values()].flat();
    if (endpoint === 'order.list') {
      return orders
        .filter((order) => Object.values(order).includes(self))
        .map((order) => this.#shown(order));
    }
    if (endpoint === 'rfq.list') {
      return orders.filter(({ status }) => status === 'PENDING').map((order) => rfqOf(order));
    }
    if (endpoint === 'settlement.list') {
      return orders
        .filter((order) => order.status === 'SETTLED' && order['market_maker_party_id'] === self)
        .map((order) => settlementOf(order));
    }
    if (endpoint === 'quote.list')
      return quotes.filter(({ maker }) => maker === party).map(ownQuote);
    const here = this.#quotes.get(params.intent_id ?? '') ?? [];
    return endpoint === 'rfq.quotes'
      ? here.filter(({ maker }) => maker === party).map(ownQuote)
      : here.map((quote) => sideQuote(quote));
  }

  token(party: CastName): Exchange {
    const id = partyIds[party];
    const claims = {
      sub: id,
      canton_party_id: id,
      role: cast[party],
      iss: 'svc',
      aud: 'svc-api',
      exp: Math.floor(this.now / 1000) + 3600,
    };
    const data = { token: 'masked', expires_in: 3600, canton_party_id: id, role: cast[party] };
    return this.item(party, 'token.create', () => data, { extra: { claims } });
  }

  whoami(party: CastName): Exchange {
    return this.item(party, 'identity.read', () => ({
      party_id: partyIds[party],
      operator_party_id: 'Operator::1220ff',
      role: cast[party],
      participant_id: '',
      schema_version: 'v2',
    }));
  }

  #become(order: Order, status: string): void {
    order.status = status;
    const parts = [
      order['sender_party_id'],
      order['sender_custodian_party_id'],
      order['receiver_custodian_party_id'],
    ];
    this.tell(order, 'order_updated', this.#shown(order), (_, id) => parts.includes(id));
  }

  #shown(order: Order): Json {
    if (this.#options.unset === 'absent') return { ...order };
    return { ...unsetFields, ...order };
  }

  body(sender: CastName = 'sender'): Json {
    const n = this.orders.size + 1;
    return {
      sender_custodian_party_id: partyIds.sender_custodian,
      intent_signature: `c0ffee${n}`,
      receiver_party_id: 'Payee::1220dd',
      receiver_custodian_party_id: partyIds.receiver_custodian,
      source_contract_id: `00ab${n}#0`,
      source_currency: 'USD',
      target_amount: '100.00',
      target_currency: 'EUR',
      source_amount_max: '130.00',
      memo: `for ${sender} ${n}`,
    };
  }

  create(sender: CastName = 'sender', more: Json = {}): Order {
    const body = { ...this.body(sender), ...more };
    const order: Order = {
      intent_id: uuid('aa', this.orders.size + 1),
      status: 'PENDING',
      expires_at: '',
      sender_party_id: partyIds[sender],
      ...body,
    };
    this.item(
      sender,
      'order.create',
      () => {
        order['created_at'] = formatTimestamp(this.now);
        order.expires_at = formatTimestamp(this.now + span.order);
        this.orders.set(order.intent_id, order);
        this.at(this.now + span.order, () => this.#expire(order));
        this.tell(
          order,
          'quote_request_new',
          rfqOf(order),
          (party) => cast[party] === 'market-maker',
        );
        return this.#shown(order);
      },
      { body, status: 201 },
    );
    return order;
  }

  #expire(order: Order): void {
    if (order.status !== 'PENDING') return;
    const quotes = this.#quotes.get(order.intent_id) ?? [];
    if (quotes.length === 0) order['failure_reason'] = 'NO_QUOTE';
    this.#become(order, 'EXPIRED');
    this.tell(
      order,
      'quote_request_expired',
      { intent_id: order.intent_id },
      (party) => cast[party] === 'market-maker',
    );
  }

  quote(maker: CastName, order: Order, rate = '0.85', validMs = 20_000): Quote {
    const target = order['target_amount'];
    const source = sourceOf(String(target), rate);
    const body = {
      fx_rate: rate,
      target_amount: target,
      valid_until: formatTimestamp(this.now + validMs),
    };
    const quotes = this.#quotes.get(order.intent_id) ?? [];
    this.#quotes.set(order.intent_id, quotes);
    const sequence = [...this.#quotes.values()].flat().length + 1;
    const quote: Quote = {
      quote_id: uuid('bb', sequence),
      intent_id: order.intent_id,
      market_maker_party_id: partyIds[maker],
      ...body,
      source_amount: source,
      submitted_at: '',
      status: 'PENDING',
      maker,
      sequence,
    };
    this.item(
      maker,
      'quote.submit',
      () => {
        quote['submitted_at'] = formatTimestamp(this.now);
        quotes.push(quote);
        this.at(Date.parse(body.valid_until), () => {
          if (quote['status'] === 'PENDING') quote['status'] = 'EXPIRED';
        });
        const parts = [order['sender_party_id'], order['sender_custodian_party_id']];
        this.tell(order, 'quote_received', sideQuote(quote), (_, id) => parts.includes(id));
        return ownQuote(quote);
      },
      { params: { intent_id: order.intent_id }, body, status: 201 },
    );
    return quote;
  }

  accept(order: Order, quote: Quote, by: CastName = 'sender'): void {
    const params = { intent_id: order.intent_id, quote_id: quote.quote_id };
    this.item(
      by,
      'quote.accept',
      () => {
        const at = this.now;
        Object.assign(order, {
          quote_id: quote.quote_id,
          market_maker_party_id: partyIds[quote.maker],
          fx_rate: quote['fx_rate'],
          source_amount_actual: quote['source_amount'],
          quote_accepted_at: formatTimestamp(at),
        });
        this.#select(order, quote);
        this.#become(order, 'QUOTED');
        this.at(at + span.start, () => this.#start(order));
        this.at(at + span.settle, () => this.#settle(order, quote));
        return cast[by] === 'custodian' ? acceptanceOf(order) : this.#shown(order);
      },
      { params },
    );
  }

  #select(order: Order, winner: Quote): void {
    const { intent_id } = order;
    for (const quote of this.#quotes.get(intent_id) ?? []) {
      if (quote === winner) quote['status'] = 'ACCEPTED';
      else if (quote['status'] === 'PENDING') {
        quote['status'] = 'REJECTED';
        this.tell(order, 'quote_rejected', { intent_id }, (party) => party === quote.maker);
      }
    }
    const told = { intent_id, fx_rate: winner['fx_rate'], quote_id: winner.quote_id };
    this.tell(order, 'quote_accepted', told, (party) => party === winner.maker);
  }

  #start(order: Order): void {
    if (order.status === 'QUOTED') this.#become(order, 'EXECUTING');
  }

  #settle(order: Order, quote: Quote): void {
    if (order.status !== 'EXECUTING') return;
    order['transaction_hash'] = `0x${'d1'.repeat(8)}${quote.sequence}`;
    order['settled_at'] = formatTimestamp(this.now);
    this.#become(order, 'SETTLED');
    this.tell(order, 'settlement_completed', settlementOf(order), (party) => party === quote.maker);
  }

  cancel(order: Order, by: CastName = 'sender'): void {
    this.item(
      by,
      'order.cancel',
      () => {
        order['failure_reason'] = 'USER_CANCELLED';
        this.#become(order, this.#options.cancelState);
        return this.#shown(order);
      },
      { params: { intent_id: order.intent_id } },
    );
  }

  read(party: CastName, order: Order): Exchange {
    return this.item(party, 'order.read', () => this.#shown(order), {
      params: { intent_id: order.intent_id },
    });
  }

  readRequest(maker: CastName, order: Order): Exchange {
    return this.item(maker, 'rfq.read', () => rfqOf(order), {
      params: { intent_id: order.intent_id },
    });
  }

  readSettlement(maker: CastName, order: Order): Exchange {
    return this.item(maker, 'settlement.read', () => settlementOf(order), {
      params: { intent_id: order.intent_id },
    });
  }
}
