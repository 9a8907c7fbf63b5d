import type { EndpointName } from '../../../spec/endpoints.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import type { JsonSchema } from '../../../spec/jsonschemas.ts';
import { envelope, jsonContent, openapiDocument, ref } from '../../../spec/openapi.ts';
import { queryParametersOf } from '../../../spec/query-parameters.ts';
import { openSchemas, refusalContent } from './open-schemas.ts';

/** Operations that change something and create nothing. */
const changes: readonly EndpointName[] = [
  'token.create',
  'quote.accept',
  'order.cancel',
  'proposal.accept',
];

const emptyStatus = '204';

function statusOf(name: EndpointName, answers: Assignment): string {
  if (name === 'order.create') return answers['http.create_status'];
  if (name === 'quote.submit') return '201';
  if (name === 'health.read') return answers['health.response'] === 'empty' ? emptyStatus : '200';
  const answer = openAnswer(name, answers);
  if (answer === 'no-content') return emptyStatus;
  if (answer === 'accepted') return '202';
  return changes.includes(name) ? answers['http.success_status'] : '200';
}

const openAnswer = (name: EndpointName, answers: Assignment): string | undefined => {
  if (name === 'order.cancel') return answers['cancel.response'];
  return name === 'proposal.accept' ? answers['proposal.response'] : undefined;
};

const health: Readonly<Record<Assignment['health.response'], JsonSchema | undefined>> = {
  json: jsonContent(ref('health')),
  enveloped: jsonContent(envelope(ref('health'), 'single')),
  text: { 'text/plain': { schema: { type: 'string' } } },
  empty: undefined,
};

function openContentOf(name: EndpointName, answers: Assignment): JsonSchema | undefined {
  if (name === 'health.read') return health[answers['health.response']];
  const answer = openAnswer(name, answers);
  if (answer === 'no-content') return undefined;
  return jsonContent(envelope(ref(answer === 'minimal' ? 'order-status' : 'order'), 'single'));
}

/** The OpenAPI of a running reference. @param servers its backends: absolute base URLs */
export const referenceOpenapi = (
  answers: Assignment,
  servers: readonly { readonly url: string; readonly description: string }[],
): JsonSchema => {
  const backend = {
    parametersOf: (name: EndpointName) => queryParametersOf(name, answers),
    statusOf: (name: EndpointName) => statusOf(name, answers),
    openContentOf: (name: EndpointName) => openContentOf(name, answers),
    schemas: openSchemas(answers),
    refusal: refusalContent(answers),
  };
  return openapiDocument({ servers, backend });
};
