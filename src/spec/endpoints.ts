import type { ResourceName } from './resources.ts';
import type { Part, Role } from './vocabulary.ts';

/**
 * `item`: one resource in `data`. `list`: an array in `data`, with `pagination`. `stream`: server-sent events.
 * `open`: an answer that the document does not show.
 */
export type ResultKind = 'item' | 'list' | 'stream' | 'open';

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL; `{name}` stands for one path segment. */
  readonly path: string;
  /** Roles that may use it; empty if no token is needed. */
  readonly roles: readonly Role[];
  readonly result: ResultKind;
  /** Resource of the result, or of each item in it; by role if roles differ. */
  readonly resource?: ResourceName | Partial<Record<Role, ResourceName>>;
  readonly part: Part;
}

const sides = ['institution', 'custodian'] as const;
const maker = ['market-maker'] as const;
const everyone = ['institution', 'custodian', 'market-maker'] as const;

const endpoint =
  <const M extends Endpoint['method']>(method: M) =>
  <
    const P extends string,
    const R extends readonly Role[],
    const K extends ResultKind,
    const Of extends Endpoint['resource'],
  >(
    part: Part,
    path: P,
    roles: R,
    result: K,
    resource?: Of,
  ) => ({ method, path, roles, result, ...(resource !== undefined && { resource }), part });
const get = endpoint('GET');
const post = endpoint('POST');

/** Part 4, every endpoint by the name of what it does. */
export const endpoints = {
  'token.create': post('4.1', '/auth/token', [], 'item', 'token'),
  'health.read': get('4.1', '/health', [], 'open'),
  'identity.read': get('4.1', '/api/v1/whoami', everyone, 'item', 'identity'),
  'stats.read': get('4.1', '/api/v1/dashboard/stats', everyone, 'item'),
  'order.create': post('4.2', '/api/v1/orders', ['institution'], 'item', 'order'),
  'order.list': get('4.2', '/api/v1/orders', sides, 'list', 'order'),
  'order.events': get('4.2', '/api/v1/orders/events', sides, 'stream'),
  'order.read': get('4.2', '/api/v1/orders/{intent_id}', sides, 'item', 'order'),
  'order.cancel': post('4.2', '/api/v1/orders/{intent_id}/cancel', ['institution'], 'open'),
  'order.quotes': get('4.2', '/api/v1/orders/{intent_id}/quotes', sides, 'list', 'quote'),
  'proposal.accept': post('4.3', '/api/v1/orders/{intent_id}/accept', ['custodian'], 'open'),
  'quote.accept': post(
    '4.2',
    '/api/v1/orders/{intent_id}/quotes/{quote_id}/accept',
    sides,
    'item',
    { institution: 'order', custodian: 'custodian-acceptance' },
  ),
  'rfq.list': get('4.4', '/api/v1/quote-requests', maker, 'list', 'rfq'),
  'rfq.read': get('4.4', '/api/v1/quote-requests/{intent_id}', maker, 'item', 'rfq'),
  'quote.submit': post(
    '4.4',
    '/api/v1/quote-requests/{intent_id}/quotes',
    maker,
    'item',
    'own-quote',
  ),
  'rfq.quotes': get('4.4', '/api/v1/quote-requests/{intent_id}/quotes', maker, 'list', 'own-quote'),
  'quote.list': get('4.4', '/api/v1/quotes', maker, 'list', 'own-quote'),
  'settlement.list': get('4.4', '/api/v1/settlements', maker, 'list', 'settlement'),
  'settlement.read': get('4.4', '/api/v1/settlements/{intent_id}', maker, 'item', 'settlement'),
  'maker.events': get('4.4', '/api/v1/events', maker, 'stream'),
} as const satisfies Record<string, Endpoint>;
export type EndpointName = keyof typeof endpoints;
export const endpointNames = Object.keys(endpoints) as EndpointName[];

export type PathParams = { readonly intent_id?: string; readonly quote_id?: string };

/** A text as it stands in a URL. Half of a surrogate pair has no place there, though a JSON string may hold one. */
export const percentEncoded = (value: string): string =>
  encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));

/** The path of an endpoint with its parameters filled in and percent-encoded. */
export function pathOf(name: EndpointName, params: PathParams = {}): string {
  return endpoints[name].path.replace(/\{(\w+)\}/g, (_, key: keyof PathParams) =>
    percentEncoded(params[key] ?? ''),
  );
}

const segments = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Endpoint that a method and a path (relative, no query) name; literal segments win over parameters. */
export function matchEndpoint(
  method: string,
  path: string,
): { readonly name: EndpointName; readonly params: PathParams } | undefined {
  const given = segments(path);
  let best: { name: EndpointName; params: PathParams; literals: number } | undefined;
  for (const name of endpointNames) {
    const endpoint = endpoints[name];
    const pattern = segments(endpoint.path);
    if (endpoint.method !== method || pattern.length !== given.length) continue;
    const params: Record<string, string> = {};
    let literals = 0;
    const fits = pattern.every((part, index) => {
      const value = given[index] ?? '';
      if (!part.startsWith('{')) {
        literals += 1;
        return part === value;
      }
      params[part.slice(1, -1)] = value;
      return true;
    });
    if (fits && (!best || literals > best.literals)) best = { name, params, literals };
  }
  return best && { name: best.name, params: best.params };
}
