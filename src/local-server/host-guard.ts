/** What of a request tells who sends it, and to whom. */
export interface AskedBy {
  readonly method: string;
  /** By lower-case name, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Why a request is not answered; undefined for one that is. */
export type HostGuard = (asked: AskedBy) => string | undefined;

const shownLength = 200;
const shown = (text: string): string => JSON.stringify(text.slice(0, shownLength));

/** The name in a Host header, without its port. */
const nameIn = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** No name that somebody owns: a browser never takes it for a site that lies elsewhere. */
const isAddress = (name: string): boolean => /^\[.*\]$/.test(name) || /^[\d.]+$/.test(name);
const isThisMachine = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost');

/**
 * The names by which a server may be asked: addresses, this machine, the one that it listens on, and those that are
 * allowed. Any other may be one that an attacker makes lead here (DNS rebinding). Ports tell nothing: a container may be
 * reached by another one than it listens on.
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
 * Keeps websites from a server on somebody's machine: a page may send requests to any address, though it cannot read the
 * answers. What is no browser sends no Origin, and passes.
 * @param allowed names by which it may be reached, and hosts of sites whose pages may ask it: `assay`, `localhost:5173`
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

/** The port of the scheme may be left out in either. */
function isSameHost(origin: string, host: string): boolean {
  const { protocol, host: site } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === site;
}
