import { Agent, type IncomingMessage, request } from 'node:http';

/** An answer, read whole. */
interface Answered {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface TrafficOptions {
  /** Of each party, as its clients know it. */
  readonly baseUrls: ReadonlyMap<string, string>;
  /** About how many requests; at least as many are made. */
  readonly requests: number;
  /** The first four carry all events, two of them of a maker; each other carries one order. */
  readonly streams: number;
  /** Awaited before the streams are ended. */
  readonly beforeEnd?: () => Promise<void>;
}

async function whole(answer: IncomingMessage): Promise<Answered> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  const data = text === '' ? {} : (JSON.parse(text) as { data?: Answered['data'] }).data;
  return { status: answer.statusCode ?? 0, data: data ?? {} };
}

const side = 8;

/**
 * Acts as the clients of an institution and a maker: creates, quotes, reads, lists and cancels
 * orders, several at once over kept connections, while streams are open. Returns the number of
 * requests.
 */
export async function makeTraffic({
  baseUrls,
  requests,
  streams,
  beforeEnd,
}: TrafficOptions): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: side });
  const tokens = new Map<string, string>();
  const listening: (() => void)[] = [];
  let made = 0;

  const send = (
    party: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const token = tokens.get(party);
      const text = body && JSON.stringify(body);
      made += 1;
      const isStream = /\/events(?:\?|$)/.test(path);
      const asked = request(
        `${baseUrls.get(party)}${path}`,
        {
          method,
          ...(isStream ? { agent: false } : { agent }),
          headers: {
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
          },
        },
        resolve,
      );
      asked.on('error', reject).end(text);
      if (isStream) listening.push(() => asked.destroy());
    });
  const ask = async (...what: Parameters<typeof send>): Promise<Answered> =>
    whole(await send(...what));

  async function identify(party: string): Promise<string> {
    const { data } = await ask(party, 'POST', '/auth/token');
    tokens.set(party, String(data['token']));
    return String((await ask(party, 'GET', '/api/v1/whoami')).data['party_id']);
  }

  const custodian = await identify('sender_custodian');
  await identify('sender');
  await identify('maker_a');
  const receiver = await identify('receiver_custodian');
  const order = {
    sender_custodian_party_id: custodian,
    intent_signature: 'ab'.repeat(64),
    receiver_party_id: receiver,
    receiver_custodian_party_id: receiver,
    source_currency: 'USD',
    target_amount: '1000.00',
    target_currency: 'EUR',
    source_amount_max: '2000.00',
    memo: 'traffic',
  };
  async function createOrder(n: number): Promise<string> {
    const { data } = await ask('sender', 'POST', '/api/v1/orders', {
      ...order,
      source_contract_id: `${n.toString(16).padStart(64, '0')}#0`,
    });
    return String(data['intent_id']);
  }

  /** A few hear of everything, the others of one order each. */
  async function listen(opened: number): Promise<void> {
    const [party, path] =
      opened % 2 === 1 ? ['maker_a', '/api/v1/events'] : ['sender', '/api/v1/orders/events'];
    const isWhole = opened < 4;
    const [who, what] = isWhole
      ? [party, path]
      : ['sender', `/api/v1/orders/events?intent_id=${await createOrder(1e6 + opened)}`];
    const stream = await send(who, 'GET', what);
    if (stream.statusCode !== 200) throw new Error(`a stream was answered ${stream.statusCode}`);
    stream.on('error', () => {}).resume();
  }
  for (let opened = 0; opened < streams; opened += 1) await listen(opened);

  async function oneOrder(n: number): Promise<void> {
    const path = await createOrder(n);
    await ask('maker_a', 'POST', `/api/v1/quote-requests/${path}/quotes`, {
      fx_rate: '0.9',
      target_amount: '1000.00',
      valid_until: new Date(Date.now() + 30_000).toISOString(),
    });
    await ask('sender', 'GET', `/api/v1/orders/${path}/quotes`);
    await ask('sender', 'GET', '/api/v1/orders?page_size=3');
    await ask('sender', 'POST', `/api/v1/orders/${path}/cancel`);
    await ask('sender', 'GET', `/api/v1/orders/${path}`);
  }

  let orders = 0;
  await Promise.all(
    Array.from({ length: side }, async () => {
      while (made < requests) await oneOrder((orders += 1));
    }),
  );
  await beforeEnd?.();
  for (const stop of listening) stop();
  agent.destroy();
  return made;
}
