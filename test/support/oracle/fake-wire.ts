import type { Exchange, HistoryRecord } from '../../../src/history/records.ts';
import {
  endpoints,
  type EndpointName,
  type PathParams,
  pathOf,
} from '../../../src/spec/endpoints.ts';
import { formatTimestamp } from '../../../src/spec/forms.ts';
import { cast, type CastName } from '../../../src/spec/requirements/index.ts';
import type { Json } from './fake-views.ts';

/** A stream that a party has open. */
export interface Stream {
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

/** Written out, so that a slip in `spec/limits` shows. */
const beatMs = 30_000;
const epoch = Date.parse('2026-03-02T09:00:00.000Z');

/**
 * The wire of the made-up target: its time, exchanges and streams, recorded as a history.
 * Subclasses decide on the content.
 */
export class FakeWire {
  readonly records: HistoryRecord[] = [];
  now = epoch;
  readonly #latency: number;
  readonly #streams: Stream[] = [];
  readonly #due: { at: number; run: () => void }[] = [];
  #sequence = 0;

  /** @param latency milliseconds that each exchange takes */
  constructor(latency: number) {
    this.#latency = latency;
  }

  /** Schedules an action. */
  protected at(instant: number, run: () => void): void {
    this.#due.push({ at: instant, run });
  }

  /** Advances time, and runs the actions that fall due. */
  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const beats = this.#streams.map((stream) => ({
        at: stream.nextBeat,
        run: () => {
          stream.nextBeat += beatMs;
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

  /** Any exchange; `answer` happens between request and answer, and makes the body. */
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
    this.advance(Math.ceil(this.#latency / 2));
    const payload = answer?.();
    this.advance(Math.floor(this.#latency / 2));
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
    more: {
      params?: PathParams;
      query?: Record<string, string>;
      body?: unknown;
      auth?: string;
      status?: number;
    } = {},
  ): Exchange {
    return this.exchange(party, endpoint, {
      status: 409,
      ...more,
      answer: () => ({ code: 'refused' }),
    });
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
      nextBeat: this.now + beatMs,
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

  /** Sends an event about an order to its parties, on every stream that may carry that order. */
  protected tell(
    { intent_id }: { readonly intent_id: string },
    event: string,
    data: unknown,
    to: (party: CastName, id: string) => boolean,
  ): void {
    for (const stream of this.#streams) {
      if (stream.filter !== undefined && stream.filter !== intent_id) continue;
      if (to(stream.party, partyIds[stream.party])) this.#frame(stream, event, data);
    }
  }
}
