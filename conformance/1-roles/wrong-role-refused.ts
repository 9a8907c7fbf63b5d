import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import { accept, createOrder, quote } from '../../src/suite/actions/index.ts';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import {
  accessRequirement,
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
  type RequirementId,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import { assertForbidden, type ForbiddenRequest } from '../shared/forbidden-requests.ts';
import {
  changesOrder,
  type Fixture,
  partyOfRole,
  partiesOfRole,
  type PermittedRequest,
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

const isRefused = (endpoint: GuardedEndpoint, role: Role): boolean =>
  !(endpoints[endpoint].roles as readonly Role[]).includes(role);

/** Whose success stands beside the refusals: one of each role, but only one where it uses up what both need. */
const singleUse: readonly GuardedEndpoint[] = [
  'order.cancel',
  'proposal.accept',
  'quote.accept',
  'quote.submit',
];

interface Row {
  readonly endpoint: GuardedEndpoint;
  readonly stage: Stage;
  readonly twins: readonly Role[];
}

const rows: readonly Row[] = guardedEndpoints.flatMap((endpoint) =>
  stagesOf(endpoint).flatMap((stage): Row[] => {
    const allowed: readonly Role[] = endpoints[endpoint].roles;
    const row = { endpoint, stage };
    return singleUse.includes(endpoint)
      ? allowed.map((role) => ({ ...row, twins: [role] }))
      : [{ ...row, twins: allowed }];
  }),
);

/** Who lays the ground that a stage means. */
export const partiesAt = (stage: Stage): readonly CastName[] => {
  if (stage === 'nothing') return [];
  return stage === 'pending' ? ['sender'] : ['sender', 'maker_a'];
};

/** Lays the ground that a stage means, with a maker's quote where there is one. */
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

const checkOf = (row: Row): Check => {
  const { endpoint, stage, twins } = row;
  const refused = roles.filter((role) => isRefused(endpoint, role));
  const only =
    singleUse.includes(endpoint) && endpoints[endpoint].roles.length > 1 ? `.${twins.join()}` : '';
  const requirements: RequirementId[] = [...refused, ...twins].map((role) =>
    accessRequirement(endpoint, role),
  );
  return defineCheck({
    id: `access.${endpoint}.${stage}${only}`,
    title:
      refused.length === 0
        ? `${endpoint} serves every role.`
        : `${endpoint} serves ${twins.join(' and ')}, but never ${refused.join(' nor ')} (${stage}).`,
    requirements: [
      ...requirements,
      ...(refused.length > 0 && changesOrder(endpoint)
        ? (['error.refusal-changes-nothing'] as const)
        : []),
    ],
    needs: {
      parties: [...new Set([...twins.map((role) => partyOfRole[role]), ...partiesAt(stage)])],
      ...(stage === 'settled' && { waitMs: settlementWaitMs }),
    },
    async run(t) {
      const fixture = await fixtureAt(t, stage, endpoint);
      const negatives = refused.flatMap((role) =>
        partiesOfRole(t, role).map(
          (by): ForbiddenRequest => ({
            by,
            endpoint,
            requirement: accessRequirement(endpoint, role),
            what: `${by}, a ${role}`,
          }),
        ),
      );
      const positives = twins.map(
        (role): PermittedRequest => ({
          by: partyOfRole[role],
          endpoint,
          requirements: [accessRequirement(endpoint, role)],
        }),
      );
      await assertForbidden(t, fixture, negatives, positives);
    },
  });
};

export const wrongRoleChecks: readonly Check[] = rows.map(checkOf);
