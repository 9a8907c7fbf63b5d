import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { openTunnel, proxyFor, type Route } from '../client/http/route.ts';
import { connect as connectSecurely, TLSSocket } from 'node:tls';
import { knownHosts } from '../local-server/host-guard.ts';
import { createRequestPassage, type RequestPassage } from './host-header.ts';
import type { ConnectionTap, Tap } from './tap.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name leads nowhere',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'it did not answer in time',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
};

/** Header of the proxy's own answers. No backend's answer has it. */
const ownHeader = 'assay-proxy';

/**
 * The answer to a client if the backend cannot be reached: 502, with the proxy's mark and the reason.
 * @param code of the host's error
 */
function unreachableAnswer(method: string, code: string): string {
  const body = JSON.stringify({
    type: 'about:blank',
    title: 'Bad Gateway',
    status: 502,
    detail: `assay proxy could not reach the backend: ${reasons[code] ?? code}`,
    answered_by: 'assay proxy',
  });
  return [
    'HTTP/1.1 502 Bad Gateway',
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `${ownHeader}: unreachable`,
    'connection: close',
    '',
    method === 'HEAD' ? '' : body,
  ].join('\r\n');
}

export interface RelayOptions {
  readonly party: string;
  /** Base URL of the backend, with a path or without. */
  readonly baseUrl: string;
  readonly listen: {
    readonly host: string;
    readonly port: number;
    readonly allowedHosts?: readonly string[] | undefined;
  };
  readonly tap: Tap;
  /** Route to the backend: TLS material, a proxy. The headers are those of each client. */
  readonly route?: Omit<Route, 'headers'>;
}

/** One listening port for the backend of one party. */
export interface Relay {
  readonly party: string;
  /** The proxy's own base URL, with the path of the backend's. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

interface Backend {
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** Host of the backend, as a client names it. */
  readonly host: string;
}

function backendOf(baseUrl: string): Backend {
  const { protocol, hostname, port, host } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  return {
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    isSecure,
    host,
  };
}

const half = { allowHalfOpen: true, noDelay: true } as const;

/** Opens a connection to the backend. The socket is destroyed if the proxy on the way does not open one. */
async function reach(
  baseUrl: URL,
  { hostname, port, isSecure }: Backend,
  route: Route,
): Promise<Socket> {
  const proxy = proxyFor(route, baseUrl)?.url;
  let tunnel: Socket | undefined;
  try {
    tunnel = proxy && (await openTunnel(proxy, baseUrl));
  } catch (error) {
    return new Socket().destroy(error as Error);
  }
  if (!isSecure) return tunnel ?? connect({ host: hostname, port, ...half });
  const socket = connectSecurely({
    ...(tunnel ? { socket: tunnel } : { host: hostname, port }),
    servername: hostname,
    ...route.tls,
    ALPNProtocols: ['http/1.1'],
    ...half,
  });
  return socket.setNoDelay(true);
}

/** Breaks a connection off, so that the other side sees a reset. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Writes the pieces. If the receiver's buffer is full, pauses the sender until it has drained. */
function write(pieces: readonly Buffer[], to: Socket, from: Socket): void {
  if (!to.writable) return;
  if (pieces.length > 1) to.cork();
  let isTaken = true;
  for (const piece of pieces) isTaken = to.write(piece);
  if (pieces.length > 1) to.uncork();
  if (isTaken || from.isPaused()) return;
  from.pause();
  to.once('drain', () => from.resume());
}

/** Joins a client to the backend: bytes and ends of each side are passed on to the other. */
function join(
  client: Socket,
  backend: Socket,
  passage: RequestPassage,
  tap: ConnectionTap,
  isClosing: () => boolean,
): void {
  let isReached = false;
  let unreachable: string | undefined;
  let endedBy: 'client' | 'backend' | undefined;
  let wasReset = false;
  const closed = new Set<Socket>();

  function refuse(): void {
    const method = passage.firstMethod();
    if (unreachable === undefined || method === undefined || client.writableEnded) return;
    client.end(unreachableAnswer(method, unreachable));
    tap.over({ kind: 'unreachable', reason: unreachable });
  }

  function onClosed(socket: Socket, hadError: boolean): void {
    closed.add(socket);
    const [by, other] =
      socket === client ? (['client', backend] as const) : (['backend', client] as const);
    // A connection that the proxy itself ends was not ended by the backend.
    endedBy ??= isClosing() ? 'client' : by;
    wasReset ||= hadError && !isClosing();
    if (!closed.has(other)) {
      if (hadError) reset(other);
      else if (other.writableLength > 0) other.destroySoon();
      else other.destroy();
    }
    if (closed.size === 2) tap.over({ kind: 'closed', by: endedBy, reset: wasReset });
  }

  client.on('data', (bytes: Buffer) => {
    const pieces = passage.feed(bytes);
    if (unreachable !== undefined) {
      tap.request(bytes);
      return refuse();
    }
    write(pieces, backend, client);
    tap.request(bytes);
  });
  backend.on('data', (bytes: Buffer) => {
    write([bytes], client, backend);
    tap.answer(bytes);
  });
  client.on('end', () => {
    endedBy ??= 'client';
    if (unreachable === undefined) backend.end();
    else client.end();
  });
  backend.on('end', () => {
    endedBy ??= 'backend';
    client.end();
  });
  backend.once(
    backend instanceof TLSSocket ? 'secureConnect' : 'connect',
    () => (isReached = true),
  );
  backend.on('error', (error: NodeJS.ErrnoException) => {
    if (isReached) return;
    unreachable = error.code ?? error.message;
    refuse();
  });
  // The `close` event reports the error.
  client.on('error', () => {});
  client.on('close', (hadError) => onClosed(client, hadError));
  backend.on('close', (hadError) => {
    // The client still gets the proxy's own answer.
    if (unreachable !== undefined) closed.add(backend);
    else onClosed(backend, hadError);
  });
}

/**
 * Listens for the clients of one party. Joins each connection to a new connection to the backend. Bytes are passed on
 * as they come; for the one header that changes see `createRequestPassage`. Rejects if the port cannot be opened.
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { party, baseUrl, listen, tap, route = {} } = options;
  const target = backendOf(baseUrl);
  const isKnown = knownHosts(listen.host, listen.allowedHosts ?? []);
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  let isClosing = false;
  async function serve(client: Socket): Promise<void> {
    const port = client.localPort ?? 0;
    // An error before the two sides are joined shows as a destroyed client below.
    track(client).on('error', () => {});
    const backend = track(await reach(new URL(baseUrl), target, route));
    if (client.destroyed) return void backend.destroy();
    const passage = createRequestPassage({ port, isKnown }, target.host);
    join(client, backend, passage, tap.open(party), () => isClosing);
  }
  const server = createServer(half, (client) => void serve(client));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(listen.port, listen.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const shown = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  return {
    party,
    baseUrl: `http://${shown}:${port}${new URL(baseUrl).pathname.replace(/\/+$/, '')}`,
    async close() {
      isClosing = true;
      const listening = new Promise((resolve) => server.close(resolve));
      const open = [...sockets].map(
        (socket) => new Promise((resolve) => socket.once('close', resolve)),
      );
      for (const socket of sockets) socket.destroy();
      await Promise.all([listening, ...open]);
    },
  };
}
