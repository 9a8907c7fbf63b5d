import type { EndpointName } from '../src/spec/endpoints.ts';
import { type Field, fieldsOf } from '../src/spec/fields.ts';
import { isRequirementId } from '../src/spec/requirements/index.ts';
import { type ResourceName, resources } from '../src/spec/resources.ts';
import type { Tamper } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import { envelopes, items, type Json, without } from './tools.ts';

interface Place {
  readonly endpoint: EndpointName;
  readonly said: string;
  readonly id: string;
}

/** One place at which each resource shows. */
const places: { readonly [name in ResourceName]: Place } = {
  meta: { endpoint: 'health.read', said: 'the envelope of health', id: 'health-envelope' },
  pagination: { endpoint: 'order.list', said: 'the pagination of orders', id: 'order-pages' },
  order: { endpoint: 'order.read', said: 'an order that is read', id: 'read-order' },
  quote: { endpoint: 'order.quotes', said: 'quotes on an order', id: 'order-quotes' },
  'own-quote': { endpoint: 'quote.list', said: "a maker's listed quotes", id: 'listed-quotes' },
  rfq: { endpoint: 'rfq.list', said: 'listed requests', id: 'listed-requests' },
  settlement: { endpoint: 'settlement.list', said: 'listed settlements', id: 'settlements' },
  'custodian-acceptance': {
    endpoint: 'quote.accept',
    said: "a custodian's acceptance",
    id: 'custodian-acceptance',
  },
  token: { endpoint: 'token.create', said: 'a later token result', id: 'later-token' },
  identity: { endpoint: 'identity.read', said: 'a later identity', id: 'later-identity' },
};

/** Every party asks for these before anything else: what is wrong with the first, no run survives. */
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
    // No field's form admits it, whatever the form.
    change: (item, name) =>
      item[name] === undefined || item[name] === null ? item : { ...item, [name]: { is: 'half' } },
  },
];

function bent(resource: ResourceName, change: (item: Json) => Json): () => Tamper {
  const { endpoint } = places[resource];
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
  const { id, said } = places[resource];
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
