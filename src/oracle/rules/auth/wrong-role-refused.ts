import { endpoints } from '../../../spec/endpoints.ts';
import {
  accessRequirement,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../../spec/requirements/index.ts';
import { type Role, roles } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import { wasRefused } from '../../trace/calls.ts';

export const isFor = (endpoint: GuardedEndpoint, role: Role): boolean =>
  (endpoints[endpoint].roles as readonly Role[]).includes(role);

/**
 * Part 1.4 and the tables of part 4. A success shows that a role may. A refusal may have any reason, and is judged
 * where there can be none ("reads.due", "requests.due", "streams.equal").
 */
export const wrongRoleRefused = defineRule({
  id: 'access.roles',
  title: 'No endpoint serves a role that it is not for',
  requirements: [
    ...guardedEndpoints.flatMap((endpoint) =>
      roles.map((role) => accessRequirement(endpoint, role)),
    ),
    // Also judged by "wire.refusals", which sees every answer of 4xx and 5xx; this rule sees answers that are neither a
    // refusal nor a success.
    'error.refusal-is-4xx',
  ],
  judge(view, findings) {
    for (const endpoint of guardedEndpoints) {
      for (const call of view.endpoint(endpoint)) {
        const { id, ok, status } = call;
        const { auth, role } = call.exchange;
        if (auth !== 'own') continue;
        const requirement = accessRequirement(endpoint, role);
        if (isFor(endpoint, role)) {
          if (ok) findings.pass(requirement, id);
          continue;
        }
        const refused = wasRefused(call);
        if (refused === undefined) continue;
        const violation = {
          message: `${endpoint} answered ${ok ? 'with success' : (status ?? 'nothing')} to a ${role}`,
          deviation: 'let through' as const,
          must: { refused: '4xx' as const },
          actual: status,
          evidence: [id],
        };
        findings.assert(requirement, refused, id, () => violation);
        if (!ok && !refused) findings.fail('error.refusal-is-4xx', violation);
      }
    }
  },
});
