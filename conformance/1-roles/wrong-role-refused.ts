import type { Check } from '../../src/suite/engine/check.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  accessRequirement,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import { sendForbidden, servedRequirement } from '../shared/forbidden-requests.ts';
import { changesOrder, isFor, partiesOfRole, partyOfRole } from '../shared/endpoint-operations.ts';
import { fixtureAt, needsAt, type Stage, stagesOf } from '../shared/order-stages.ts';

/**
 * Operations that succeed once per order: each check lets one role do it. At other endpoints one check lets all
 * permitted roles ask beside the forbidden ones.
 */
const singleUse: readonly GuardedEndpoint[] = [
  'order.cancel',
  'proposal.accept',
  'quote.accept',
  'quote.submit',
];

/** Permitted roles of each check: all in one check, or one check for each role. */
const groupsOf = (endpoint: GuardedEndpoint): readonly (readonly Role[])[] => {
  const { roles: allowed } = endpoints[endpoint];
  return singleUse.includes(endpoint) ? allowed.map((role) => [role]) : [allowed];
};

const checkOf = (endpoint: GuardedEndpoint, stage: Stage, served: readonly Role[]): Check => {
  const refused = roles.filter((role) => !isFor(endpoint, role));
  const isOneOfSeveral = served.length < endpoints[endpoint].roles.length;
  return {
    id: `access.${endpoint}.${stage}${isOneOfSeveral ? `.${served.join()}` : ''}`,
    title:
      refused.length === 0
        ? `${endpoint} serves every role.`
        : `${endpoint} serves ${served.join(' and ')}, but never ${refused.join(' nor ')} (${stage}).`,
    requirements: [
      servedRequirement,
      ...[...refused, ...served].map((role) => accessRequirement(endpoint, role)),
      ...(refused.length > 0 && changesOrder(endpoint)
        ? (['error.refusal-changes-nothing'] as const)
        : []),
    ],
    needs: needsAt(stage, ...served.map((role) => partyOfRole[role])),
    async run(t) {
      const fixture = await fixtureAt(t, stage, endpoint);
      const forbidden = refused.flatMap((role) =>
        partiesOfRole(t, role).map((by) => ({ by, endpoint })),
      );
      const permitted = served.map((role) => ({
        by: partyOfRole[role],
        endpoint,
        requirement: accessRequirement(endpoint, role),
      }));
      await sendForbidden(t, fixture, forbidden, permitted);
    },
  };
};

/** 1.4, part 4: every endpoint serves the roles that it is for and refuses the others, in every stage of an order. */
export const wrongRoleChecks: readonly Check[] = guardedEndpoints.flatMap((endpoint) =>
  stagesOf(endpoint).flatMap((stage) =>
    groupsOf(endpoint).map((served) => checkOf(endpoint, stage, served)),
  ),
);
