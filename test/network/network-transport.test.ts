import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, expect, test } from 'vitest';
import { networkTransport, parseBaseUrl } from '../../src/client/http/network-transport.ts';
import type { Transport, TransportLimits, WireAnswer } from '../../src/client/http/transport.ts';
import { closeServer, originOf } from '../support/network/gateway.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let handler: Handler = (_, response) => response.end();
const server = createServer((request, response) => handler(request, response));
const listening = originOf(server);
const transports: Transport[] = [];

afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
});
afterAll(() => closeServer(server));

async function reach(path = '', limits: Partial<TransportLimits> = {}): Promise<Transport> {
  const transport = networkTransport(`${await listening}${path}`, { limits });
  transports.push(transport);
  return transport;
}

async function get(respond: Handler, limits: Partial<TransportLimits> = {}): Promise<WireAnswer> {
  handler = respond;
  const transport = await reach('', limits);
  return transport.request({ method: 'GET', path: '/x', headers: {} });
}

const text = (answer: WireAnswer): string =>
  answer.kind === 'response'
    ? Buffer.from(answer.response.bytes).toString('utf8')
    : answer.error.code;

test('an answer that lay there unread while this process was busy is no silence', async () => {
  const busyForMs = 1_500;
  const answer = await get(
    (_, response) => {
      const until = performance.now() + busyForMs;
      while (performance.now() < until);
      response.end('ok');
    },
    { headersMs: 500 },
  );
  expect(text(answer)).toBe('ok');
});

test('the base path, with its slash or without, comes before the path; the body goes along', async () => {
  const seen: unknown[] = [];
  handler = (request, response) => {
    request.setEncoding('utf8');
    request.on('data', (body) => seen.push(body));
    request.on('end', () => {
      seen.push(request.method, request.url, request.headers['x-a']);
      response.writeHead(201, { 'X-B': '2', 'set-cookie': ['a=1', 'b=2'] }).end('ok');
    });
  };
  const transport = await reach('/bank-a/');
  const answer = await transport.request({
    method: 'POST',
    path: '/api?x=%20y',
    headers: { 'x-a': '1' },
    body: '{}',
  });
  expect(seen).toEqual(['{}', 'POST', '/bank-a/api?x=%20y', '1']);
  expect(answer).toMatchObject({
    kind: 'response',
    response: { status: 201, headers: { 'x-b': '2', 'set-cookie': 'a=1, b=2' } },
  });
});

test('a redirect is an answer like any other', async () => {
  let requests = 0;
  const answer = await get((_, response) => {
    requests += 1;
    response.writeHead(302, { location: '/x' }).end();
  });
  expect(answer).toMatchObject({ kind: 'response', response: { status: 302 } });
  expect(requests).toBe(1);
});

const plain = Buffer.from('{"a":"ü"}');

test.each([
  ['gzip', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  ['deflate', deflateRawSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['gzip, br', brotliCompressSync(gzipSync(plain))],
  ['identity', plain],
])('a body encoded as %s is decoded', async (encoding, body) => {
  const answer = await get((_, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body),
  );
  expect(text(answer)).toBe(plain.toString());
});

const gzip = { 'content-encoding': 'gzip' };
const answering =
  (headers: Record<string, string>, body: string | Uint8Array): Handler =>
  (_, response) =>
    response.writeHead(200, headers).end(body);
/** Declares a length, and sends one byte of it. */
const beginning =
  (length: number, then: (socket: Socket) => void = () => {}): Handler =>
  ({ socket }, response) =>
    response.writeHead(200, { 'content-length': length }).write('x', () => then(socket));
/** Does the same again and again, until the connection is closed. */
const again = ({ socket }: IncomingMessage, ms: number, work: () => void): void => {
  const beat = setInterval(work, ms);
  socket.on('close', () => clearInterval(beat));
};
const reset = (socket: Socket): void => void socket.resetAndDestroy();
const close = (socket: Socket): void => void socket.destroy();

test.each<[string, string, Handler]>([
  ['broken gzip', 'protocol', answering(gzip, 'not gzip at all')],
  ['gzip cut short', 'protocol', answering(gzip, gzipSync(plain).subarray(0, 15))],
  ['an encoding of its own', 'protocol', answering({ 'content-encoding': 'rot13' }, 'x')],
  ['a bomb of gzip', 'limit', answering(gzip, gzipSync(Buffer.alloc(1_000_000)))],
  ['a gigabyte declared', 'limit', beginning(2 ** 30)],
  [
    'an endless body',
    'limit',
    (_, response) => {
      response.writeHead(200);
      const more = (): boolean => response.writable && response.write('x'.repeat(10_000), more);
      response.on('error', () => {});
      more();
    },
  ],
  [
    'interim answers without end',
    'limit',
    (request) => {
      const more = 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'.repeat(10);
      again(request, 5, () => request.socket.write(more));
    },
  ],
  ['a reset before any answer', 'reset', ({ socket }) => reset(socket)],
  ['a close before any answer', 'reset', ({ socket }) => close(socket)],
  ['a reset within the body', 'reset', beginning(100, reset)],
  ['a close within the body', 'reset', beginning(100, close)],
  ['silence', 'timeout', () => {}],
  [
    'silence after the headers',
    'timeout',
    (_, response) => response.writeHead(200, { 'content-length': 5 }).flushHeaders(),
  ],
  [
    'a byte now and then',
    'timeout',
    (request, response) => {
      response.writeHead(200);
      again(request, 20, () => response.write('x'));
    },
  ],
])('%s is an error: %s', async (_, code, respond) => {
  // Only who waits for a silence to end hurries.
  const ms = code === 'timeout' ? 150 : 10_000;
  const limits = { headersMs: ms, bodyMs: ms, bodyBytes: 100_000 };
  expect(await get(respond, limits)).toMatchObject({ kind: 'error', error: { code } });
});

test('nobody there is a refusal, and so is a name that leads nowhere', async () => {
  const free = createTcpServer();
  const origin = await originOf(free);
  await new Promise((resolve) => free.close(resolve));
  const transport = networkTransport(origin);
  expect(await transport.request({ method: 'GET', path: '/', headers: {} })).toMatchObject({
    error: { code: 'refused' },
  });
  await transport.close();
});

test('what cannot be sent is an error, not a crash', async () => {
  const transport = await reach();
  const request = { method: 'GET', path: '/', headers: { authorization: 'Bearer a\nb' } };
  expect(await transport.request(request)).toMatchObject({ error: { code: 'protocol' } });
});

test('closing aborts what is under way and whatever comes later', async () => {
  handler = () => {};
  const transport = await reach();
  const hanging = transport.request({ method: 'GET', path: '/', headers: {} });
  await transport.close();
  expect(await hanging).toMatchObject({ error: { code: 'aborted' } });
  const late = await transport.request({ method: 'GET', path: '/', headers: {} });
  expect(late).toMatchObject({ error: { code: 'aborted' } });
});

/** Opens a stream and collects what it hears until it ends. */
async function listen(respond: Handler, limits: Partial<TransportLimits> = {}) {
  handler = respond;
  const transport = await reach('', limits);
  const heard: string[] = [];
  let ended: (() => void) | undefined;
  const end = new Promise<void>((resolve) => (ended = resolve));
  const opened = await transport.open(
    { method: 'GET', path: '/events', headers: { accept: 'text/event-stream' } },
    {
      chunk: (bytes) => heard.push(Buffer.from(bytes).toString('utf8')),
      end(error) {
        heard.push(error ? `<${error.code}>` : '<end>');
        ended?.();
      },
    },
  );
  return { opened, heard, end };
}

test('a stream is heard piece by piece, beyond the time that a body may take, and to its end', async () => {
  const { opened, heard, end } = await listen(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      setTimeout(() => response.end('data: 2\n\n'), 120);
    },
    { headersMs: 50, bodyMs: 50 },
  );
  expect(opened).toMatchObject({ kind: 'stream', status: 200 });
  await end;
  expect(heard.join('')).toBe('data: 1\n\ndata: 2\n\n<end>');
});

test('the opening of a stream that is silent is handed out before it is answered', async () => {
  const answers: (() => void)[] = [];
  const { opened, heard, end } = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answers.push(() => response.end('data: 1\n\n'));
  });
  if (opened.kind !== 'pending') throw new Error(`it was ${opened.kind}`);
  answers[0]?.();
  expect(await opened.answer).toMatchObject({ kind: 'stream', status: 200 });
  await end;
  expect(heard.join('')).toBe('data: 1\n\n<end>');
  // Giving up after the end changes nothing.
  opened.giveUp();
  expect(heard).toHaveLength(2);
});

test('the opening of a stream that stays silent is given up', async () => {
  const { opened } = await listen(() => {}, { streamHeadersMs: 70 });
  if (opened.kind !== 'pending') throw new Error(`it was ${opened.kind}`);
  expect(opened.waitMs).toBe(70);
  opened.giveUp();
  expect(await opened.answer).toMatchObject({
    error: { code: 'timeout', message: 'no response headers within 70 ms' },
  });
});

test('a stream that breaks off says so; a compressed one is decoded', async () => {
  const broken = await listen((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n', () => setTimeout(() => request.socket.destroy(), 20));
  });
  await broken.end;
  expect(broken.heard.at(-1)).toBe('<reset>');
  const packed = await listen((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('data: 1\n\n'));
  });
  await packed.end;
  expect(packed.heard.join('')).toBe('data: 1\n\n<end>');
});

test('a refusal, or a document in place of a stream, is a response', async () => {
  const refused = await listen((_, response) => response.writeHead(401).end('{}'));
  expect(refused.opened).toMatchObject({ kind: 'response', response: { status: 401 } });
  const document = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  expect(document.opened).toMatchObject({ kind: 'response', response: { status: 200 } });
});

test('aborting a stream is seen by the target, and nothing more is heard', async () => {
  let gone: (() => void) | undefined;
  const left = new Promise<void>((resolve) => (gone = resolve));
  const { opened, heard } = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    response.on('close', () => gone?.());
  });
  if (opened.kind === 'stream') opened.abort();
  await left;
  expect(heard).toEqual([]);
});

test.each([
  ['ftp://x', 'cannot speak ftp:'],
  ['no', 'not a URL'],
  ['http://x/?a=1', 'a base URL has no query'],
  ['http://a:b@x/', 'a base URL has no password'],
])('%s is no base URL', (url, problem) => {
  expect(parseBaseUrl(url)).toEqual({ problem });
  expect(() => networkTransport(url)).toThrow(problem);
});
