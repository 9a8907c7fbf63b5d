import type { Readable } from 'node:stream';
import type { Fault } from '../../src/reference/core/contract.ts';
import { random } from '../../src/random/random.ts';
import { flushPending } from '../../src/timeline/event-loop.ts';
import { type VirtualClock, virtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import {
  buildServer,
  createWorld,
  type PartySpec,
  type Server,
  type ServerOptions,
  standardOperator,
  standardParties,
  type Tamper,
  type World,
} from '../../src/reference/http/index.ts';
import type { OpenJournal } from '../../src/reference/journal/index.ts';
import { type EndpointName, endpoints, type PathParams, pathOf } from '../../src/spec/endpoints.ts';
import { orderBody as orderBodyOf } from '../../src/protocol/order-body.ts';
import { quoteBody as quoteBodyOf } from '../../src/protocol/quote-body.ts';
import { type Assignment, referenceAnswers } from '../../src/spec/gaps/index.ts';
import type { CastName } from '../../src/spec/requirements/requirement.ts';

export const startMs = Date.UTC(2026, 0, 5, 9);

export interface TestServerOptions {
  readonly answers?: Partial<Assignment>;
  readonly tamper?: Tamper;
  readonly journal?: OpenJournal;
  /** In place of a new one at its start. */
  readonly clock?: VirtualClock;
  readonly server?: ServerOptions;
  readonly seed?: bigint;
  /** When its time begins. */
  readonly startMs?: number;
}

interface Call {
  readonly params?: PathParams;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as it is in place of `body`. */
  readonly raw?: string | Buffer;
  /** In place of the party's own token; null for none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed body where there is JSON. */
  readonly json: Json;
}

// biome-ignore lint: tests look into answers of any shape
type Json = { readonly [key: string]: Json } & Json[] & string;

interface Frame {
  readonly id?: string;
  readonly event: string;
  readonly data: Json;
}

export interface Stream {
  readonly frames: Frame[];
  /** Names of all events so far, heartbeats left out. */
  names(): string[];
  readonly text: () => string;
  readonly ended: () => boolean;
  readonly readable: Readable;
  /** Goes away as a client does that closes its connection. */
  abort(): void;
}

export interface TestServer {
  readonly clock: VirtualClock;
  readonly world: World;
  readonly server: Server;
  /** Internal errors of the server, with their stacks. `close` throws if any is left in it. */
  readonly faults: string[];
  party(name: CastName): PartySpec;
  token(name: CastName): Promise<string>;
  call(name: CastName, endpoint: EndpointName, call?: Call): Promise<Answer>;
  send(name: CastName, method: string, path: string, call?: Call): Promise<Answer>;
  listen(name: CastName, call?: Call): Promise<Stream>;
  fault(target: string, fault: Fault | null): void;
  /** Moves time and lets streams deliver. */
  pass(ms: number): Promise<void>;
  orderBody(more?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  quoteBody(more?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** An order of the sender's; its id. */
  order(more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** A quote on it; its id. */
  quote(
    maker: CastName,
    orderId: string,
    more?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  accept(orderId: string, quoteId: string, by?: CastName): Promise<Answer>;
  close(): Promise<void>;
}

/** A reference in this process under a virtual clock, with a small client. */
export function testServer(setting: TestServerOptions = {}): TestServer {
  const clock = setting.clock ?? virtualClock(setting.startMs ?? startMs);
  const drawn = random(setting.seed ?? 7n, 'test');
  const parties = standardParties(drawn.fork('parties'));
  const world = createWorld({
    clock,
    random: drawn.fork('world'),
    assignment: { ...referenceAnswers, ...setting.answers },
    parties,
    operator: standardOperator(drawn.fork('parties')),
    ...(setting.tamper && { tamper: setting.tamper }),
    ...(setting.journal && { journal: setting.journal }),
  });
  const faults: string[] = [];
  const server = buildServer(world, {
    onInternalError: (error) => faults.push(String((error as Error).stack)),
    ...setting.server,
  });
  const tokens = new Map<string, string>();
  let contracts = 0;

  const party = (name: CastName): PartySpec => server.site(name).party;

  async function token(name: CastName): Promise<string> {
    const known = tokens.get(name);
    if (known !== undefined) return known;
    const fresh = await call(name, 'token.create', { token: null });
    const text = fresh.json.data?.token as string;
    tokens.set(name, text);
    return text;
  }

  async function optionsFor(name: CastName, method: string, path: string, call: Call) {
    const bearer = call.token === undefined ? await token(name) : call.token;
    const site = server.site(name);
    const query = new URLSearchParams(call.query).toString();
    const payload = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    return {
      app: site.app,
      options: {
        method: method as 'GET',
        url: `${site.basePath}${path}${query === '' ? '' : `?${query}`}`,
        headers: {
          ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...call.headers,
        },
        ...(payload !== undefined && { payload }),
      },
    };
  }

  async function send(name: CastName, method: string, path: string, call: Call = {}) {
    const { app, options } = await optionsFor(name, method, path, call);
    const answer = await app.inject(options);
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([header, value]) => [header, String(value)]),
      ),
      text: answer.body,
      json: parsed(answer.body),
    };
  }

  const call: TestServer['call'] = (name, endpoint, options = {}) =>
    send(name, endpoints[endpoint].method, pathOf(endpoint, options.params), options);

  async function listen(name: CastName, options: Call = {}): Promise<Stream> {
    const endpoint = party(name).role === 'market-maker' ? 'maker.events' : 'order.events';
    const { app, options: request } = await optionsFor(name, 'GET', pathOf(endpoint), options);
    const abort = new AbortController();
    const answer = await app.inject({ ...request, payloadAsStream: true, signal: abort.signal });
    if (answer.statusCode !== 200) throw new Error(`the stream was refused: ${answer.statusCode}`);
    return readStream(answer.stream(), () => abort.abort());
  }

  const orderBody: TestServer['orderBody'] = (more = {}) =>
    orderBodyOf({
      hex: (digits, field) => {
        if (field === 'source_contract_id') contracts += 1;
        return `${field === 'source_contract_id' ? contracts : 0}`.padStart(digits, '0');
      },
      senderCustodian: party('sender_custodian').partyId,
      receiver: undefined,
      receiverCustodian: party('receiver_custodian').partyId,
      defaults: { source_amount_max: '1200.00' },
      changes: more,
    });
  const quoteBody: TestServer['quoteBody'] = (more = {}) => ({
    ...quoteBodyOf('1', '1000.00', clock.now() + 30_000),
    ...more,
  });

  return {
    clock,
    world,
    server,
    faults,
    party,
    token,
    call,
    send,
    listen,
    fault: (target, fault) => world.fault(target, fault),
    async pass(ms) {
      clock.advanceTo(clock.now() + ms);
      await flushPending();
    },
    orderBody,
    quoteBody,
    async order(more) {
      const answer = await call('sender', 'order.create', { body: orderBody(more) });
      if (answer.status !== 201) throw new Error(`no order: ${answer.text}`);
      return answer.json.data?.intent_id as string;
    },
    async quote(maker, intent_id, more) {
      const body = quoteBody(more);
      const answer = await call(maker, 'quote.submit', { params: { intent_id }, body });
      if (answer.status !== 201) throw new Error(`no quote: ${answer.text}`);
      return answer.json.data?.quote_id as string;
    },
    accept: (intent_id, quote_id, by = 'sender') =>
      call(by, 'quote.accept', { params: { intent_id, quote_id } }),
    async close() {
      await server.close();
      if (faults.length > 0) throw new Error(`defects of the server:\n${faults.join('\n')}`);
    },
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {} as Json;
  }
}

/** Reads a stream so far. Parses only the form that the reference writes. */
export function readStream(readable: Readable, abort: () => void): Stream {
  const frames: Frame[] = [];
  let all = '';
  let rest = '';
  let ended = false;
  readable.on('data', (chunk: Buffer) => {
    all += chunk.toString();
    rest += chunk.toString();
    const blocks = rest.split(/(?:\r\n\r\n|\n\n|\r\r)/);
    rest = blocks.pop() ?? '';
    frames.push(...blocks.map(frameOf));
  });
  readable.on('end', () => (ended = true));
  readable.on('error', () => (ended = true));
  readable.on('close', () => (ended = true));
  return {
    frames,
    names: () => frames.map(({ event }) => event).filter((event) => event !== 'heartbeat'),
    text: () => all,
    ended: () => ended,
    readable,
    abort,
  };
}

function frameOf(block: string): Frame {
  const fields = Object.fromEntries(
    block.split(/\r\n|\n|\r/).map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  return {
    event: fields.event ?? '',
    data: parsed(fields.data ?? ''),
    ...(fields.id !== undefined && { id: fields.id }),
  };
}
