import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import { accept, createOrder, quote } from '../../src/suite/actions/index.ts';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import {
  accessRequirement,
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import { sendForbidden } from '../shared/forbidden-requests.ts';
import {
  changesOrder,
  changesState,
  type Fixture,
  isFor,
  partiesOfRole,
  partyOfRole,
  settlementWaitMs,
  untilSettled,
} from '../shared/endpoint-operations.ts';

/** How far an order has come when the wrong role tries something on it. */
type Stage = 'nothing' | 'pending' | 'quoted' | 'settled';

/** The stages at which the document is sure that the right role is served. */
const stages: { readonly [E in EndpointName]?: readonly Stage[] } = {
  'order.read': ['pending', 'quoted', 'settled'],
  'order.cancel': ['pending', 'quoted'],
  'order.quotes': ['pending', 'quoted', 'settled'],
  'proposal.accept': ['pending'],
  'quote.accept': ['quoted'],
  'rfq.read': ['pending'],
  'quote.submit': ['pending'],
  'rfq.quotes': ['quoted'],
  'quote.list': ['nothing', 'quoted'],
  'settlement.list': ['nothing', 'settled'],
  'settlement.read': ['settled'],
};
export const stagesOf = (endpoint: GuardedEndpoint): readonly Stage[] =>
  stages[endpoint] ?? ['nothing'];

/** What can be done once: one role at a time does it. Elsewhere every role that may asks beside those that may not. */
const singleUse: readonly GuardedEndpoint[] = [
  'order.cancel',
  'proposal.accept',
  'quote.accept',
  'quote.submit',
];

/** Which roles a check serves beside those that it refuses: each at once, or one check each. */
const groupsOf = (endpoint: GuardedEndpoint): readonly (readonly Role[])[] => {
  const { roles: allowed } = endpoints[endpoint];
  return singleUse.includes(endpoint) ? allowed.map((role) => [role]) : [allowed];
};

/** Who has to take part until an order is at a stage. */
export const partiesAt = (stage: Stage): readonly CastName[] => {
  if (stage === 'nothing') return [];
  return stage === 'pending' ? ['sender'] : ['sender', 'maker_a'];
};

/** An order at a stage, with a maker's quote where there is one. */
export async function fixtureAt(
  t: CheckContext,
  stage: Stage,
  endpoint: GuardedEndpoint,
): Promise<Fixture> {
  if (stage === 'nothing') return {};
  const order = await createOrder(
    t,
    {},
    endpoint === 'proposal.accept' ? { proposal: 'leave' } : {},
  );
  if (stage === 'pending') return { order };
  const placed = await quote(t, 'maker_a', order);
  if (stage === 'quoted') {
    if (t.target.parties.maker_b) await quote(t, 'maker_b', order);
    return { order, quote: placed };
  }
  await accept(t, order, placed);
  await untilSettled(t, order);
  return { order };
}

/** Endpoints where a history doesn't show whether something else than the role was the reason of a refusal. */
const assertServed = (endpoint: GuardedEndpoint): boolean =>
  changesState(endpoint) || endpoints[endpoint].result === 'stream';

const checkOf = (endpoint: GuardedEndpoint, stage: Stage, served: readonly Role[]): Check => {
  const refused = roles.filter((role) => !isFor(endpoint, role));
  const isOneOfSeveral = served.length < endpoints[endpoint].roles.length;
  return defineCheck({
    id: `access.${endpoint}.${stage}${isOneOfSeveral ? `.${served.join()}` : ''}`,
    title:
      refused.length === 0
        ? `${endpoint} serves every role.`
        : `${endpoint} serves ${served.join(' and ')}, but never ${refused.join(' nor ')} (${stage}).`,
    requirements: [
      ...[...refused, ...served].map((role) => accessRequirement(endpoint, role)),
      ...(refused.length > 0 && changesOrder(endpoint)
        ? (['error.refusal-changes-nothing'] as const)
        : []),
    ],
    needs: {
      parties: [...new Set([...served.map((role) => partyOfRole[role]), ...partiesAt(stage)])],
      ...(stage === 'settled' && { waitMs: settlementWaitMs }),
    },
    async run(t) {
      const fixture = await fixtureAt(t, stage, endpoint);
      const forbidden = refused.flatMap((role) =>
        partiesOfRole(t, role).map((by) => ({ by, endpoint })),
      );
      const permitted = served.map((role) => ({
        by: partyOfRole[role],
        endpoint,
        ...(assertServed(endpoint) && { requirement: accessRequirement(endpoint, role) }),
      }));
      await sendForbidden(t, fixture, forbidden, permitted);
    },
  });
};

/** 1.4, part 4: every endpoint serves the roles that it is for and refuses the others, in every stage of an order. */
export const wrongRoleChecks: readonly Check[] = guardedEndpoints.flatMap((endpoint) =>
  stagesOf(endpoint).flatMap((stage) =>
    groupsOf(endpoint).map((served) => checkOf(endpoint, stage, served)),
  ),
);
