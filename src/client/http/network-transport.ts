import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { ownLimits } from '../../history/limits.ts';
import type { Clock } from '../../timeline/clock/clock.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import type { CircuitBreaker } from '../circuit-breaker.ts';
import { baseTransport } from './base-transport.ts';
import {
  pendingIoHandled,
  createConnectionPool,
  type ConnectionPool,
} from './network-connection-pool.ts';
import { requestHead } from './request-head.ts';
import { proxyAddress, proxyFor, proxyHeaders, type Route, tunnelThrough } from './route.ts';
import {
  type RawAnswer,
  type Transport,
  type TransportLimits,
  defaultLimits,
} from './transport.ts';
import { WireFault } from './wire-errors.ts';

interface NetworkOptions {
  readonly limits?: Partial<TransportLimits>;
  readonly circuitBreaker?: Pick<CircuitBreaker, 'timeoutFor'>;
  readonly route?: Route | undefined;
}

/** Origin and path prefix of a base URL, or the reason why it cannot be used. */
export function parseBaseUrl(
  text: string,
): { readonly origin: string; readonly prefix: string } | { readonly problem: string } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { problem: 'not a URL' };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { problem: `cannot speak ${url.protocol}` };
  }
  if (url.search !== '' || url.hash !== '') return { problem: 'a base URL has no query' };
  if (url.username !== '' || url.password !== '') return { problem: 'a base URL has no password' };
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/** A server may close a connection that is idle for long: a new connection is better than a request that is reset. */
const idleTimeoutMs = 1_000;
/** A connection that a server keeps for at most this many seconds, by its own header, is not kept at all. */
const minKeepAliveSeconds = 2;

interface OriginConnections {
  readonly pool: ConnectionPool;
  readonly options: http.RequestOptions;
  readonly request: typeof http.request;
  /** Event that a socket emits once it can be used. */
  readonly ready: 'connect' | 'secureConnect';
  /** Headers of the route, and of a proxy that passes plain requests on. */
  readonly headers: Readonly<Record<string, string>>;
  /** Prefix of a path on a plain proxy; otherwise empty. */
  readonly pathPrefix: string;
}

async function connectionsTo(
  origin: string,
  clock: Clock,
  route: Route,
): Promise<OriginConnections> {
  const url = new URL(origin);
  const isSecure = url.protocol === 'https:';
  // A plain target does not need to load the TLS part.
  const { Agent, request } = isSecure ? await import('node:https') : http;
  const kept = { keepAlive: true, keepAliveMsecs: 60_000, timeout: idleTimeoutMs } as const;
  const { protocol, hostname, port } = urlToHttpOptions(url);
  const { headers = {}, tls } = route;
  const proxy = proxyFor(route, url)?.url;
  const passedOn = isSecure ? undefined : proxy;
  return {
    pool: createConnectionPool(() => {
      const agent = new Agent({ ...kept, ...(isSecure && { ALPNProtocols: ['http/1.1'] }) });
      return isSecure && proxy ? tunnelThrough(proxy, url, agent) : agent;
    }, clock),
    request,
    ready: isSecure ? 'secureConnect' : 'connect',
    headers: { ...headers, ...(passedOn && proxyHeaders(passedOn)) },
    pathPrefix: passedOn ? origin : '',
    // Explicit options, so that a user's NODE_OPTIONS about HTTP do not change a verdict.
    options: {
      protocol: protocol ?? null,
      hostname: hostname ?? null,
      port: port ?? null,
      ...(passedOn && { protocol: 'http:', ...proxyAddress(passedOn) }),
      ...tls,
      setHost: false,
      maxHeaderSize: ownLimits['answer.head_bytes'],
      insecureHTTPParser: false,
    },
  };
}

/** All headers by lower-case name; the values of one name in order. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const same = headers.get(name);
    if (same) same.push(value);
    else headers.set(name, [value]);
  }
  return Object.fromEntries(headers);
}

const keepAliveSecondsOf = ({ headers }: IncomingMessage): number =>
  Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1] ?? Number.POSITIVE_INFINITY);

/**
 * Calls `late` if a connection has not opened in time. First handles pending I/O: the process may have been busy
 * itself.
 */
function limitConnectTime(
  socket: Socket,
  ready: OriginConnections['ready'],
  clock: Clock,
  ms: number,
  late: () => void,
): void {
  let isWaiting = true;
  const cancel = clock.at(
    clock.now() + ms,
    () => void pendingIoHandled().then(() => isWaiting && late()),
  );
  function settled(): void {
    isWaiting = false;
    cancel();
  }
  socket.once(ready, settled).once('close', settled);
}

/** Resolves with the first answer that is not interim. Later errors are errors of its body. */
function send(
  request: ClientRequest,
  ready: OriginConnections['ready'],
  head: ReturnType<typeof requestHead>,
  signal: AbortSignal,
  connectMs: number,
  clock: Clock,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    let interim = 0;

    function fail(error: Error): void {
      reject(error);
      request.destroy();
      answer?.destroy(error);
    }

    function answered(first: IncomingMessage): void {
      const { statusCode: status = 0 } = first;
      // The reader attaches its listener too late for an error in the same packet.
      answer = first.on('error', () => {});
      if (status < 200) return fail(new WireFault('protocol', `status ${status} is no answer`));
      if (keepAliveSecondsOf(first) <= minKeepAliveSeconds) request.shouldKeepAlive = false;
      resolve({ status, headers: headersOf(first), body: first });
    }

    signal.addEventListener('abort', () => fail(new WireFault('aborted', 'given up')), {
      once: true,
    });
    request
      // An error after a complete answer does not change the answer.
      .on('error', (error) => void (answer?.complete || fail(error)))
      .on('response', answered)
      .on('information', () => {
        interim += 1;
        if (interim > ownLimits['answer.interim'])
          fail(new WireFault({ limit: 'answer.interim' }, 'interim answers without end'));
      })
      .on('upgrade', (_, socket) => {
        socket.destroy();
        fail(new WireFault('protocol', 'it switches protocols unasked'));
      })
      .on('socket', (socket) => {
        if (request.reusedSocket) return;
        const late = (): void =>
          fail(new WireFault('timeout', `no connection within ${connectMs} ms`));
        limitConnectTime(socket, ready, clock, connectMs, late);
      });
    request.maxHeadersCount = 0;
    // The head already has every header; Node must not add one.
    request.useChunkedEncodingByDefault = false;
    request.end(head.body);
    request.shouldKeepAlive = head.keepsConnection;
  });
}

/**
 * Requests over real connections, each within its deadlines and bounds; redirects are answers like any other. No
 * request is ever sent twice here.
 * @param baseUrl http or https, with a path or without; throws a TypeError for what `parseBaseUrl` refuses.
 */
export function networkTransport(baseUrl: string, options: NetworkOptions = {}): Transport {
  const base = parseBaseUrl(baseUrl);
  if ('problem' in base) throw new TypeError(`${baseUrl}: ${base.problem}`);
  const limits = { ...defaultLimits, ...options.limits };
  const { host } = new URL(base.origin);
  const clock = systemClock();
  let connections: Promise<OriginConnections> | undefined;

  return baseTransport({
    baseUrl,
    limits,
    clock,
    circuitBreaker: options.circuitBreaker,
    async dispatch(wireRequest, inFlight) {
      const signal = inFlight.signal();
      const { method } = wireRequest;
      const path = `${base.prefix}${wireRequest.path}`;
      connections ??= connectionsTo(base.origin, clock, options.route ?? {});
      const { pool, request, ready, pathPrefix, ...origin } = await connections;
      const headers = { ...origin.headers, ...wireRequest.headers };
      const head = requestHead({ ...wireRequest, path, headers }, host);
      const { agent, release } = await pool.take(wireRequest.fresh);
      try {
        if (signal.aborted) throw new WireFault('aborted', 'given up');
        const address = { ...origin.options, agent, method, path: pathPrefix + path };
        const sent = request({ ...address, headers: head.headers });
        sent.once('close', release);
        // In the case that is recorded, not in upper case.
        sent.method = method;
        return await send(sent, ready, head, signal, limits.connectMs, clock);
      } catch (error) {
        release();
        throw error;
      }
    },
    async disconnect() {
      await (await connections)?.pool.close();
    },
  });
}
