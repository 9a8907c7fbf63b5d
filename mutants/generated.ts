import type { Tamper } from '../src/reference/http/index.ts';
import { type EndpointName, endpoints } from '../src/spec/endpoints.ts';
import { type Field, fieldsOf } from '../src/spec/fields.ts';
import { guardedEndpoints } from '../src/spec/requirements/access.ts';
import { isRequirementId } from '../src/spec/requirements/index.ts';
import { type ResourceName, resources } from '../src/spec/resources.ts';
import { shut } from './conventions-and-access.ts';
import { envelopes, items } from './defects/answers.ts';
import { type Json, without } from './defects/values.ts';
import type { Written } from './mutation.ts';

/** One place of each resource: the endpoint, its name, and the prefix of mutation ids. */
const places: { readonly [name in ResourceName]: readonly [EndpointName, string, string] } = {
  meta: ['health.read', 'the envelope of health', 'health-envelope'],
  pagination: ['order.list', 'the pagination of orders', 'order-pages'],
  order: ['order.read', 'an order that is read', 'read-order'],
  quote: ['order.quotes', 'quotes on an order', 'order-quotes'],
  'own-quote': ['quote.list', "a maker's listed quotes", 'listed-quotes'],
  rfq: ['rfq.list', 'listed requests', 'listed-requests'],
  settlement: ['settlement.list', 'listed settlements', 'settlements'],
  'custodian-acceptance': ['quote.accept', "a custodian's acceptance", 'custodian-acceptance'],
  token: ['token.create', 'a later token result', 'later-token'],
  identity: ['identity.read', 'a later identity', 'later-identity'],
};

/** First requests of every party: no run survives a defect in the first one. */
const preflight: readonly EndpointName[] = ['token.create', 'identity.read'];
const preflightCalls = 24;

interface Bend {
  readonly aspect: 'present' | 'form';
  readonly verb: string;
  readonly change: (item: Json, name: string) => Json;
}

const bends: readonly Bend[] = [
  { aspect: 'present', verb: 'is left out of', change: (item, name) => without(item, name) },
  {
    aspect: 'form',
    verb: 'is an object in',
    // A value that is admissible in no form of field.
    change: (item, name) =>
      item[name] === undefined || item[name] === null ? item : { ...item, [name]: { is: 'half' } },
  },
];

function bent(resource: ResourceName, change: (item: Json) => Json): () => Tamper {
  const [endpoint] = places[resource];
  if (resource === 'meta' || resource === 'pagination') {
    return envelopes(endpoint, (envelope) => ({
      ...envelope,
      ...(envelope[resource] && { [resource]: change(envelope[resource] as unknown as Json) }),
    }));
  }
  return items(endpoint, (item, context) => {
    const { party } = context;
    if (resource === 'custodian-acceptance' && party?.role !== 'custodian') return item;
    const early = preflight.includes(endpoint) && context.count(endpoint) <= preflightCalls;
    return early ? item : change(item);
  });
}

function mistake(resource: ResourceName, { name }: Field, bend: Bend): readonly Written[] {
  const field = name.replaceAll('_', '-');
  const requirement = `${resource}.${field}.${bend.aspect}`;
  if (!isRequirementId(requirement)) return [];
  const [, said, id] = places[resource];
  return [
    {
      id: `${id}-${field}-${bend.aspect === 'form' ? 'malformed' : 'missing'}`,
      breaks: [requirement],
      summary: `The field ${name} ${bend.verb} ${said}.`,
      tamper: bent(resource, (item) => bend.change(item, name)),
    },
  ];
}

/** Every field of every resource of part 2, left out and malformed: made, not thought of. */
export const everyField: readonly Written[] = (Object.keys(resources) as ResourceName[]).flatMap(
  (resource) =>
    fieldsOf(resources[resource]).flatMap((field) =>
      bends.flatMap((bend) => mistake(resource, field, bend)),
    ),
);

/** Every endpoint shut for every role that it is for: made, not thought of. */
export const everyDoor: readonly Written[] = guardedEndpoints.flatMap((endpoint) =>
  endpoints[endpoint].roles
    .filter((role) => isRequirementId(`access.${endpoint}.${role}-allowed`))
    .map((role) => shut(`${endpoint.replaceAll('.', '-')}-shut-for-${role}`, endpoint, role)),
);
