import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerInProcess,
  type InProcessRequest,
} from '../../src/target/embedded/in-process-transport.ts';
import { type TestServer, testServer } from './harness.ts';

/** Headers that only the wire adds, or that depend on the length of an id. */
const apart = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);

interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** True if the body has the length in its header; undefined without that header. */
  readonly isWhole: boolean | undefined;
  readonly body: string;
}

function told(status: number, headers: Readonly<Record<string, unknown>>, body: string): Told {
  const length = headers['content-length'];
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !apart.has(name))),
    isWhole: length === undefined ? undefined : Number(length) === Buffer.byteLength(body),
    // Each request has an id of its own, and each creation makes another order.
    body: body.replace(/"(request_id|intent_id|source_contract_id)":"[^"]*"/g, '"$1":"?"'),
  };
}

describe('an answer without a socket', () => {
  let b: TestServer;
  let port: number;
  beforeAll(async () => {
    b = testServer();
    const { app } = b.server.site('sender');
    await app.ready();
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterAll(() => b.close());

  async function overTheWire({ method, url, headers, payload }: InProcessRequest): Promise<Told> {
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers });
    sent.end(payload);
    const [answer] = await once(sent, 'response');
    return told(answer.statusCode, answer.headers, await text(answer));
  }

  async function locally(asked: InProcessRequest): Promise<Told> {
    const answer = await answerInProcess(b.server.site('sender').app, asked);
    return told(answer.statusCode, answer.headers, Buffer.from(answer.rawPayload).toString());
  }

  const json = { 'content-type': 'application/json' };
  const asked: readonly [string, (path: string) => Partial<InProcessRequest>][] = [
    ['a page', (path) => ({ url: `${path}/api/v1/orders?page_size=2` })],
    ['whoever asks', (path) => ({ url: `${path}/api/v1/whoami` })],
    ['nothing there', (path) => ({ url: `${path}/api/v1/nothing` })],
    ['nobody there', () => ({ url: '/nobody/api/v1/orders' })],
    ['a header alone', (path) => ({ method: 'HEAD', url: `${path}/api/v1/orders` })],
    ['what is allowed', (path) => ({ method: 'OPTIONS', url: `${path}/api/v1/orders` })],
    ['the wrong method', (path) => ({ method: 'DELETE', url: `${path}/api/v1/orders` })],
    ['no token', (path) => ({ url: `${path}/api/v1/orders`, headers: {} })],
    ['health', (path) => ({ method: 'GET', url: `${path}/health` })],
    ['a broken path', (path) => ({ url: `${path}/api/v1/orders/%ff` })],
    ...(
      [
        ['an order', 'ORDER', json],
        ['an empty order', '', json],
        ['half an order', '{"memo":', json],
        ['another type', '{}', { 'content-type': 'text/plain' }],
        ['a type that is none', '{}', { 'content-type': 'nonsense' }],
        ['no type', '{}', {}],
        ['too much', `{"memo":"${'m'.repeat(70_000)}"}`, json],
        ['letters of every kind', '{"memo":"Überweisung 🏦"}', json],
      ] as const
    ).map(([name, payload, headers]): [string, (path: string) => Partial<InProcessRequest>] => [
      name,
      (path) => ({ method: 'POST', url: `${path}/api/v1/orders`, payload, headers }),
    ]),
  ];

  it.each(asked)('equals the answer over a socket: %s', async (_, make) => {
    const { basePath } = b.server.site('sender');
    const made = make(basePath);
    const token = { authorization: `Bearer ${await b.token('sender')}` };
    const keepsHeaders = made.headers !== undefined && made.method === undefined;
    const one = (): InProcessRequest => ({
      method: 'GET',
      url: '',
      ...made,
      headers: keepsHeaders ? { ...made.headers } : { ...token, ...made.headers },
      ...(made.payload === 'ORDER' && { payload: JSON.stringify(b.orderBody()) }),
    });
    const local = await locally(one());
    expect(local).toEqual(await overTheWire(one()));
    expect(local.status).toBeGreaterThanOrEqual(200);
  });

  async function opened(signal: AbortSignal) {
    const { app, basePath } = b.server.site('sender');
    return answerInProcess(app, {
      method: 'GET',
      url: `${basePath}/api/v1/orders/events`,
      headers: { authorization: `Bearer ${await b.token('sender')}` },
      payloadAsStream: true,
      signal,
    });
  }

  it('streams, until its reader goes away', async () => {
    const away = new AbortController();
    const answer = await opened(away.signal);
    expect(answer.headers['content-type']).toBe('text/event-stream');
    const chunks: string[] = [];
    answer.stream().on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    await b.pass(31_000);
    expect(chunks.join('')).toContain('event: heartbeat');
    const heard = chunks.length;
    away.abort();
    await b.pass(61_000);
    expect(chunks).toHaveLength(heard);
  });

  it('fails where the server cuts it off', async () => {
    const app = fastify();
    app.get('/', (_, reply) => void reply.hijack().raw.destroy());
    await app.ready();
    const cut = answerInProcess(app, { method: 'GET', url: '/', headers: {} });
    await expect(cut).rejects.toThrow('broke off');
    await app.close();
  });

  it('ends with the stream', async () => {
    const answer = await opened(new AbortController().signal);
    const ended = once(answer.stream().resume(), 'end');
    await b.close();
    await ended;
  });
});
