import http, { type Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import { WireFault } from './wire-errors.ts';

/** TLS material of a client, in PEM, with the member names of Node. */
export type TlsMaterial = Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key' | 'passphrase' | 'servername' | 'rejectUnauthorized'
>;

/** An HTTP proxy, and where it is configured: a variable of the environment, or the target file. */
export interface Proxy {
  readonly url: URL;
  readonly source: string;
}

/**
 * One proxy for every address, or the environment variables that decide. Plain data, so that a thread can be given it.
 */
export type ProxyRules =
  | { readonly url: string; readonly source: string }
  | { readonly env: Environment };

type Environment = Readonly<Record<string, string | undefined>>;

/** Route of requests to an address: headers for a gateway, TLS material, a proxy. */
export interface Route {
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls?: TlsMaterial;
  /** Rules for the use of a proxy; absent: none is used. */
  readonly proxy?: ProxyRules;
}

/** Notes for a report: the hosts that are reached through each proxy, and a certificate that is not checked. */
export function routeNotes(
  ways: readonly { readonly url: URL; readonly route: Route }[],
): string[] {
  const hosts = new Map<string, Set<string>>();
  for (const { url, route } of ways) {
    const proxy = proxyFor(route, url);
    if (!proxy) continue;
    const name = `the proxy ${proxy.url.protocol}//${proxy.url.host} (${proxy.source})`;
    hosts.set(name, (hosts.get(name) ?? new Set()).add(url.host));
  }
  const isInsecure = ways.some(
    ({ url, route }) => url.protocol === 'https:' && route.tls?.rejectUnauthorized === false,
  );
  return [
    ...[...hosts].map(([name, some]) => `${[...some].join(', ')}: reached through ${name}`),
    ...(isInsecure ? ['insecure: certificates were not verified'] : []),
  ];
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** Address of a proxy, as options of a request. */
export const proxyAddress = (proxy: URL) => ({
  hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
  port: portOf(proxy),
});

/** The credentials in the address of a proxy, as a header. */
export function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

type Opened = (error: Error | null, socket?: Duplex) => void;

/** Opens a connection to an address through a proxy (CONNECT). Rejects if the proxy does not open it. */
export async function openTunnel(proxy: URL, target: URL): Promise<Socket> {
  const authority = `${target.hostname}:${portOf(target)}`;
  const { request } = proxy.protocol === 'https:' ? await import('node:https') : http;
  return new Promise((resolve, reject) => {
    request({
      ...proxyAddress(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyHeaders(proxy) },
      agent: false,
    })
      .once('connect', ({ statusCode = 0 }, socket) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        const what = `the proxy ${proxy.host} answered ${statusCode} to CONNECT ${authority}`;
        reject(new WireFault('refused', what));
      })
      .once('error', reject)
      .end();
  });
}

/** Makes an agent open its connections through a tunnel, with TLS to the target inside the tunnel. */
export function tunnelThrough(proxy: URL, target: URL, agent: Agent): Agent {
  async function createConnection(options: ConnectionOptions, opened: Opened): Promise<void> {
    const { connect } = await import('node:tls');
    opened(null, connect({ ...options, socket: await openTunnel(proxy, target) }));
  }
  return Object.assign(agent, {
    createConnection: (options: ConnectionOptions, opened: Opened) =>
      void createConnection(options, opened).catch(opened),
  });
}

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

/**
 * True if an entry of NO_PROXY matches the address. Forms: `*`, a host, a domain with or without its dot, each with or
 * without a port.
 */
function names(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const [, host = '', wanted] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (wanted !== undefined && wanted !== String(portOf(url))) return false;
  const domain = host.replace(/^\*?\./, '').toLowerCase();
  return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
}

/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for an address, in upper or lower case. Addresses of this
 * machine are reached directly.
 */
export function environmentProxy(env: Environment, url: URL): Proxy | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const except = (env['NO_PROXY'] ?? env['no_proxy'] ?? '').split(/[\s,]+/).filter(Boolean);
  if (except.some((entry) => names(entry, url))) return undefined;
  const upper = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = [upper, upper.toLowerCase()].find((name) => (env[name] ?? '') !== '');
  if (variable === undefined) return undefined;
  const given = env[variable] ?? '';
  const address = given.includes('://') ? given : `http://${given}`;
  return URL.canParse(address) ? { source: variable, url: new URL(address) } : undefined;
}

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/** The rules that the environment sets. */
export const environmentRules = (env: Environment): ProxyRules => ({
  env: Object.fromEntries(proxyVariables.map((name) => [name, env[name]])),
});

/** Proxy variables that are set in the environment, without NO_PROXY. */
export const proxyVariablesIn = (env: Environment): readonly string[] =>
  proxyVariables.filter((name) => name.toUpperCase() !== 'NO_PROXY' && (env[name] ?? '') !== '');

/** The proxy of a route for an address; undefined: requests go there directly. */
export function proxyFor({ proxy }: Route, url: URL): Proxy | undefined {
  if (!proxy) return undefined;
  if ('env' in proxy) return environmentProxy(proxy.env, url);
  return { url: new URL(proxy.url), source: proxy.source };
}
