import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { streamEndpoint, streamOf } from '../../spec/events.ts';
import type { ResourceName } from '../../spec/resources.ts';
import type { Role } from '../../spec/vocabulary.ts';
import type { Arg, ArgEntry, Located } from './reader.ts';
import type { At } from './shapes.ts';
import { listAnswer, rawAnswer, resourceType, stream, type Type, unknown } from './types.ts';

/** Arguments of an action: the keys of its step that only some actions take. */
export interface ActionArgs {
  readonly of?: Located;
  readonly for?: Located;
  readonly quote?: Located;
  readonly with?: readonly ArgEntry[];
  readonly without?: readonly At<string>[];
  readonly as_is?: readonly ArgEntry[];
  readonly where?: readonly ArgEntry[];
  readonly page?: Arg;
  readonly page_size?: Arg;
  readonly limit_to?: Located;
  readonly on?: Located;
  readonly token?: Arg;
  readonly method?: At<string>;
  readonly path?: Arg;
  readonly query?: readonly ArgEntry[];
  readonly headers?: readonly ArgEntry[];
  readonly body?: Arg;
  readonly raw_body?: Arg;
}
export type ActionKey = keyof ActionArgs;

export interface Action {
  /** `raw`: any request. `drop` and `resume`: actions on the party's own stream. */
  readonly endpoint: EndpointName | 'events' | 'raw' | 'drop' | 'resume';
  /** Description for the docs. */
  readonly does: string;
  readonly needs: readonly ActionKey[];
  readonly takes: readonly ActionKey[];
}

const pages = ['page', 'page_size', 'token'] as const;

/** All actions of parties, by name. There is one for each endpoint of part 4. */
const actions = {
  'get token': { endpoint: 'token.create', does: 'asks its backend for a token' },
  'check health': { endpoint: 'health.read', does: 'asks whether its backend is up' },
  'who am I': { endpoint: 'identity.read', does: 'asks for its identity', takes: ['token'] },
  'read stats': { endpoint: 'stats.read', does: 'reads its dashboard stats', takes: ['token'] },
  'create order': {
    endpoint: 'order.create',
    does: 'creates an order',
    takes: ['with', 'without', 'as_is', 'token'],
  },
  'list orders': { endpoint: 'order.list', does: 'lists its orders', takes: ['where', ...pages] },
  'read order': { endpoint: 'order.read', does: 'reads an order', needs: ['of'], takes: ['token'] },
  'cancel order': {
    endpoint: 'order.cancel',
    does: 'cancels an order',
    needs: ['of'],
    takes: ['token'],
  },
  'list quotes': {
    endpoint: 'order.quotes',
    does: 'lists the quotes of an order; for a maker, its own',
    needs: ['of'],
    takes: pages,
  },
  'accept proposal': {
    endpoint: 'proposal.accept',
    does: 'accepts an order proposal',
    needs: ['of'],
    takes: ['token'],
  },
  'accept quote': {
    endpoint: 'quote.accept',
    does: 'accepts a quote',
    needs: ['quote'],
    takes: ['of', 'token'],
  },
  'list requests': {
    endpoint: 'rfq.list',
    does: 'lists the active requests for quote',
    takes: pages,
  },
  'read request': {
    endpoint: 'rfq.read',
    does: 'reads a request for quote',
    needs: ['of'],
    takes: ['token'],
  },
  'submit quote': {
    endpoint: 'quote.submit',
    does: 'quotes on an order',
    needs: ['for'],
    takes: ['with', 'without', 'as_is', 'token'],
  },
  'list own quotes': {
    endpoint: 'quote.list',
    does: 'lists all its quotes',
    takes: ['where', ...pages],
  },
  'list settlements': {
    endpoint: 'settlement.list',
    does: 'lists the settlements it won',
    takes: pages,
  },
  'read settlement': {
    endpoint: 'settlement.read',
    does: 'reads a settlement it won',
    needs: ['of'],
    takes: ['token'],
  },
  'open stream': {
    endpoint: 'events',
    does: 'opens another event stream; save it to look at its events',
    takes: ['limit_to', 'token'],
  },
  'drop stream': { endpoint: 'drop', does: 'closes its event stream', takes: ['on'] },
  'resume stream': {
    endpoint: 'resume',
    does: 'opens its dropped stream again, after the last event it got',
    takes: ['on'],
  },
  request: {
    endpoint: 'raw',
    does: 'sends any request',
    needs: ['method', 'path'],
    takes: ['query', 'headers', 'body', 'raw_body', 'token'],
  },
} as const satisfies Record<string, Partial<Action>>;
export type ActionName = keyof typeof actions;
export const actionNames = Object.keys(actions) as ActionName[];

export const actionOf = (name: ActionName): Action => ({ needs: [], takes: [], ...actions[name] });

/** Endpoint of an action for a party of this role; undefined if the action uses no single endpoint. */
export function endpointFor(name: ActionName, role: Role): EndpointName | undefined {
  const { endpoint } = actionOf(name);
  if (endpoint === 'events') return streamEndpoint[streamOf(role)];
  if (endpoint === 'raw' || endpoint === 'drop' || endpoint === 'resume') return undefined;
  return endpoint === 'order.quotes' && role === 'market-maker' ? 'rfq.quotes' : endpoint;
}

/** Type of the value that an action saves and that its `expect` checks. */
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
