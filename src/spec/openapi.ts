import { type Endpoint, type EndpointName, endpointNames, endpoints } from './endpoints.ts';
import { type Json, type JsonSchema, schemaNames, schemaOf } from './jsonschemas.ts';
import type { ResourceName } from './resources.ts';
import { orderStates, quoteStates, schemaVersion } from './vocabulary.ts';

export interface OpenapiOptions {
  /** Base URLs under which the service is reached; relative to where the document lies by default. */
  readonly servers?: readonly string[];
}

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const summaries: Readonly<Record<EndpointName, string>> = {
  'token.create': 'A token for the party of this backend',
  'health.read': 'Whether the backend works',
  'identity.read': 'Who this backend is',
  'stats.read': 'Figures for a dashboard',
  'order.create': 'Create an order',
  'order.list': 'Own or custodied orders',
  'order.events': 'Events of own or custodied orders',
  'order.read': 'One order',
  'order.cancel': 'Cancel a PENDING or QUOTED order',
  'order.quotes': 'The quotes of an order',
  'proposal.accept': 'Accept an order proposal, as sender custodian',
  'quote.accept': 'Accept a quote, as sender or sender custodian',
  'rfq.list': 'Active anonymized requests for quote',
  'rfq.read': 'One request for quote',
  'quote.submit': 'Submit a quote',
  'rfq.quotes': 'Own quotes on a request',
  'quote.list': 'All own quotes',
  'settlement.list': 'Settlements won',
  'settlement.read': 'One settlement won',
  'maker.events': 'Events for a market maker',
};

const bodies: Partial<Record<EndpointName, 'order-request' | 'quote-request'>> = {
  'order.create': 'order-request',
  'quote.submit': 'quote-request',
};

const envelope = (data: JsonSchema, paged: 'paged' | 'single'): JsonSchema => ({
  type: 'object',
  properties: {
    data,
    meta: ref('meta'),
    ...(paged === 'paged' && { pagination: ref('pagination') }),
  },
  required: ['data', 'meta', ...(paged === 'paged' ? ['pagination'] : [])],
});

function resourceSchema(resource: Endpoint['resource']): JsonSchema {
  if (resource === undefined) return { type: 'object', description: 'Its fields are not shown.' };
  if (typeof resource === 'string') return ref(resource);
  const names = [...new Set(Object.values(resource))] as ResourceName[];
  return { anyOf: names.map(ref) };
}

function success(endpoint: Endpoint): JsonSchema {
  switch (endpoint.result) {
    case 'stream':
      return {
        description: 'Server-sent events; see the AsyncAPI document.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      };
    case 'open':
      return { description: 'Success. What it carries is not shown.' };
    case 'list':
      return {
        description: 'One page.',
        content: json(
          envelope({ type: 'array', items: resourceSchema(endpoint.resource) }, 'paged'),
        ),
      };
    case 'item':
      return {
        description: 'Success.',
        content: json(envelope(resourceSchema(endpoint.resource), 'single')),
      };
  }
}

const query = (name: string, schema: JsonSchema, description: string): JsonSchema => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

function parametersOf(name: EndpointName): JsonSchema[] {
  const endpoint: Endpoint = endpoints[name];
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(
    ([, parameter = '']): JsonSchema => ({
      name: parameter,
      in: 'path',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    }),
  );
  const states = { 'order.list': orderStates, 'quote.list': quoteStates } as const;
  const filter = Object.entries(states).flatMap(([list, values]) =>
    list === name
      ? [query('status', { type: 'string', enum: values }, 'Only items in this state.')]
      : [],
  );
  const limit =
    name === 'order.events'
      ? [query('intent_id', { type: 'string', format: 'uuid' }, 'Only events of this order.')]
      : [];
  return [...inPath, ...filter, ...limit];
}

function notes({ roles, part }: Endpoint): string {
  const who = roles.length === 0 ? 'No token needed.' : `For the roles ${roles.join(', ')}.`;
  return `Part ${part}. ${who}`;
}

function operation(name: EndpointName): JsonSchema {
  const endpoint: Endpoint = endpoints[name];
  const body = bodies[name];
  const parameters = parametersOf(name);
  const guarded = endpoint.roles.length > 0;
  return {
    operationId: name,
    summary: summaries[name],
    description: notes(endpoint),
    tags: [endpoint.part],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: json(ref(body)) } }),
    responses: {
      // Of success statuses only this one is shown (4.4); of refusals only that of an expired token (5.4).
      [name === 'quote.submit' ? '201' : '2XX']: success(endpoint),
      ...(guarded && { '401': { description: 'The token has expired.' } }),
      '4XX': { description: 'A refusal: nothing has changed. Shape and status are open.' },
    },
    security: guarded ? [{ bearer: [] }] : [],
    'x-roles': endpoint.roles,
  };
}

function paths(): JsonSchema {
  const found: Record<string, Record<string, Json>> = {};
  for (const name of endpointNames) {
    const { method, path } = endpoints[name];
    (found[path] ??= {})[method.toLowerCase()] = operation(name);
  }
  return found;
}

/** The endpoints of part 4 as OpenAPI 3.1: operation ids are our names of endpoints. */
export const openapiDocument = ({ servers = ['.'] }: OpenapiOptions = {}): JsonSchema => ({
  openapi: '3.1.0',
  info: {
    title: 'Cross-Currency Settlement Service Interface',
    version: schemaVersion,
    description:
      'Made from the tables of Assay. What the interface leaves open is described as widely as it may be answered.',
  },
  servers: servers.map((url) => ({ url })),
  tags: [
    { name: '4.1', description: 'Common' },
    { name: '4.2', description: 'Order side' },
    { name: '4.3', description: 'Custodian only' },
    { name: '4.4', description: 'Market maker' },
  ],
  paths: paths(),
  components: {
    schemas: Object.fromEntries(schemaNames.map((name) => [name, schemaOf(name)])),
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  },
});
