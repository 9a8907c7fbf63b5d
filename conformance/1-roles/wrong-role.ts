import type { Check } from '../../src/suite/engine/check.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  accessRequirement,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import {
  sendForbidden,
  servedRequirement,
  changesOrder,
  isFor,
  partiesOfRole,
  partyOfRole,
  fixtureAt,
  needsAt,
  type Stage,
  stagesOf,
  narrowedQueries,
  topLevelLists,
} from '../shared/endpoint-requests.ts';
import { createOrder, quote } from '../../src/suite/actions/index.ts';

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

/** 1.4: a role that may not list something gets no filtered list of it and no further page either. */
const narrowedCheckOf = (endpoint: GuardedEndpoint): Check => {
  const [first] = endpoints[endpoint].roles;
  const refusedRoles = roles.filter((role) => !isFor(endpoint, role));
  return {
    id: `access.narrowed.${endpoint}`,
    title: `${endpoint} refuses ${refusedRoles.join(' and ')}, filtered or on a further page.`,
    requirements: refusedRoles.map((role) => accessRequirement(endpoint, role)),
    needs: { parties: [partyOfRole[first]] },
    async run(t) {
      const wrong = refusedRoles.flatMap((role) => partiesOfRole(t, role));
      for (const query of await narrowedQueries(t, partyOfRole[first], endpoint)) {
        for (const by of [partyOfRole[first], ...wrong]) {
          await t.party(by).call(endpoint, { query });
        }
      }
    },
  };
};

/** 4.2: the stream of orders is not for makers, not even limited to an order that they have quoted. */
const limitedStream: Check = {
  id: 'access.narrowed.order.events',
  title: 'A market maker cannot open the order stream, limited to an order that it has quoted.',
  requirements: ['access.order.events.market-maker-refused'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { intentId } = order;
    await quote(t, 'maker_a', order);
    for (const by of ['sender', ...partiesOfRole(t, 'market-maker')] as const) {
      const stream = await t.party(by).listen({ endpoint: 'order.events', intentId });
      if (stream.isOpen) await stream.close();
    }
  },
};

export const wrongRoleListChecks: readonly Check[] = [
  ...topLevelLists
    .filter((endpoint) => endpoints[endpoint].roles.length < roles.length)
    .map(narrowedCheckOf),
  limitedStream,
];
