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
  /** Roles that may use it; empty where no token is needed. */
  readonly roles: readonly Role[];
  readonly result: ResultKind;
  /** What the result or each item of it is, by role where roles differ. */
  readonly resource?: ResourceName | Partial<Record<Role, ResourceName>>;
  readonly part: Part;
}

const sides = ['institution', 'custodian'] as const;
const maker = ['market-maker'] as const;
const everyone = ['institution', 'custodian', 'market-maker'] as const;

/** Part 4, every endpoint by the name of what it does. */
export const endpoints = {
  'token.create': {
    method: 'POST',
    path: '/auth/token',
    roles: [],
    result: 'item',
    resource: 'token',
    part: '4.1',
  },
  'health.read': { method: 'GET', path: '/health', roles: [], result: 'open', part: '4.1' },
  'identity.read': {
    method: 'GET',
    path: '/api/v1/whoami',
    roles: everyone,
    result: 'item',
    resource: 'identity',
    part: '4.1',
  },
  'stats.read': {
    method: 'GET',
    path: '/api/v1/dashboard/stats',
    roles: everyone,
    result: 'item',
    part: '4.1',
  },
  'order.create': {
    method: 'POST',
    path: '/api/v1/orders',
    roles: ['institution'],
    result: 'item',
    resource: 'order',
    part: '4.2',
  },
  'order.list': {
    method: 'GET',
    path: '/api/v1/orders',
    roles: sides,
    result: 'list',
    resource: 'order',
    part: '4.2',
  },
  'order.events': {
    method: 'GET',
    path: '/api/v1/orders/events',
    roles: sides,
    result: 'stream',
    part: '4.2',
  },
  'order.read': {
    method: 'GET',
    path: '/api/v1/orders/{intent_id}',
    roles: sides,
    result: 'item',
    resource: 'order',
    part: '4.2',
  },
  'order.cancel': {
    method: 'POST',
    path: '/api/v1/orders/{intent_id}/cancel',
    roles: ['institution'],
    result: 'open',
    part: '4.2',
  },
  'order.quotes': {
    method: 'GET',
    path: '/api/v1/orders/{intent_id}/quotes',
    roles: sides,
    result: 'list',
    resource: 'quote',
    part: '4.2',
  },
  'proposal.accept': {
    method: 'POST',
    path: '/api/v1/orders/{intent_id}/accept',
    roles: ['custodian'],
    result: 'open',
    part: '4.3',
  },
  'quote.accept': {
    method: 'POST',
    path: '/api/v1/orders/{intent_id}/quotes/{quote_id}/accept',
    roles: sides,
    result: 'item',
    resource: { institution: 'order', custodian: 'custodian-acceptance' },
    part: '4.2',
  },
  'rfq.list': {
    method: 'GET',
    path: '/api/v1/quote-requests',
    roles: maker,
    result: 'list',
    resource: 'rfq',
    part: '4.4',
  },
  'rfq.read': {
    method: 'GET',
    path: '/api/v1/quote-requests/{intent_id}',
    roles: maker,
    result: 'item',
    resource: 'rfq',
    part: '4.4',
  },
  'quote.submit': {
    method: 'POST',
    path: '/api/v1/quote-requests/{intent_id}/quotes',
    roles: maker,
    result: 'item',
    resource: 'own-quote',
    part: '4.4',
  },
  'rfq.quotes': {
    method: 'GET',
    path: '/api/v1/quote-requests/{intent_id}/quotes',
    roles: maker,
    result: 'list',
    resource: 'own-quote',
    part: '4.4',
  },
  'quote.list': {
    method: 'GET',
    path: '/api/v1/quotes',
    roles: maker,
    result: 'list',
    resource: 'own-quote',
    part: '4.4',
  },
  'settlement.list': {
    method: 'GET',
    path: '/api/v1/settlements',
    roles: maker,
    result: 'list',
    resource: 'settlement',
    part: '4.4',
  },
  'settlement.read': {
    method: 'GET',
    path: '/api/v1/settlements/{intent_id}',
    roles: maker,
    result: 'item',
    resource: 'settlement',
    part: '4.4',
  },
  'maker.events': {
    method: 'GET',
    path: '/api/v1/events',
    roles: maker,
    result: 'stream',
    part: '4.4',
  },
} as const satisfies Record<string, Endpoint>;
export type EndpointName = keyof typeof endpoints;
export const endpointNames = Object.keys(endpoints) as EndpointName[];

export type PathParams = { readonly intent_id?: string; readonly quote_id?: string };

/** Half of a surrogate pair has no place in a URL, though a JSON string may hold one. */
const encoded = (value: string): string =>
  encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));

/** The path of an endpoint with its parameters filled in and percent-encoded. */
export function pathOf(name: EndpointName, params: PathParams = {}): string {
  return endpoints[name].path.replace(/\{(\w+)\}/g, (_, key: keyof PathParams) =>
    encoded(params[key] ?? ''),
  );
}

const segments = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Which endpoint a method and a path (relative, no query) name; literal segments win over parameters. */
export function matchEndpoint(
  method: string,
  path: string,
): { readonly name: EndpointName; readonly params: PathParams } | undefined {
  const given = segments(path);
  let best: { name: EndpointName; params: PathParams; literals: number } | undefined;
  for (const name of endpointNames) {
    const endpoint = endpoints[name];
    const wanted = segments(endpoint.path);
    if (endpoint.method !== method || wanted.length !== given.length) continue;
    const params: Record<string, string> = {};
    let literals = 0;
    const fits = wanted.every((part, index) => {
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
