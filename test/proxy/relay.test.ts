import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HistoryRecord } from '../../src/history/records.ts';
import { createPassedReader } from '../../src/proxy/read-passed.ts';
import { type Relay, startRelay } from '../../src/proxy/relay.ts';
import { createTap } from '../../src/proxy/tap.ts';
import { createWindow } from '../../src/proxy/window.ts';
import { systemClock } from '../../src/timeline/clock/system-clock.ts';

/** A backend that says what a test wants, on bare sockets: every byte of it is the test's own. */
interface Backend {
  readonly port: number;
  /** The next connection to it. */
  next(): Promise<Wire>;
}

/** One end of a connection. */
interface Wire {
  readonly socket: Socket;
  /** Resolves with all bytes so far once there are enough. */
  got(length: number): Promise<string>;
  /** Resolves once the other side has ended it. */
  readonly over: Promise<'ended' | 'reset'>;
}

function wireOf(socket: Socket): Wire {
  let text = '';
  let look: () => void = () => {};
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
    look();
  });
  let wasReset = false;
  socket.on('error', () => (wasReset = true));
  const over = new Promise<'ended' | 'reset'>((resolve) => {
    socket.once('end', () => resolve('ended'));
    socket.once('close', () => resolve(wasReset ? 'reset' : 'ended'));
  });
  return {
    socket,
    over,
    got: (length) =>
      new Promise((resolve) => {
        look = () => text.length >= length && resolve(text);
        look();
      }),
  };
}

const open: { close(): unknown }[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const one of open.splice(0).reverse()) await one.close();
});

async function startBackend(): Promise<Backend> {
  const waiting: ((wire: Wire) => void)[] = [];
  const come: Wire[] = [];
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    const wire = wireOf(socket);
    const take = waiting.shift();
    if (take) take(wire);
    else come.push(wire);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return {
    port: (server.address() as AddressInfo).port,
    next: async () => come.shift() ?? new Promise((resolve) => waiting.push(resolve)),
  };
}

async function startProxy(backendPort: number) {
  const window = createWindow();
  const baseUrl = `http://127.0.0.1:${backendPort}/bank-a`;
  const reader = createPassedReader([{ name: 'sender', role: 'institution', baseUrl }], window);
  const tap = createTap(systemClock(), (batch) => {
    reader.take(batch);
    tap.read(batch.bytes.length);
  });
  const relay: Relay = await startRelay({
    party: 'sender',
    baseUrl,
    listen: { host: '127.0.0.1', port: 0, allowedHosts: ['proxy.example'] },
    tap,
  });
  open.push(relay);
  const port = Number(new URL(relay.baseUrl).port);
  return {
    port,
    relay,
    reader,
    client(): Wire {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      sockets.push(socket);
      return wireOf(socket);
    },
    /** Ends it, and answers what was recorded. */
    async records(): Promise<readonly HistoryRecord[]> {
      await relay.close();
      await tap.drain(5_000);
      return window.records;
    },
  };
}

const get = (path: string, more = ''): string =>
  `GET /bank-a${path} HTTP/1.1\r\nHOST:  fx.example\r\nX-Odd-Case: 1\r\nx-odd-case: 2\r\n${more}\r\n`;
const post = (path: string, body: string, more = ''): string =>
  `POST /bank-a${path} HTTP/1.1\r\nHost: fx.example\r\nContent-Type: application/json\r\n${more}\r\n${body}`;
const large = JSON.stringify({ data: Array.from({ length: 50 }, () => 'x'.repeat(60_000)) });

/** Raw bytes of requests and answers, and the records that the proxy makes of them. */
const cases: readonly {
  readonly name: string;
  readonly asks: string;
  readonly answers: string;
  readonly endsIt?: true;
  readonly recorded: readonly (readonly [path: string, status: number, body?: unknown])[];
}[] = [
  {
    name: 'headers in any order, case and number',
    asks: get('/health'),
    answers:
      'HTTP/1.1 200 Quite Fine\r\nSet-Cookie: a\r\nset-COOKIE: b\r\ncontent-length:2\r\n\r\n{}',
    recorded: [['/health', 200, {}]],
  },
  {
    name: 'chunks as they were cut, with extensions and trailers',
    asks: get('/health', 'TE: trailers\r\n'),
    answers:
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2;a=b\r\n{"\r\n5\r\na":1}\r\n0\r\nX-Sum: 7\r\n\r\n',
    recorded: [['/health', 200, { a: 1 }]],
  },
  {
    name: 'a chunked request',
    asks: post(
      '/api/v1/orders',
      '3\r\n{"m\r\n6\r\nemo":1\r\n1\r\n}\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\n',
    ),
    answers: 'HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}',
    recorded: [['/api/v1/orders', 201, {}]],
  },
  {
    name: '204 and 304 without a body, and requests sent at once',
    asks: get('/health') + get('/api/v1/whoami') + get('/health'),
    answers:
      'HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    recorded: [
      ['/health', 204],
      ['/api/v1/whoami', 304],
      ['/health', 200, {}],
    ],
  },
  {
    name: 'HEAD, whose length is that of no body',
    asks: get('/health').replace('GET', 'HEAD') + get('/health'),
    answers:
      'HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    recorded: [
      ['/health', 200],
      ['/health', 200, {}],
    ],
  },
  {
    name: 'interim answers',
    asks: get('/health'),
    answers:
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    recorded: [['/health', 200, {}]],
  },
  {
    name: 'a body that ends with its connection',
    asks: get('/health'),
    answers: 'HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{"a":2}',
    endsIt: true,
    recorded: [['/health', 200, { a: 2 }]],
  },
  {
    name: 'large bodies',
    asks: post('/api/v1/orders', large, `Content-Length: ${large.length}\r\n`),
    answers: `HTTP/1.1 201 Created\r\nContent-Length: ${large.length}\r\n\r\n${large}`,
    recorded: [['/api/v1/orders', 201, JSON.parse(large)]],
  },
  {
    name: 'a body that says it is gzip and is not',
    asks: get('/health'),
    answers: 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}',
    recorded: [['/health', 0]],
  },
  {
    name: 'what is no HTTP',
    asks: '\u0016\u0003\u0001 hello',
    answers: 'whatever',
    recorded: [],
  },
  {
    name: 'another protocol after its upgrade',
    asks: `${get('/ws', 'Upgrade: websocket\r\nConnection: upgrade\r\n')}\u0081\u0005hello`,
    answers: 'HTTP/1.1 101 Switching Protocols\r\n\r\n\u0081\u0003you',
    endsIt: true,
    recorded: [['/ws', 0]],
  },
];

describe('the proxy', () => {
  it.each(cases)('passes $name', async ({ asks, answers, endsIt, recorded }) => {
    const backend = await startBackend();
    const proxy = await startProxy(backend.port);
    const client = proxy.client();
    client.socket.write(asks, 'latin1');
    const wire = await backend.next();
    expect((await wire.got(asks.length)) === asks).toBe(true);
    wire.socket.write(answers, 'latin1');
    expect((await client.got(answers.length)) === answers).toBe(true);
    if (endsIt) wire.socket.end();
    expect(endsIt ? await client.over : 'ended').toBe('ended');
    if (endsIt) {
      client.socket.end();
      await wire.over;
    }
    const records = await proxy.records();
    expect(
      records.flatMap((one) =>
        one.kind === 'exchange'
          ? [
              [
                one.request.path,
                one.response?.status ?? 0,
                ...(one.response?.body === undefined ? [] : [one.response.body]),
              ],
            ]
          : [],
      ),
    ).toEqual(recorded);
  });

  it("puts the backend's address in place of its own, and nothing else", async () => {
    const backend = await startBackend();
    const proxy = await startProxy(backend.port);
    const ask = (host: string) =>
      `GET /bank-a/health HTTP/1.1\r\nhOsT: \t${host} \r\nOrigin: http://${host}\r\n\r\n`;
    for (const name of ['127.0.0.1', 'localhost', 'proxy.example', 'rebound.example']) {
      const own = `${name}:${proxy.port}`;
      // A website can point an unknown name here, so the backend must see that name.
      const isKnown = name !== 'rebound.example';
      const expected = isKnown ? ask(own).replace(own, `127.0.0.1:${backend.port}`) : ask(own);
      const client = proxy.client();
      client.socket.write(ask(own));
      const wire = await backend.next();
      expect(await wire.got(expected.length)).toBe(expected);
    }
  });

  it('lets a client wait for leave to send its body', async () => {
    const backend = await startBackend();
    const proxy = await startProxy(backend.port);
    const client = proxy.client();
    const head = post('/api/v1/orders', '', 'Content-Length: 2\r\nExpect: 100-continue\r\n');
    client.socket.write(head);
    const wire = await backend.next();
    await wire.got(head.length);
    const leave = 'HTTP/1.1 100 Continue\r\n\r\n';
    wire.socket.write(leave);
    expect(await client.got(leave.length)).toBe(leave);
    client.socket.write('{}');
    expect(await wire.got(head.length + 2)).toBe(`${head}{}`);
  });

  it('passes each event of a stream before the next is written, and records when it came', async () => {
    const backend = await startBackend();
    const proxy = await startProxy(backend.port);
    const client = proxy.client();
    client.socket.write(get('/api/v1/orders/events'));
    const wire = await backend.next();
    let said =
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
    wire.socket.write(said);
    for (const n of [1, 2, 3]) {
      const event = `event: heartbeat\ndata: {"n":${n}}\n\n`;
      const chunk = `${event.length.toString(16)}\r\n${event}\r\n`;
      await client.got(said.length);
      said += chunk;
      wire.socket.write(chunk);
    }
    expect(await client.got(said.length)).toBe(said);
    client.socket.destroy();
    expect(await wire.over).toBe('ended');
    const records = await proxy.records();
    expect(records.map((one) => (one.kind === 'frame' ? one.data : one.kind))).toEqual([
      'exchange',
      { n: 1 },
      { n: 2 },
      { n: 3 },
      'end',
    ]);
    expect(records.at(-1)).toMatchObject({ cause: 'us', stream: 'proxy#1' });
  });

  it('tells a backend of a client that broke off, and a client of a backend that did', async () => {
    const backend = await startBackend();
    const proxy = await startProxy(backend.port);
    const first = proxy.client();
    first.socket.write(get('/health'));
    const left = await backend.next();
    await left.got(1);
    first.socket.resetAndDestroy();
    expect(await left.over).toBe('reset');
    const second = proxy.client();
    second.socket.write(get('/health'));
    const leaving = await backend.next();
    await leaving.got(1);
    leaving.socket.resetAndDestroy();
    expect(await second.over).toBe('reset');
    const records = await proxy.records();
    expect(records.map((one) => one.kind === 'exchange' && one.error?.code)).toEqual([
      'aborted',
      'reset',
    ]);
  });

  it('answers 502 itself where a backend cannot be reached, and never as the backend', async () => {
    const backend = await startBackend();
    await open.pop()?.close();
    const proxy = await startProxy(backend.port);
    const client = proxy.client();
    client.socket.write(get('/health'));
    expect(await client.over).toBe('ended');
    const answer = await client.got(1);
    expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(answer).toContain('assay-proxy: unreachable');
    client.socket.end();
    const [only] = await proxy.records();
    expect(only).toMatchObject({ error: { code: 'refused' } });
    expect(only).toHaveProperty('response', undefined);
    expect(proxy.reader.counts().unreachable).toBe(1);
  });

  it('passes traffic on if its reader is too slow, and reports the unread part', async () => {
    const backend = await startBackend();
    const window = createWindow();
    const baseUrl = `http://127.0.0.1:${backend.port}`;
    const reader = createPassedReader([{ name: 'sender', role: 'institution', baseUrl }], window);
    const tap = createTap(systemClock(), (batch) => reader.take(batch), 150);
    const relay = await startRelay({
      party: 'sender',
      baseUrl,
      listen: { host: '127.0.0.1', port: 0 },
      tap,
    });
    open.push(relay);
    const socket = connect({ port: Number(new URL(relay.baseUrl).port), host: '127.0.0.1' });
    sockets.push(socket);
    const client = wireOf(socket);
    socket.write('GET /health HTTP/1.1\r\n\r\n');
    const wire = await backend.next();
    await wire.got(1);
    const answer = `HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n${'x'.repeat(200)}`;
    wire.socket.write(answer);
    expect(await client.got(answer.length)).toBe(answer);
    await relay.close();
    await tap.drain(0);
    expect(reader.limits()).toEqual([expect.stringContaining('more than could be read in time')]);
    expect(window.records).toMatchObject([{ error: { code: 'aborted' } }]);
  });
});
