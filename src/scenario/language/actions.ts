import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { streamEndpoint, streamOf } from '../../spec/events.ts';
import { castNames } from '../../spec/requirements/requirement.ts';
import type { ResourceName } from '../../spec/resources.ts';
import type { Role } from '../../spec/vocabulary.ts';
import { listAnswer, rawAnswer, resourceType, stream, type Type, unknown } from './types.ts';
import {
  type At,
  described,
  type Entry,
  listOf,
  literalText,
  nameForm,
  type Shape,
} from '../../yaml/index.ts';
import { anyArg, type Arg, argOf, reference } from './arg.ts';

/** A name to save a value under: not the name of a party. */
const saved = literalText('a name of letters, digits and underscores', nameForm);
export const nameShape: Shape<At<string>> = {
  read(node, reader) {
    const name = saved.read(node, reader);
    if (!name || !(castNames as string[]).includes(name.value)) return name;
    return reader.wrong(node, "a name that is no party's");
  },
  schema: saved.schema,
};

const argMap: Shape<readonly Entry<Arg>[]> = {
  read(node, reader) {
    const arg = argOf(node, reader);
    return arg.kind === 'map' ? arg.entries : reader.wrong(node, 'a mapping');
  },
  schema: { type: 'object' },
};

/** Arguments of actions: the keys of a step that only some actions take. */
export const actionFields = {
  of: described(reference('the order it concerns'), 'The order it concerns: $order.'),
  for: described(reference('the order to quote on'), 'The order to quote on: $order.'),
  quote: described(reference('the quote'), 'The quote: $quote.'),
  with: described(argMap, 'Fields of the body. Fields that it does not name get defaults.'),
  without: described(
    listOf(literalText('the name of a field'), 'fields'),
    'Fields to leave out of the body.',
  ),
  as_is: described(argMap, 'Fields of the body that are sent unchecked. They replace all others.'),
  where: described(argMap, 'Filters of the list: { status: SETTLED }.'),
  page: described(
    anyArg,
    'The number of the page, counted from 1; or `all`: the items of all pages as one list.',
  ),
  page_size: described(anyArg, 'The number of items of a page.'),
  limit_to: described(reference('an order'), 'Limits the stream to one order.'),
  on: described(reference('a saved stream'), 'A saved stream, instead of its own.'),
  token: described(anyArg, 'Instead of its own token: none, $outsider, a saved one or any text.'),
  method: described(literalText('a method', /^[A-Z]+$/), 'GET, POST, ...'),
  path: described(anyArg, 'The path below the base URL, with its query.'),
  query: described(argMap, 'Query parameters.'),
  headers: described(argMap, 'More headers.'),
  body: described(anyArg, 'The body, sent as JSON.'),
  raw_body: described(anyArg, 'The body, sent as this text.'),
};
type ActionKey = keyof typeof actionFields;

type Action = readonly [
  /** `raw`: any request. `drop` and `resume`: actions on the party's own stream. */
  endpoint: EndpointName | 'events' | 'raw' | 'drop' | 'resume',
  /** Description for the docs. */
  does: string,
  needs: readonly ActionKey[],
  takes: readonly ActionKey[],
];

const pages = ['page', 'page_size', 'token'] as const;
const body = ['with', 'without', 'as_is', 'token'] as const;

/** All actions of parties, by name. There is one for each endpoint of part 4. */
const actions = {
  'get token': ['token.create', 'asks its backend for a token', [], []],
  'check health': ['health.read', 'asks whether its backend is up', [], []],
  'who am I': ['identity.read', 'asks for its identity', [], ['token']],
  'read stats': ['stats.read', 'reads its dashboard stats', [], ['token']],
  'create order': ['order.create', 'creates an order', [], body],
  'list orders': ['order.list', 'lists its orders', [], ['where', ...pages]],
  'read order': ['order.read', 'reads an order', ['of'], ['token']],
  'cancel order': ['order.cancel', 'cancels an order', ['of'], ['token']],
  'list quotes': [
    'order.quotes',
    'lists the quotes of an order; for a maker, its own',
    ['of'],
    pages,
  ],
  'accept proposal': ['proposal.accept', 'accepts an order proposal', ['of'], ['token']],
  'accept quote': ['quote.accept', 'accepts a quote', ['quote'], ['of', 'token']],
  'list requests': ['rfq.list', 'lists the active requests for quote', [], pages],
  'read request': ['rfq.read', 'reads a request for quote', ['of'], ['token']],
  'submit quote': ['quote.submit', 'quotes on an order', ['for'], body],
  'list own quotes': ['quote.list', 'lists all its quotes', [], ['where', ...pages]],
  'list settlements': ['settlement.list', 'lists the settlements it won', [], pages],
  'read settlement': ['settlement.read', 'reads a settlement it won', ['of'], ['token']],
  'open stream': [
    'events',
    'opens another event stream; save it to look at its events',
    [],
    ['limit_to', 'token'],
  ],
  'drop stream': ['drop', 'closes its event stream', [], ['on']],
  'resume stream': [
    'resume',
    'opens its dropped stream again, after the last event it got',
    [],
    ['on'],
  ],
  request: [
    'raw',
    'sends any request',
    ['method', 'path'],
    ['query', 'headers', 'body', 'raw_body', 'token'],
  ],
} as const satisfies Record<string, Action>;
export type ActionName = keyof typeof actions;
export const actionNames = Object.keys(actions) as ActionName[];

export function actionOf(name: ActionName) {
  const [endpoint, does, needs, takes]: Action = actions[name];
  return { endpoint, does, needs, takes };
}

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
