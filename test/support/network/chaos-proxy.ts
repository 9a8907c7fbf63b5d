import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Random } from '../../../src/random/random.ts';
import { closeServer, originOf, whole } from './gateway.ts';

/** One way in which a network between a client and a correct backend spoils an exchange. */
export const chaosKinds = [
  'reset before the request is passed on',
  'reset after it was passed on',
  'close after the headers',
  'body of a length cut midway',
  'chunked body cut midway',
  'late answer',
  '502 before the request is passed on',
  '504 after it was passed on',
  'interim answers first',
  'connection closed once it is idle',
  'all connections closed',
] as const;
export type ChaosKind = (typeof chaosKinds)[number];

export interface ChaosOptions {
  /** The backend behind it. */
  readonly origin: string;
  readonly random: Random;
  /** Share of spoilt exchanges: 0.01 is one in a hundred. A stream counts once a second. */
  readonly share: number;
  readonly kinds?: readonly ChaosKind[];
  /** Number of exchanges after which it refuses all connections. */
  readonly goneAfter?: number;
  readonly onGone?: () => void;
}

export interface ChaosProxy {
  readonly origin: string;
  /** Number of faults of each kind so far. */
  readonly done: ReadonlyMap<ChaosKind | 'stream cut', number>;
  close(): Promise<void>;
}

/** Runs before an answer is passed on. If it answers the client itself, the answer is dropped. */
type Spoil = (answer: IncomingMessage, bytes: Buffer) => void | Promise<void>;

const lateMs = 400;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Stands between a client and a correct backend, and spoils exchanges at random. */
export async function startChaosProxy(options: ChaosOptions): Promise<ChaosProxy> {
  const { random, share, kinds = chaosKinds } = options;
  const { hostname, port } = new URL(options.origin);
  const agent = new Agent({ keepAlive: true });
  /** Something raw was written to them: nothing else is. */
  const spoiltSockets = new WeakSet<Socket>();
  const done = new Map<ChaosKind | 'stream cut', number>();
  const count = (kind: ChaosKind | 'stream cut'): void => {
    done.set(kind, (done.get(kind) ?? 0) + 1);
  };

  function ask(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { method, url: path, headers } = incoming;
      const { connection: _, ...rest } = headers;
      request({ hostname, port, method, path, headers: rest, agent }, resolve)
        .on('error', reject)
        .end(body);
    });
  }

  function passStream(answer: IncomingMessage, response: ServerResponse): void {
    // Left open, it would be a reader that never reads.
    if (response.destroyed) return void answer.destroy();
    response.writeHead(answer.statusCode ?? 200, answer.headers).flushHeaders();
    const cutter = setInterval(() => {
      if (!random.chance(share)) return;
      count('stream cut');
      response.destroy();
    }, 1_000);
    response.on('close', () => {
      clearInterval(cutter);
      answer.destroy();
    });
    answer.on('error', () => response.destroy()).on('aborted', () => response.destroy());
    answer.pipe(response);
  }

  async function pass(
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    spoil: Spoil = () => {},
  ): Promise<void> {
    const answer = await ask(incoming, body);
    if (answer.headers['content-type']?.startsWith('text/event-stream')) {
      return passStream(answer, response);
    }
    const bytes = await whole(answer);
    await spoil(answer, bytes);
    if (response.destroyed || response.headersSent || spoiltSockets.has(incoming.socket)) return;
    const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, headers).end(bytes);
  }

  /** Raw, so that no library mends it. */
  function cut(
    socket: Socket,
    { statusCode = 200 }: IncomingMessage,
    header: string,
    bytes: Buffer,
  ): void {
    spoiltSockets.add(socket);
    const head = `HTTP/1.1 ${statusCode} Spoilt\r\ncontent-type: application/json`;
    socket.write(`${head}\r\n${header}\r\n\r\n`);
    socket.write(bytes.subarray(0, bytes.length >> 1), () => setTimeout(() => socket.destroy(), 5));
  }

  async function spoilt(
    kind: ChaosKind,
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const { socket } = incoming;
    const answers = (status: number): void => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>proxy</h1>');
    };
    const passed = (then: Spoil) => pass(incoming, body, response, then);
    switch (kind) {
      case 'reset before the request is passed on':
        return void socket.resetAndDestroy();
      case 'reset after it was passed on':
        return passed(() => void socket.resetAndDestroy());
      case 'close after the headers':
        return passed((answer, bytes) =>
          cut(socket, answer, `content-length: ${bytes.length + 1}`, Buffer.alloc(0)),
        );
      case 'body of a length cut midway':
        return passed((answer, bytes) =>
          cut(socket, answer, `content-length: ${bytes.length + 1}`, bytes),
        );
      case 'chunked body cut midway':
        return passed((answer, bytes) =>
          cut(
            socket,
            answer,
            'transfer-encoding: chunked',
            Buffer.concat([Buffer.from(`${(bytes.length + 1).toString(16)}\r\n`), bytes]),
          ),
        );
      case 'late answer':
        return passed(() => sleep(lateMs));
      case '502 before the request is passed on':
        return answers(502);
      case '504 after it was passed on':
        return passed(() => answers(504));
      case 'interim answers first':
        response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
        response.writeProcessing();
        return pass(incoming, body, response);
      case 'connection closed once it is idle':
        response.once('finish', () => setTimeout(() => socket.destroy(), 20));
        return pass(incoming, body, response);
      case 'all connections closed':
        server.closeAllConnections();
    }
  }

  let exchanges = 0;
  function leave(): void {
    void closeServer(server);
    options.onGone?.();
  }

  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, response) => {
    exchanges += 1;
    if (exchanges === options.goneAfter) return leave();
    response.on('error', () => {});
    const kind = random.chance(share) ? random.pick(kinds) : undefined;
    const serve = async (): Promise<void> => {
      const body = await whole(incoming);
      if (kind === undefined) return pass(incoming, body, response);
      count(kind);
      return spoilt(kind, incoming, body, response);
    };
    serve().catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => socket.on('error', () => {}));
  return {
    origin: await originOf(server),
    done,
    close() {
      agent.destroy();
      return closeServer(server);
    },
  };
}
