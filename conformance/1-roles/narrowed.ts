import { type Check, defineCheck } from '../../src/conformance/check.ts';
import { refusedBeside } from '../../src/conformance/moves/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { accessRequirement, type GuardedEndpoint } from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/words.ts';
import { player, players } from '../deeds.ts';
import { narrowings, plainLists } from '../narrowings.ts';

const othersThan = (allowed: readonly Role[]): readonly Role[] =>
  roles.filter((role) => !allowed.includes(role));

/** What a role may not have it may not have in part either. */
const checkOf = (endpoint: GuardedEndpoint): Check => {
  const [first] = endpoints[endpoint].roles;
  const refusedRoles = othersThan(endpoints[endpoint].roles);
  return defineCheck({
    id: `access.narrowed.${endpoint}`,
    title: `${endpoint} never serves ${refusedRoles.join(' nor ')}, filtered or turned over.`,
    requirements: refusedRoles.map((role) => accessRequirement(endpoint, role)),
    needs: { parties: [player[first]] },
    async run(trial) {
      for (const query of await narrowings(trial, player[first], endpoint)) {
        const yes = await trial.party(player[first]).call(endpoint, { query });
        for (const role of refusedRoles) {
          for (const by of players(trial, role)) {
            const no = await trial.party(by).call(endpoint, { query });
            const requirement = accessRequirement(endpoint, role);
            refusedBeside(trial, requirement, no, yes, `${by}, a ${role}`);
          }
        }
      }
    },
  });
};

export const narrowedChecks: readonly Check[] = plainLists
  .filter((endpoint) => othersThan(endpoints[endpoint].roles).length > 0)
  .map(checkOf);
