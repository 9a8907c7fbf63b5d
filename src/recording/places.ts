import { type EndpointName, endpoints, matchEndpoint, type PathParams } from '../spec/endpoints.ts';
import { type Role, roles } from '../spec/vocabulary.ts';

/** A party as the caller knows it: the address of its backend, and its role. */
export interface KnownParty {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly role?: Role;
}

/** Destination of a recorded request. */
export interface RecordedPlace {
  readonly baseUrl: string;
  /** Path relative to the base URL, without the query. */
  readonly path: string;
  readonly endpoint?: EndpointName;
  readonly params: PathParams;
}

const isBelow = (url: URL, baseUrl: string): boolean => {
  const whole = url.origin + url.pathname;
  return whole === baseUrl || whole.startsWith(`${baseUrl}/`);
};

const relativeTo = (baseUrl: string, url: URL, method: string): RecordedPlace => {
  const path = (url.origin + url.pathname).slice(baseUrl.length);
  const match = matchEndpoint(method, path);
  return { baseUrl, path, ...(match && { endpoint: match.name }), params: match?.params ?? {} };
};

/** Finds the longest end of a path that is an endpoint: the part before it is the party's base URL. */
function endpointAtEnd(method: string, url: URL): RecordedPlace | undefined {
  for (let start = 0; start !== -1; start = url.pathname.indexOf('/', start + 1)) {
    const match = matchEndpoint(method, url.pathname.slice(start));
    if (!match) continue;
    const baseUrl = url.origin + url.pathname.slice(0, start);
    return relativeTo(baseUrl, url, method);
  }
  return undefined;
}

/**
 * Destination of each request; undefined for requests to other servers (pages, scripts). Base URLs that the caller
 * knows come first. Other base URLs are the part before the path of an endpoint.
 */
export function placesOf(
  requests: readonly { readonly method: string; readonly url: URL }[],
  known: readonly KnownParty[],
): readonly (RecordedPlace | undefined)[] {
  const bases = known
    .map(({ baseUrl }) => baseUrl)
    .toSorted((one, other) => other.length - one.length);
  return requests.map(({ method, url }) => {
    if (!/^https?:$/.test(url.protocol)) return undefined;
    const base = bases.find((baseUrl) => isBelow(url, baseUrl));
    if (base !== undefined) return relativeTo(base, url, method);
    return known.length > 0 ? undefined : endpointAtEnd(method, url);
  });
}

/** Name for the party of a base URL without a name: the end of its path, or its host. */
export function nameOf(baseUrl: string): string {
  const { pathname, host } = new URL(baseUrl);
  return pathname.split('/').findLast((part) => part !== '') ?? host;
}

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value);

/** The one role that may use all of the endpoints; undefined if several may, or none. */
export function roleThatMayUse(used: Iterable<EndpointName>): Role | undefined {
  let left: readonly Role[] = roles;
  for (const name of used) {
    const allowed: readonly Role[] = endpoints[name].roles;
    if (allowed.length > 0) left = left.filter((role) => allowed.includes(role));
  }
  return left.length === 1 ? left[0] : undefined;
}
