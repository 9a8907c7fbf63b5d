import { Agent, type Dispatcher } from 'undici';
import { systemClock } from '../runtime/system-clock.ts';
import { baseTransport } from './base-transport.ts';
import { type Transport, type TransportLimits, usualLimits } from './transport.ts';
import { WireFault } from './wire-errors.ts';

export interface NetworkOptions {
  readonly limits?: Partial<TransportLimits>;
}

/** Where a base URL leads, or why it leads nowhere. */
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

/** A server may close a connection that rests for long: rather open a new one than have a request reset. */
const restMs = 1_000;

/** Answers of status 1xx before the real one. */
const mostInterim = 20;

/**
 * Requests over real connections, each within its deadlines and bounds; redirects are answers like any other.
 * @param baseUrl http or https, with a path or without; throws a TypeError for what `parseBaseUrl` refuses.
 */
export function networkTransport(baseUrl: string, options: NetworkOptions = {}): Transport {
  const base = parseBaseUrl(baseUrl);
  if ('problem' in base) throw new TypeError(`${baseUrl}: ${base.problem}`);
  const limits = { ...usualLimits, ...options.limits };
  const agent = new Agent({
    connect: { timeout: limits.connectMs },
    // Ours run from the first byte to the last; these only start anew with each piece.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: restMs,
    keepAliveMaxTimeout: restMs,
    pipelining: 1,
  });

  return baseTransport({
    baseUrl,
    limits,
    clock: systemClock(),
    async carry({ method, path, headers, body }, signal) {
      let interim = 0;
      const answer = await agent.request({
        origin: base.origin,
        path: `${base.prefix}${path}`,
        method: method as Dispatcher.HttpMethod,
        headers: { ...headers },
        body: body ?? null,
        signal,
        onInfo() {
          interim += 1;
          if (interim > mostInterim) throw new WireFault('protocol', 'interim answers without end');
        },
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    },
    disconnect: () => agent.destroy(),
  });
}
