import { get as httpGet, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dialect } from '../../peer/dialect.ts';
import { peerParties } from '../../peer/parties.ts';
import type { Peer } from '../../peer/server.ts';

export type Fields = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The `data` of the answer; empty if there is none. */
  readonly data: Fields;
  /** The `data` of a list; empty if it is none. */
  readonly rows: readonly Fields[];
  readonly pagination: Fields;
}

export interface StreamEvent {
  readonly name: string;
  readonly data: Fields;
}

export interface EventStream {
  readonly events: () => Promise<readonly StreamEvent[]>;
  readonly close: () => Promise<void>;
}

interface Page {
  /** From 0. */
  readonly page?: number;
  readonly size?: number;
  readonly status?: string;
}

/** Drives a peer with a clock of its own by HTTP, as its parties. */
export type World = ReturnType<typeof worldOf>;

/** True if the flaw shows. */
export type Proof = (world: World) => Promise<boolean>;

export const partyOf = (key: string): string =>
  peerParties.find((entry) => entry.key === key)?.party ?? '';

export const isTaken = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Lets a local connection carry what was written to it. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

function readEvents(text: string): StreamEvent[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/(?:\r\n|\r(?!\n)|\n){2}/)
    .map((block) => {
      const lines = block.split(/\r\n|\r|\n/);
      const field = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
      return { name: field('event')?.trim() ?? '', data: field('data') };
    })
    .filter(({ data }) => data !== undefined)
    .map(({ name, data }) => ({ name, data: JSON.parse(data ?? '') as Fields }));
}

const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

function answerOf(status: number, text: string): Answer {
  const isEnvelope = text.startsWith('{');
  const { data, pagination } = isEnvelope ? objectOf(JSON.parse(text)) : {};
  return {
    status,
    text,
    data: objectOf(data),
    rows: Array.isArray(data) ? data : [],
    pagination: objectOf(pagination),
  };
}

export function worldOf(peer: Peer, dialect: Dialect) {
  const { origin } = peer;
  let contracts = 0;
  let tokens = new Map<string, string>();

  const send = async (
    method: string,
    key: string,
    path: string,
    given: { body?: string; token?: string } = {},
  ): Promise<Answer> => {
    const { body, token } = given;
    const response = await fetch(`${origin}/${key}/${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    return answerOf(response.status, await response.text());
  };
  const newToken = async (key: string): Promise<string> =>
    String((await send('POST', key, 'auth/token')).data.token);
  const tokenOf = async (key: string): Promise<string> => {
    const token = tokens.get(key) ?? (await newToken(key));
    tokens.set(key, token);
    return token;
  };
  const get = async (key: string, path: string): Promise<Answer> =>
    send('GET', key, `api/v1/${path}`, { token: await tokenOf(key) });
  const post = async (key: string, path: string, body?: unknown): Promise<Answer> =>
    send('POST', key, `api/v1/${path}`, {
      token: await tokenOf(key),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  return {
    dialect,
    now: peer.now,
    send,
    newToken,
    get,
    post,
    /** Moves the peer's clock; tokens are new after it. */
    advance: async (ms: number): Promise<void> => {
      await fetch(`${origin}/_clock`, { method: 'POST', body: JSON.stringify({ ms }) });
      tokens = new Map();
    },
    /** One page of a list, by the names of the dialect. */
    list: (key: string, path: string, { page = 0, size, status }: Page = {}): Promise<Answer> => {
      const query = new URLSearchParams(status === undefined ? {} : { status });
      if (size !== undefined) query.set(dialect.sizeParam, String(size));
      if (page > 0) {
        const place = dialect.offsets ? page * (size ?? 0) : page + dialect.firstPage;
        query.set(dialect.pageParam, String(place));
      }
      return get(key, `${path}?${query.toString()}`);
    },
    /** Creates an order of the sender; returns its id. */
    order: async (fields: Fields = {}): Promise<string> => {
      contracts += 1;
      const { data, text } = await post('sender', 'orders', {
        sender_custodian_party_id: partyOf('sender_custodian'),
        intent_signature: '0aff',
        receiver_party_id: partyOf('outsider'),
        receiver_custodian_party_id: partyOf('receiver_custodian'),
        source_contract_id: `ab${contracts.toString(16).padStart(4, '0')}#0`,
        source_currency: 'EUR',
        target_amount: '10.00',
        target_currency: 'USD',
        source_amount_max: '20.00',
        ...fields,
      });
      if (typeof data.intent_id !== 'string') throw new Error(`no order: ${text}`);
      return data.intent_id;
    },
    /** Submits a quote at a price in source currency for one unit of the target currency. */
    offer: async (
      maker: string,
      id: string,
      {
        price = 1,
        target = '10.00',
        validMs = 60_000,
      }: { price?: number; target?: string; validMs?: number } = {},
    ): Promise<Answer> =>
      post(maker, `quote-requests/${id}/quotes`, {
        fx_rate: String(dialect.sourcePerTarget ? price : 1 / price),
        target_amount: dialect.amountIsSource ? (Number(target) * price).toFixed(2) : target,
        valid_until: new Date(peer.now() + validMs).toISOString(),
      }),
    accept: (key: string, id: string, offered: Answer): Promise<Answer> =>
      post(key, `orders/${id}/quotes/${String(offered.data.quote_id)}/accept`),
    /** Opens an event stream: for makers theirs, for others that of orders. */
    listen: async (key: string, query = ''): Promise<EventStream> => {
      const path = key.startsWith('maker') ? 'events' : 'orders/events';
      const token = await tokenOf(key);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        httpGet(
          `${origin}/${key}/api/v1/${path}${query}`,
          { headers: { authorization: `Bearer ${token}` } },
          resolve,
        ).on('error', reject);
      });
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk)).on('error', () => {});
      return {
        events: async () => {
          await settled();
          return readEvents(text);
        },
        close: async () => {
          response.destroy();
          await settled();
        },
      };
    },
  };
}

/** An order that maker_a won, and maker_b lost if there is a rival price; settled when this returns. */
export async function settledOrder(world: World, fields: Fields = {}, rival?: number) {
  const id = await world.order(fields);
  if (rival !== undefined) await world.offer('maker_b', id, { price: rival });
  const offered = await world.offer('maker_a', id);
  const accepted = await world.accept('sender', id, offered);
  await world.advance(6_000);
  return { id, offered, accepted };
}
