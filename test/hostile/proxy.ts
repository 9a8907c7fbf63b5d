import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { closeServer, originOf, whole } from '../support/network/gateway.ts';

/** An answer of the good backend behind a front, read whole. */
export interface Relayed {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** One request to a front. */
export interface ProxiedRequest {
  readonly method: string;
  /** Name of the party whose backend is asked. */
  readonly party: string;
  /** Relative to the party's base URL, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** As they are passed on: to be changed for that. */
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  readonly body: string;
  /** For what no HTTP server would send. */
  readonly socket: Socket;
  /** Number of earlier requests to the backend of this party. */
  readonly before: number;
  /** The time of the backend behind the front. */
  readonly now: () => number;
  /** Passes the request on and hands the answer over. Not for streams. */
  relay(): Promise<Relayed>;
  /** Calls back so often until the visitor has gone. */
  every(ms: number, work: () => void): void;
}

/** Reaction of the proxy to a request; `pass` sends it on to the good backend. */
export type Behaviour = (
  visit: ProxiedRequest,
) => 'pass' | undefined | void | Promise<'pass' | undefined | void>;

export interface HostileProxy {
  readonly origin: string;
  readonly visits: () => number;
  close(): Promise<void>;
}

/** Stands before a good backend, passes on what it is not asked to spoil, streams among it. */
export async function startHostileProxy(
  behind: string,
  behaviour: Behaviour,
  now: () => number = Date.now,
): Promise<HostileProxy> {
  const { hostname, port } = new URL(behind);
  let visits = 0;
  const timers = new Set<NodeJS.Timeout>();

  function ask(
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { method, url: path, headers } = incoming;
      const { connection: _, 'transfer-encoding': __, ...rest } = headers;
      const outgoing = request({ hostname, port, method, path, headers: rest }, resolve);
      outgoing.on('error', reject);
      response.once('close', () => outgoing.destroy());
      outgoing.end(body);
    });
  }

  async function pass(
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const answer = await ask(incoming, body, response);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.on('close', () => answer.destroy());
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', behind);
    const body = await whole(incoming);
    const visit: ProxiedRequest = {
      method: incoming.method ?? 'GET',
      party: url.pathname.split('/')[1] ?? '',
      path: url.pathname.replace(/^\/[^/]+/, ''),
      query: url.searchParams,
      headers: incoming.headers,
      response,
      body: body.toString('utf8'),
      socket: incoming.socket,
      before: visits++,
      now,
      async relay() {
        const answer = await ask(incoming, body, response);
        const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers;
        return {
          status: answer.statusCode ?? 0,
          headers: headers as Record<string, string>,
          body: (await whole(answer)).toString('utf8'),
        };
      },
      every(ms, work) {
        const timer = setInterval(work, ms);
        timers.add(timer);
        incoming.socket.setMaxListeners(0).once('close', () => {
          clearInterval(timer);
          timers.delete(timer);
        });
      },
    };
    if ((await behaviour(visit)) === 'pass') await pass(incoming, body, response);
  }

  const server = createServer({ maxHeaderSize: 4 * 1024 * 1024 }, (incoming, response) => {
    response.on('error', () => {});
    serve(incoming, response).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => socket.on('error', () => {}));
  server.on('clientError', (_, socket) => socket.destroy());
  return {
    origin: await originOf(server),
    visits: () => visits,
    close() {
      for (const timer of timers) clearInterval(timer);
      return closeServer(server);
    },
  };
}
