import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { streamEndpoint, streamOf } from '../../spec/events.ts';
import type { ResourceName } from '../../spec/resources.ts';
import type { Role } from '../../spec/vocabulary.ts';
import { listAnswer, rawAnswer, resourceType, stream, type Type, unknown } from './types.ts';

/** The keys of an action step that only some actions take. */
export type ActionKey =
  | 'of'
  | 'for'
  | 'quote'
  | 'with'
  | 'without'
  | 'as_is'
  | 'where'
  | 'page'
  | 'page_size'
  | 'limit_to'
  | 'on'
  | 'token'
  | 'method'
  | 'path'
  | 'query'
  | 'headers'
  | 'body'
  | 'raw_body';

export interface Action {
  /** For the docs: what it does. */
  readonly does: string;
  /** `raw`: any request. `drop` and `resume`: what becomes of the party's own stream. */
  readonly endpoint: EndpointName | 'events' | 'raw' | 'drop' | 'resume';
  readonly needs: readonly ActionKey[];
  readonly takes: readonly ActionKey[];
}

const paging = ['where', 'page', 'page_size', 'token'] as const;
const pages = ['page', 'page_size', 'token'] as const;

/** Everything that a party can do, by the words for it. There is one for each endpoint of part 4. */
const actions = {
  'get token': {
    does: 'asks its backend for a token',
    endpoint: 'token.create',
    needs: [],
    takes: [],
  },
  'check health': {
    does: 'asks whether its backend is up',
    endpoint: 'health.read',
    needs: [],
    takes: [],
  },
  'who am I': {
    does: 'asks for its identity',
    endpoint: 'identity.read',
    needs: [],
    takes: ['token'],
  },
  'read stats': {
    does: 'reads its dashboard stats',
    endpoint: 'stats.read',
    needs: [],
    takes: ['token'],
  },
  'create order': {
    does: 'creates an order; what `with` leaves out is filled in',
    endpoint: 'order.create',
    needs: [],
    takes: ['with', 'without', 'as_is', 'token'],
  },
  'list orders': {
    does: 'lists its orders',
    endpoint: 'order.list',
    needs: [],
    takes: paging,
  },
  'read order': { does: 'reads an order', endpoint: 'order.read', needs: ['of'], takes: ['token'] },
  'cancel order': {
    does: 'cancels an order',
    endpoint: 'order.cancel',
    needs: ['of'],
    takes: ['token'],
  },
  'list quotes': {
    does: 'lists the quotes of an order; a maker, its own',
    endpoint: 'order.quotes',
    needs: ['of'],
    takes: pages,
  },
  'accept proposal': {
    does: 'accepts an order proposal',
    endpoint: 'proposal.accept',
    needs: ['of'],
    takes: ['token'],
  },
  'accept quote': {
    does: 'accepts a quote',
    endpoint: 'quote.accept',
    needs: ['quote'],
    takes: ['of', 'token'],
  },
  'list requests': {
    does: 'lists the active requests for quote',
    endpoint: 'rfq.list',
    needs: [],
    takes: pages,
  },
  'read request': {
    does: 'reads a request for quote',
    endpoint: 'rfq.read',
    needs: ['of'],
    takes: ['token'],
  },
  'submit quote': {
    does: 'quotes on a request; what `with` leaves out is filled in',
    endpoint: 'quote.submit',
    needs: ['for'],
    takes: ['with', 'without', 'as_is', 'token'],
  },
  'list own quotes': {
    does: 'lists all its quotes',
    endpoint: 'quote.list',
    needs: [],
    takes: paging,
  },
  'list settlements': {
    does: 'lists the settlements it won',
    endpoint: 'settlement.list',
    needs: [],
    takes: pages,
  },
  'read settlement': {
    does: 'reads a settlement it won',
    endpoint: 'settlement.read',
    needs: ['of'],
    takes: ['token'],
  },
  'open stream': {
    does: 'opens one more event stream; save it to look at it',
    endpoint: 'events',
    needs: [],
    takes: ['limit_to', 'token'],
  },
  'drop stream': {
    does: 'drops its event stream',
    endpoint: 'drop',
    needs: [],
    takes: ['on'],
  },
  'resume stream': {
    does: 'opens its dropped stream again, after the last event it saw',
    endpoint: 'resume',
    needs: [],
    takes: ['on'],
  },
  request: {
    does: 'sends any request',
    endpoint: 'raw',
    needs: ['method', 'path'],
    takes: ['query', 'headers', 'body', 'raw_body', 'token'],
  },
} as const satisfies Record<string, Action>;
export type ActionName = keyof typeof actions;
export const actionNames = Object.keys(actions) as ActionName[];

export const actionOf = (name: ActionName): Action => actions[name];

/** The endpoint an action uses when a party of this role does it; undefined for what is no single endpoint. */
export function endpointFor(name: ActionName, role: Role): EndpointName | undefined {
  const { endpoint } = actionOf(name);
  if (endpoint === 'events') return streamEndpoint[streamOf(role)];
  if (endpoint === 'raw' || endpoint === 'drop' || endpoint === 'resume') return undefined;
  return endpoint === 'order.quotes' && role === 'market-maker' ? 'rfq.quotes' : endpoint;
}

/** What is saved from an action, and what its `expect` looks at. */
export function answerOf(name: ActionName, role: Role): Type {
  const { endpoint } = actionOf(name);
  if (endpoint === 'events' || endpoint === 'drop' || endpoint === 'resume') return stream;
  const used = endpointFor(name, role);
  if (!used) return rawAnswer;
  const { result, resource } = endpoints[used] as {
    readonly result: string;
    readonly resource?: ResourceName | Partial<Record<Role, ResourceName>>;
  };
  const of = typeof resource === 'string' ? resource : resource?.[role];
  if (!of) return unknown;
  return result === 'list' ? listAnswer(of) : resourceType(of);
}
