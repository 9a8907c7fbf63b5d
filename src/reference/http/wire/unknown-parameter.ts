import type { EndpointName } from '../../../spec/endpoints.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import { queryParametersOf } from '../../../spec/query-parameters.ts';
import type { Problem } from './problems.ts';

/** What is wrong with a parameter that the endpoint does not have, where the assignment refuses such. */
export function unknownParameter(
  endpoint: EndpointName,
  asked: readonly string[],
  answers: Assignment,
): Problem | undefined {
  if (answers['request.unknown_query'] === 'ignore') return undefined;
  const known = queryParametersOf(endpoint, answers).map(({ name }) => name);
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const expected = known.length === 0 ? 'none is known here' : `known are ${known.join(', ')}`;
  const at = unknown.slice(0, 64);
  return {
    code: 'invalid_query',
    detail: `no parameter is called ${JSON.stringify(at)}: ${expected}`,
    at,
  };
}
