import type { Exchange, HistoryRecord } from '../history/records.ts';
import { endpoints, type EndpointName, type PathParams, pathOf } from '../spec/endpoints.ts';
import { formatTimestamp } from '../spec/forms.ts';
import { cast, type CastName } from '../spec/requirements/index.ts';
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
} from './testing/world-views.ts';

/**
 * A made-up target that keeps every word of the document, written down as the history of a run against it. Tests
 * of the rules take such a history, break one thing in it and see who notices.
 */

interface Stream {
  readonly id: string;
  readonly party: CastName;
  readonly filter?: string;
  nextBeat: number;
  frames: number;
}

const names = ['Alder', 'Birch', 'Cedar', 'Damson', 'Elder', 'Fir', 'Gorse', 'Hazel'];
export const partyIds = Object.fromEntries(
  Object.keys(cast).map((name, index) => [name, `${names[index]}::1220${'ab'.repeat(10)}${index}`]),
) as Readonly<Record<CastName, string>>;

const epoch = Date.parse('2026-03-02T09:00:00.000Z');

const uuid = (kind: string, n: number): string =>
  `00000000-0000-4000-8000-${kind}${String(n).padStart(12 - kind.length, '0')}`;

/** Where "mine" lies: 500 ms from acceptance to EXECUTING, 4 s to SETTLED, orders for 60 s. */
const span = { start: 500, settle: 4_000, order: 60_000, beat: 30_000 };

export interface WorldOptions {
  /** Milliseconds that each exchange takes. */
  readonly latency?: number;
  /** What is read of an unset field. */
  readonly unset?: 'absent' | 'null';
  readonly cancelState?: 'FAILED' | 'EXPIRED';
}

export class World {
  readonly records: HistoryRecord[] = [];
  readonly orders = new Map<string, Order>();
  now = epoch;
  readonly #quotes = new Map<string, Quote[]>();
  readonly #streams: Stream[] = [];
  readonly #due: { at: number; run: () => void }[] = [];
  readonly #options: Required<WorldOptions>;
  #sequence = 0;

  constructor(options: WorldOptions = {}) {
    this.#options = { latency: 2, unset: 'absent', cancelState: 'FAILED', ...options };
  }

  /** Moves time on; whatever falls due meanwhile happens. */
  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const beats = this.#streams.map((stream) => ({
        at: stream.nextBeat,
        run: () => {
          stream.nextBeat += span.beat;
          this.#frame(stream, 'heartbeat', {});
        },
      }));
      const [next] = [...this.#due, ...beats].sort((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      const index = this.#due.indexOf(next);
      if (index >= 0) this.#due.splice(index, 1);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }

  /** Any exchange: `data` is put into the envelope; `before` happens between request and answer. */
  exchange(
    party: CastName,
    endpoint: EndpointName,
    {
      params = {},
      query = {},
      body,
      auth,
      status = 200,
      answer,
      extra = {},
    }: {
      params?: PathParams;
      query?: Record<string, string>;
      body?: unknown;
      auth?: string;
      status?: number;
      answer?: () => unknown;
      extra?: Partial<Exchange>;
    } = {},
  ): Exchange {
    const { method, roles } = endpoints[endpoint];
    const sent = this.now;
    const precededBy = this.records.length;
    this.advance(Math.ceil(this.#options.latency / 2));
    const payload = answer?.();
    this.advance(Math.floor(this.#options.latency / 2));
    const stream = endpoints[endpoint].result === 'stream';
    const record: Exchange = {
      kind: 'exchange',
      id: `test#${++this.#sequence}`,
      by: 'test',
      party,
      role: cast[party],
      endpoint,
      params,
      query,
      auth: auth ?? (roles.length > 0 ? 'own' : 'none'),
      request: {
        method,
        path: pathOf(endpoint, params),
        headers: {},
        ...(body !== undefined && { body }),
      },
      response: {
        status,
        headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' },
        ...(payload !== undefined && { body: payload }),
      },
      sent,
      received: this.now,
      precededBy,
      ...extra,
    };
    this.records.push(record);
    return record;
  }

  envelope(data: unknown, pagination?: unknown): Json {
    const meta = { request_id: `r-${this.#sequence}`, timestamp: formatTimestamp(this.now) };
    return { data: structuredClone(data), meta, ...(pagination !== undefined && { pagination }) };
  }

  item(
    party: CastName,
    endpoint: EndpointName,
    data: () => unknown,
    more: { params?: PathParams; body?: unknown; status?: number; extra?: Partial<Exchange> } = {},
  ): Exchange {
    return this.exchange(party, endpoint, { ...more, answer: () => this.envelope(data()) });
  }

  refuse(
    party: CastName,
    endpoint: EndpointName,
    more: { params?: PathParams; body?: unknown; auth?: string; status?: number } = {},
  ): Exchange {
    return this.exchange(party, endpoint, {
      status: 409,
      ...more,
      answer: () => ({ code: 'refused' }),
    });
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

  listen(party: CastName, filter?: string): Stream {
    const endpoint = cast[party] === 'market-maker' ? 'maker.events' : 'order.events';
    const opened = this.exchange(party, endpoint, {
      query: filter === undefined ? {} : { intent_id: filter },
      extra: { opensStream: true },
    });
    const stream: Stream = {
      id: opened.id,
      party,
      ...(filter !== undefined && { filter }),
      nextBeat: this.now + span.beat,
      frames: 0,
    };
    this.#streams.push(stream);
    return stream;
  }

  hangUp(stream: Stream, cause: 'us' | 'target' = 'us'): void {
    this.#streams.splice(this.#streams.indexOf(stream), 1);
    const { id, party } = stream;
    this.records.push({ kind: 'end', stream: id, by: 'test', party, at: this.now, cause });
  }

  #frame(stream: Stream, event: string, data: unknown): void {
    this.records.push({
      kind: 'frame',
      id: `${stream.id}/${++stream.frames}`,
      stream: stream.id,
      by: 'test',
      party: stream.party,
      role: cast[stream.party],
      received: this.now,
      event,
      data: structuredClone(data),
    });
  }

  #tell(
    order: Order,
    event: string,
    data: unknown,
    to: (party: CastName, id: string) => boolean,
  ): void {
    for (const stream of this.#streams) {
      if (stream.filter !== undefined && stream.filter !== order.intent_id) continue;
      if (to(stream.party, partyIds[stream.party])) this.#frame(stream, event, data);
    }
  }

  #become(order: Order, status: string): void {
    order.status = status;
    const parts = [
      order['sender_party_id'],
      order['sender_custodian_party_id'],
      order['receiver_custodian_party_id'],
    ];
    this.#tell(order, 'order_updated', this.#shown(order), (_, id) => parts.includes(id));
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
        this.#due.push({ at: this.now + span.order, run: () => this.#expire(order) });
        this.#tell(
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
    this.#tell(
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
        const at = Date.parse(body.valid_until);
        this.#due.push({
          at,
          run: () => void (quote['status'] === 'PENDING' && (quote['status'] = 'EXPIRED')),
        });
        const parts = [order['sender_party_id'], order['sender_custodian_party_id']];
        this.#tell(order, 'quote_received', sideQuote(quote), (_, id) => parts.includes(id));
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
        this.#due.push(
          { at: at + span.start, run: () => this.#start(order) },
          { at: at + span.settle, run: () => this.#settle(order, quote) },
        );
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
        this.#tell(order, 'quote_rejected', { intent_id }, (party) => party === quote.maker);
      }
    }
    const told = { intent_id, fx_rate: winner['fx_rate'], quote_id: winner.quote_id };
    this.#tell(order, 'quote_accepted', told, (party) => party === winner.maker);
  }

  #start(order: Order): void {
    if (order.status === 'QUOTED') this.#become(order, 'EXECUTING');
  }

  #settle(order: Order, quote: Quote): void {
    if (order.status !== 'EXECUTING') return;
    order['transaction_hash'] = `0x${'d1'.repeat(8)}${quote.sequence}`;
    order['settled_at'] = formatTimestamp(this.now);
    this.#become(order, 'SETTLED');
    this.#tell(
      order,
      'settlement_completed',
      settlementOf(order),
      (party) => party === quote.maker,
    );
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
