/** Tests of exact bytes: requests as they are sent, and answers that no HTTP library would send. */
import { pendingIoHandled } from '../../src/client/http/network-connection-pool.ts';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, test } from 'vitest';
import { networkTransport } from '../../src/client/http/network-transport.ts';
import { selfSigned } from '../support/client/self-signed.ts';
import type {
  Transport,
  TransportLimits,
  WireAnswer,
  WireRequest,
} from '../../src/client/http/transport.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Answers to the nth request of all, counted from 0. */
type LineEntry = (socket: Socket, nth: number) => void;

async function portOf(server: Server): Promise<number> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => void sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function transportTo(baseUrl: string, limits: Partial<TransportLimits> = {}): Transport {
  const transport = networkTransport(baseUrl, { limits });
  closing.push(() => transport.close());
  return transport;
}

/** A server of raw bytes, and a transport to it. */
async function speaking(deed: LineEntry, limits: Partial<TransportLimits> = {}) {
  const heard: string[] = [];
  const seen = { connections: 0 };
  const server = createServer((socket) => {
    seen.connections += 1;
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const head = /^[^]*?\r\n\r\n/.exec(text)?.[0];
      const length = Number(/content-length: (\d+)/.exec(head ?? '')?.[1] ?? 0);
      if (head === undefined || text.length < head.length + length) return;
      const nth = heard.push(text) - 1;
      text = '';
      deed(socket, nth);
    });
  });
  const port = await portOf(server);
  const transport = transportTo(`http://127.0.0.1:${port}`, limits);
  const ask = (request: Partial<WireRequest> = {}): Promise<WireAnswer> =>
    transport.request({ method: 'GET', path: '/x', headers: {}, ...request });
  return {
    ask,
    transport,
    heard: () => heard.map((one) => one.replaceAll(`${port}`, 'PORT')),
    seen,
  };
}

const head = (status: string, ...headers: readonly string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
const ok = `${head('200 OK', 'content-length: 2')}ok`;
const say =
  (...texts: readonly string[]): LineEntry =>
  (socket) =>
    void socket.write(texts.join(''), 'latin1');
const told = (answer: WireAnswer): string =>
  answer.kind === 'error'
    ? `${answer.error.code}: ${answer.error.message}`
    : `${answer.response.status} ${Buffer.from(answer.response.bytes).toString('latin1')}`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a request', () => {
  it.each<[string, Partial<WireRequest>, string]>([
    [
      'has the headers that it was given, after host, connection and who we are',
      { headers: { accept: 'a/b', authorization: 'Bearer x' } },
      'GET /x HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nconnection: keep-alive\r\nuser-agent: assay\r\naccept: a/b\r\nauthorization: Bearer x\r\n\r\n',
    ],
    [
      'has its length last',
      { method: 'POST', headers: { 'content-type': 'a/b', 'x-a': 'ü' }, body: '{"ü":1}' },
      'POST /x HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nconnection: keep-alive\r\nuser-agent: assay\r\ncontent-type: a/b\r\nx-a: ü\r\ncontent-length: 8\r\n\r\n{"Ã¼":1}',
    ],
    [
      'that means to have a body says that there is none',
      { method: 'POST' },
      'POST /x HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nconnection: keep-alive\r\nuser-agent: assay\r\ncontent-length: 0\r\n\r\n',
    ],
    [
      'of any other method says nothing of a body',
      { method: 'Odd', path: '/a/../b?c=%20' },
      'Odd /a/../b?c=%20 HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nconnection: keep-alive\r\nuser-agent: assay\r\n\r\n',
    ],
    [
      'of HEAD asks for the connection to be closed',
      { method: 'HEAD', headers: { host: 'elsewhere' } },
      'HEAD /x HTTP/1.1\r\nhost: elsewhere\r\nconnection: close\r\nuser-agent: assay\r\n\r\n',
    ],
  ])('%s', async (_, request, sent) => {
    const { ask, heard } = await speaking(say(ok));
    await ask(request);
    expect(heard()).toEqual([sent]);
  });

  it.each<[string, Partial<WireRequest>]>([
    ['invalid request path', { path: '/x y' }],
    ['invalid request path', { path: '/€' }],
    ['invalid request method', { method: 'G T' }],
    ['invalid method', { method: 'CONNECT' }],
    ['invalid header key', { headers: { 'x a': '1' } }],
    ['invalid x-a header', { headers: { 'x-a': 'a\nb' } }],
    ['invalid connection header', { headers: { connection: 'a b' } }],
    ['invalid transfer-encoding header', { headers: { 'transfer-encoding': 'chunked' } }],
    ['invalid upgrade header', { headers: { upgrade: 'h2c' } }],
    ['invalid content-length header', { headers: { 'content-length': 'two' } }],
    ['expect header not supported', { headers: { expect: '100-continue' } }],
    [
      'Request body length does not match content-length header',
      { method: 'POST', headers: { 'content-length': '5' }, body: 'x' },
    ],
  ])('is not sent: %s', async (message, request) => {
    const { ask, seen } = await speaking(say(ok));
    expect(told(await ask(request))).toBe(`protocol: ${message}`);
    expect(seen.connections).toBe(0);
  });
});

describe('a connection', () => {
  it('is used again', async () => {
    const { ask, seen } = await speaking(say(ok));
    for (let n = 0; n < 5; n += 1) {
      await ask();
      await pause(10);
    }
    expect(seen.connections).toBe(1);
  });

  it.each<[string, LineEntry]>([
    ['that its target closes after each answer', (socket) => void socket.end(ok)],
    [
      'that its target closes a little after each answer',
      // Waits in turns of the loop, not in time: the connection is free again before it closes.
      (socket) => void socket.write(ok, () => void pendingIoHandled().then(() => socket.destroy())),
    ],
    [
      'that its target resets after each answer',
      (socket) => void socket.write(ok, () => socket.resetAndDestroy()),
    ],
  ])('%s loses hardly any request', async (_, deed) => {
    const { ask } = await speaking(deed);
    const answers: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      answers.push(told(await ask({ method: 'POST', body: '{}' })));
      await pause(n % 8);
    }
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let n = 0; n < 20; n += 1) answers.push(told(await ask()));
      }),
    );
    const lost = answers.filter((answer) => answer !== '200 ok');
    // On a busy host a few requests go out while the end of their connection is still on its way. A
    // pool that does not let connections rest loses a third.
    expect(lost.filter((answer) => !answer.startsWith('reset: '))).toEqual([]);
    expect(lost.length / answers.length).toBeLessThan(0.1);
  });

  it.each([
    ['for a short time, as it says', 'keep-alive: timeout=2', {}],
    ['not at all, as it says', 'connection: close', {}],
    ['after a body where none is expected', 'x: y', { body: 'x' }],
  ])('that its target keeps %s is not used again', async (_, header, request) => {
    const { ask, seen } = await speaking(say(`${head('200 OK', 'content-length: 2', header)}ok`));
    for (let n = 0; n < 3; n += 1) {
      await ask(request);
      await pause(10);
    }
    expect(seen.connections).toBe(3);
  });

  it('on which an answer comes that nobody asked for is not used again', async () => {
    const { ask, seen } = await speaking((socket) => {
      socket.write(ok);
      setTimeout(() => socket.write(ok.replace('ok', 'no')), 2);
    });
    for (let n = 0; n < 3; n += 1) {
      expect(told(await ask())).toBe('200 ok');
      await pause(50);
    }
    expect(seen.connections).toBe(3);
  });

  it('that breaks is an error, and the request is not sent again', async () => {
    const { ask, heard } = await speaking((socket, nth) =>
      nth === 0 ? void socket.write(ok) : socket.resetAndDestroy(),
    );
    await ask();
    await pause(10);
    expect(await ask()).toMatchObject({ error: { code: 'reset' } });
    expect(heard()).toHaveLength(2);
  });

  it('that rests is closed after a second', async () => {
    const { ask, seen } = await speaking(say(ok));
    await ask();
    await pause(1_200);
    await ask();
    expect(seen.connections).toBe(2);
  });
});

describe('an answer', () => {
  it('has every header, of each name all, in their order', async () => {
    const lines = [
      'X: a',
      '__proto__: p',
      'x: b',
      'Date: a',
      'date: b',
      'age: 1',
      'Age: 2',
      'l: ä',
    ];
    const { ask } = await speaking(say(`${head('200 OK', ...lines, 'content-length: 2')}ok`));
    const answer = await ask();
    const headers = answer.kind === 'response' ? Object.entries(answer.response.headers) : [];
    expect(headers).toEqual([
      ['x', 'a, b'],
      ['__proto__', 'p'],
      ['date', 'a, b'],
      ['age', '1, 2'],
      ['l', 'ä'],
      ['content-length', '2'],
    ]);
  });

  it('may have as many headers as fit', async () => {
    const lines = Array.from({ length: 1_500 }, (_, n) => `x${n}: `);
    const { ask } = await speaking(say(`${head('200 OK', ...lines, 'content-length: 2')}ok`));
    const answer = await ask();
    expect(answer.kind === 'response' && Object.keys(answer.response.headers)).toHaveLength(1_501);
  });

  it.each<[string, string, string]>([
    ['after some interim ones', head('103 Early Hints', 'link: <x>').repeat(20) + ok, '200 ok'],
    ['after 100 Continue, unasked', head('100 Continue') + ok, '200 ok'],
    ['with more behind it', `${ok}GARBAGE`, '200 ok'],
    ['with another behind it', ok + ok, '200 ok'],
    ['of a status alone', 'HTTP/1.1 204\r\ncontent-length: 2\r\n\r\n', '204 '],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', '200 ok'],
    [
      'that switches protocols',
      head('101 Switching Protocols', 'upgrade: h2c', 'connection: upgrade'),
      'protocol: it switches protocols unasked',
    ],
    [
      'that says it switches, and not to what',
      head('101 Switching Protocols'),
      'protocol: status 101 is no answer',
    ],
    [
      'with two lengths',
      `${head('200 OK', 'content-length: 2', 'content-length: 9')}ok`,
      'protocol: Response does not match the HTTP/1.1 protocol (Duplicate Content-Length)',
    ],
    [
      'with broken chunks',
      `${head('200 OK', 'transfer-encoding: chunked')}zz\r\n`,
      'protocol: Response does not match the HTTP/1.1 protocol (Invalid character in chunk size)',
    ],
    [
      'with chunks and a length',
      `${head('200 OK', 'transfer-encoding: chunked', 'content-length: 2')}2\r\nok\r\n0\r\n\r\n`,
      "protocol: Response does not match the HTTP/1.1 protocol (Content-Length can't be present with Transfer-Encoding)",
    ],
    [
      'of another protocol',
      'SSH-2.0-OpenSSH_9.7\r\n',
      'protocol: Response does not match the HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)',
    ],
    [
      'with a header that is too large',
      `${head('200 OK', `x: ${'y'.repeat(17_000)}`, 'content-length: 2')}ok`,
      'limit: answer.head_bytes is at most 16384',
    ],
  ])('%s', async (_, bytes, expected) => {
    const { ask } = await speaking(say(bytes));
    expect(told(await ask())).toBe(expected);
  });

  it.each([
    ['before the headers', 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ['within a body of known length', `${head('200 OK', 'content-length: 9')}ok`],
    [
      'within a body, though it says that it will close',
      `${head('200 OK', 'connection: close', 'content-length: 9')}ok`,
    ],
    ['within a chunk', `${head('200 OK', 'transfer-encoding: chunked')}ff\r\nok`],
  ])('that ends %s has been cut off', async (_, bytes) => {
    const { ask } = await speaking((socket) => void socket.end(bytes));
    expect(told(await ask())).toBe('reset: other side closed');
  });

  it.each([
    ['HTTP/1.1', head('200 OK')],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\n'],
  ])('of %s that names no length lasts until the connection ends', async (_, bytes) => {
    const { ask } = await speaking((socket) => void socket.end(`${bytes}ok`));
    expect(told(await ask())).toBe('200 ok');
  });
});

test('a stream that is broken by what comes with its headers ends', async () => {
  const { transport } = await speaking(
    say(`${head('200 OK', 'transfer-encoding: chunked', 'content-type: text/event-stream')}zz\r\n`),
  );
  const end = await new Promise((resolve) => {
    void transport.open({ method: 'GET', path: '/', headers: {} }, { chunk() {}, end: resolve });
  });
  expect(end).toMatchObject({ code: 'protocol' });
});

test('a stream that is silent for longer than a connection rests is still heard', async () => {
  const { transport } = await speaking((socket) => {
    socket.write(head('200 OK', 'content-type: text/event-stream'));
    setTimeout(() => socket.end('data: 1\n\n'), 1_300);
  });
  const heard: string[] = [];
  await new Promise((resolve) => {
    const chunk = (bytes: Uint8Array): void => void heard.push(Buffer.from(bytes).toString());
    void transport.open({ method: 'GET', path: '/', headers: {} }, { chunk, end: resolve });
  });
  expect(heard).toEqual(['data: 1\n\n']);
});

describe('over TLS', () => {
  const get = { method: 'GET', path: '/', headers: {} } as const;

  it('a certificate that nobody vouches for is refused, in the same words on every Node', async () => {
    const port = await portOf(createHttpsServer(selfSigned, (_, response) => void response.end()));
    const answer = await transportTo(`https://127.0.0.1:${port}`).request(get);
    expect(told(answer)).toBe('refused: self-signed certificate');
  });

  it('whoever speaks plain HTTP is refused', async () => {
    const port = await portOf(createServer((socket) => void socket.write(ok)));
    const answer = await transportTo(`https://127.0.0.1:${port}`).request(get);
    expect(told(answer)).toBe('refused: TLS failed: wrong version number');
  });

  it('a handshake that never ends is a connection that never opens', async () => {
    const port = await portOf(createServer());
    const answer = await transportTo(`https://127.0.0.1:${port}`, { connectMs: 100 }).request(get);
    expect(told(answer)).toBe('timeout: no connection within 100 ms');
  });
});
