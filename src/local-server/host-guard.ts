/** Parts of a request that show its sender and its destination. */
export interface AskedBy {
  readonly method: string;
  /** By lower-case name, in Node's form. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Returns the reason to refuse a request; undefined if it may be answered. */
export type HostGuard = (asked: AskedBy) => string | undefined;

const shownLength = 200;
const shown = (text: string): string => JSON.stringify(text.slice(0, shownLength));

/** The name in a Host header, without its port. */
const nameIn = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** True for an address. Nobody owns it as a name, so a browser never takes it for a site elsewhere. */
const isAddress = (name: string): boolean => /^\[.*\]$/.test(name) || /^[\d.]+$/.test(name);
const isThisMachine = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost');

/**
 * Checks the host name of a request. Known names: addresses, this machine, the name that the server listens on, and the
 * allowed names. An attacker can make any other name lead here (DNS rebinding). Ports say nothing: a container may be
 * reached by another port than the one that it listens on.
 */
export function knownHosts(
  listening: string,
  allowed: readonly string[],
): (host: string) => boolean {
  const names = new Set([listening, ...allowed].map(nameIn));
  return (host) => {
    const name = nameIn(host);
    return isAddress(name) || isThisMachine(name) || names.has(name);
  };
}

function hostOfOrigin(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * Protects a server on a user's machine from websites: a page may send requests to any address, although it cannot read
 * the answers. A client that is no browser sends no Origin, and passes.
 * @param allowed names by which the server may be reached, and hosts of sites whose pages may call it: `assay`,
 * `localhost:5173`
 */
export function hostGuard(listening: string, allowed: readonly string[] = []): HostGuard {
  const isKnown = knownHosts(listening, allowed);
  const sites = new Set(allowed.map((one) => one.toLowerCase()));
  const isAllowedSite = (host: string): boolean => sites.has(host) || sites.has(nameIn(host));
  return ({ method, headers }) => {
    const { host, origin } = headers;
    if (typeof host === 'string' && !isKnown(host)) {
      return `this server does not answer to the name ${shown(nameIn(host))}; if it should, start it with --allow-host ${nameIn(host).slice(0, shownLength)}`;
    }
    if (typeof origin === 'string') {
      const site = hostOfOrigin(origin);
      const isOwn = site !== undefined && typeof host === 'string' && isSameHost(origin, host);
      if (isOwn || (site !== undefined && isAllowedSite(site))) return undefined;
      return `a page of ${shown(origin)} asks this server; ${site ? `if it may, start it with --allow-host ${site.slice(0, shownLength)}` : 'open the page from an address of its own'}`;
    }
    const site = headers['sec-fetch-site'];
    const isOpened = headers['sec-fetch-mode'] === 'navigate' && method === 'GET';
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpened)
      return 'a page of another site asks this server; open its address itself';
    return undefined;
  };
}

/** Origin or host may leave out the default port of the scheme. */
function isSameHost(origin: string, host: string): boolean {
  const { protocol, host: site } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === site;
}
