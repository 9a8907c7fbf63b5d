import { type Endpoint, type EndpointName, endpointNames, endpoints } from './endpoints.ts';
import { type Json, type JsonSchema, schemaNames, schemaOf } from './jsonschemas.ts';
import type { ResourceName } from './resources.ts';
import { type QueryParameter, queryParametersOf } from './query-parameters.ts';
import { schemaVersion } from './vocabulary.ts';

/** A base URL; the description names its owner if there are several. */
export interface DescribedServer {
  readonly url: string;
  readonly description?: string;
}

/** Facts about one backend beyond the words of the document. */
export interface DescribedBackend {
  parametersOf(name: EndpointName): readonly QueryParameter[];
  /** The status of success. */
  statusOf(name: EndpointName): string;
  /** Content of an answer that the document leaves open, by media type; undefined if it has none. */
  openContentOf(name: EndpointName): JsonSchema | undefined;
  /** Schemas that replace the document's own, or are added to them. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Content of a refusal, by media type; undefined if it has none. */
  readonly refusal: JsonSchema | undefined;
}

interface OpenapiOptions {
  /** Absolute base URLs under which the service is reached; by default one to be filled in. */
  readonly servers?: readonly DescribedServer[];
  /** Describes one backend; without it, all that the document admits. */
  readonly backend?: DescribedBackend;
}

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const jsonContent = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

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

export const envelope = (data: JsonSchema, paged: 'paged' | 'single'): JsonSchema => ({
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

function success(name: EndpointName, backend: DescribedBackend | undefined): JsonSchema {
  const endpoint: Endpoint = endpoints[name];
  switch (endpoint.result) {
    case 'stream':
      return {
        description: 'Server-sent events; see the AsyncAPI document.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      };
    case 'open': {
      if (!backend) return { description: 'Success. What it carries is not shown.' };
      const content = backend.openContentOf(name);
      return { description: 'Success.', ...(content && { content }) };
    }
    case 'list': {
      const items = { type: 'array', items: resourceSchema(endpoint.resource) };
      return { description: 'One page.', content: jsonContent(envelope(items, 'paged')) };
    }
    case 'item':
      return {
        description: 'Success.',
        content: jsonContent(envelope(resourceSchema(endpoint.resource), 'single')),
      };
  }
}

const queryParameter = (parameter: QueryParameter): JsonSchema => {
  const { name, description, type, least, values, format } = parameter;
  const schema = {
    type,
    ...(least !== undefined && { minimum: least }),
    ...(values && { enum: values }),
    ...(format && { format }),
  };
  return { name, in: 'query', required: false, description, schema };
};

function parametersOf(name: EndpointName, backend: DescribedBackend | undefined): JsonSchema[] {
  const inPath = [...endpoints[name].path.matchAll(/\{(\w+)\}/g)].map(
    ([, parameter = '']): JsonSchema => ({
      name: parameter,
      in: 'path',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    }),
  );
  const known = backend ? backend.parametersOf(name) : queryParametersOf(name);
  return [...inPath, ...known.map(queryParameter)];
}

/** Of success statuses only that of a submitted quote is shown (4.4); of refusals only that of an expired token (5.4). */
function responsesOf(name: EndpointName, backend: DescribedBackend | undefined): JsonSchema {
  const shown = name === 'quote.submit' ? '201' : '2XX';
  const content = backend?.refusal && { content: backend.refusal };
  const isGuarded = endpoints[name].roles.length > 0;
  return {
    [backend?.statusOf(name) ?? shown]: success(name, backend),
    ...(isGuarded && { '401': { description: 'The token has expired.', ...content } }),
    '4XX': {
      description: `A refusal: nothing has changed.${backend ? '' : ' Shape and status are open.'}`,
      ...content,
    },
  };
}

function operation(name: EndpointName, backend: DescribedBackend | undefined): JsonSchema {
  const { roles, part }: Endpoint = endpoints[name];
  const who = roles.length === 0 ? 'No token needed.' : `For the roles ${roles.join(', ')}.`;
  const body = bodies[name];
  const parameters = parametersOf(name, backend);
  return {
    operationId: name,
    summary: summaries[name],
    description: `Part ${part}. ${who}`,
    tags: [part],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: jsonContent(ref(body)) } }),
    responses: responsesOf(name, backend),
    security: roles.length > 0 ? [{ bearer: [] }] : [],
    'x-roles': roles,
  };
}

function paths(backend: DescribedBackend | undefined): JsonSchema {
  const found: Record<string, Record<string, Json>> = {};
  for (const name of endpointNames) {
    const { method, path } = endpoints[name];
    (found[path] ??= {})[method.toLowerCase()] = operation(name, backend);
  }
  return found;
}

/** A server URL to be filled in by the reader: clients resolve a relative one in different ways. */
const openServer: JsonSchema = {
  url: '{base_url}',
  variables: {
    base_url: {
      default: 'http://127.0.0.1:9000/bank-a',
      description: 'Where a participant backend is reached.',
    },
  },
};

/** The endpoints of part 4 as OpenAPI 3.1: operation ids are our names of endpoints. */
export const openapiDocument = ({ servers, backend }: OpenapiOptions = {}): JsonSchema => ({
  openapi: '3.1.0',
  info: {
    title: 'Cross-Currency Settlement Service Interface',
    version: schemaVersion,
    description: backend
      ? 'The reference backend of Assay, as it answers here.'
      : 'Made from the tables of Assay. What the interface leaves open is described as widely as it may be answered.',
  },
  servers: servers?.map((server) => ({ ...server })) ?? [openServer],
  tags: [
    { name: '4.1', description: 'Common' },
    { name: '4.2', description: 'Order side' },
    { name: '4.3', description: 'Custodian only' },
    { name: '4.4', description: 'Market maker' },
  ],
  paths: paths(backend),
  components: {
    schemas: {
      ...Object.fromEntries(schemaNames.map((name) => [name, schemaOf(name)])),
      ...backend?.schemas,
    },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  },
});
