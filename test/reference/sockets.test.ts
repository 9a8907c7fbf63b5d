import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { type TestServer, testServer, readStream } from './harness.ts';

/** Opens a stream over a socket. */
async function open(b: TestServer, url: string, name: 'sender' | 'maker_a', headers = {}) {
  const request: ClientRequest = get(url, {
    headers: { authorization: `Bearer ${await b.token(name)}`, ...headers },
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  return { answer, stream: readStream(answer, () => request.destroy()) };
}

const eventually = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 2000 && !holds(); turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 1));
  expect(holds()).toBe(true);
};

const addressOf = async (b: TestServer): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await b.server.serve({ port: 0 })).map(({ party, baseUrl }) => [party.name, baseUrl]),
  );

describe.each(['prefix', 'ports'] as const)('over sockets, laid out by %s', (layout) => {
  it('every party has an address of its own and a whole order goes through', async () => {
    const b = testServer({ server: { layout } });
    const at = await addressOf(b);
    expect(new Set(Object.values(at)).size).toBe(8);
    const ports = new Set(Object.values(at).map((url) => new URL(url).port));
    expect(ports.size).toBe(layout === 'prefix' ? 1 : 8);
    const { answer, stream } = await open(b, `${at.sender}/api/v1/orders/events`, 'sender');
    expect(answer.headers['content-type']).toBe('text/event-stream');

    const post = async (name: 'sender' | 'maker_a', path: string, body?: object) => {
      const request = supertest(at[name] ?? '').post(path);
      request.set('authorization', `Bearer ${await b.token(name)}`);
      return body ? request.send(body) : request;
    };
    const created = await post('sender', '/api/v1/orders', b.orderBody());
    const id = created.body.data.intent_id as string;
    const quoted = await post('maker_a', `/api/v1/quote-requests/${id}/quotes`, b.quoteBody());
    await post('sender', `/api/v1/orders/${id}/quotes/${quoted.body.data.quote_id}/accept`);
    const advanced = await supertest(at.sender?.replace('/bank-a', '') ?? '')
      .post('/_sim/clock/advance')
      .set('content-type', 'application/json')
      .send({ ms: 4000 });
    expect(advanced.status).toBe(200);
    await eventually(() => stream.names().length === 4);
    expect(stream.frames.at(-1)?.data.status).toBe('SETTLED');
    await b.close();
  });
});

describe('streams over sockets', () => {
  it('are let go when the client closes', async () => {
    const b = testServer();
    const at = await addressOf(b);
    const { stream } = await open(b, `${at.maker_a}/api/v1/events`, 'maker_a');
    const idle = b.clock.nextDue();
    expect(idle).toBeDefined();
    stream.abort();
    await eventually(() => b.clock.nextDue() === undefined);
    await b.close();
  });

  it('do not hold up a shutdown, nor does a client that reads nothing or sends half a request', async () => {
    const b = testServer();
    const at = await addressOf(b);
    const reader = await open(b, `${at.sender}/api/v1/orders/events`, 'sender');
    const stuck = await open(b, `${at.sender}/api/v1/orders/events`, 'sender');
    stuck.answer.pause();
    const half = connect(Number(new URL(at.sender ?? '').port), '127.0.0.1');
    half.on('error', () => undefined);
    half.write('POST /bank-a/api/v1/orders HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
    await once(half, 'connect');
    b.fault('all', null);
    const closing = b.close();
    const late = Symbol('late');
    const first = await Promise.race([
      closing,
      new Promise((resolve) => setTimeout(resolve, 1000, late)),
    ]);
    expect(first).not.toBe(late);
    await eventually(() => reader.stream.ended());
    stuck.stream.abort();
    half.destroy();
  });

  it('cut off a reader that takes nothing while much happens, and let it resume', async () => {
    const b = testServer({ server: { bounds: { retained: 4000, maxBacklog: 300 } } });
    const at = await addressOf(b);
    const url = `${at.sender}/api/v1/orders/events`;
    const slow = await open(b, url, 'sender');
    const id = await b.order({ memo: 'm'.repeat(1000) });
    await b.quote('maker_a', id);
    await eventually(() => slow.stream.frames.length === 1);
    slow.answer.pause();
    slow.answer.socket.pause();
    const { world } = b;
    const quoteAs = (name: 'maker_a' | 'maker_b') =>
      world.request({
        endpoint: 'quote.submit',
        caller: b.party(name),
        params: { intent_id: id },
        query: {},
        body: b.quoteBody(),
      });
    // Kernel buffers hold some MB before the server notices. Yields at times so that it can write.
    let sent = 1;
    const idle = b.clock.nextDue();
    while (b.server.site('sender').streams.open === 1 && sent < 60_000) {
      quoteAs('maker_b');
      sent += 1;
      if (sent % 200 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(idle).toBeDefined();
    expect(b.server.site('sender').streams.open).toBe(0);
    slow.stream.abort();
    await b.close();
  });
});
