import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import { accept, createOrder, quote } from '../../src/conformance/moves/index.ts';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import {
  accessRequirement,
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
  type RequirementId,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/words.ts';
import { beside, type Negative } from '../beside.ts';
import {
  actsOnOrder,
  type Ground,
  player,
  players,
  type Positive,
  settlementWaitMs,
  untilSettled,
} from '../deeds.ts';

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
const usesUp: readonly GuardedEndpoint[] = [
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
    return usesUp.includes(endpoint)
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
export async function groundAt(
  trial: Trial,
  stage: Stage,
  endpoint: GuardedEndpoint,
): Promise<Ground> {
  if (stage === 'nothing') return {};
  const order = await createOrder(
    trial,
    {},
    endpoint === 'proposal.accept' ? { proposal: 'leave' } : {},
  );
  if (stage === 'pending') return { order };
  const placed = await quote(trial, 'maker_a', order);
  if (stage === 'quoted') {
    if (trial.target.parties.maker_b) await quote(trial, 'maker_b', order);
    return { order, quote: placed };
  }
  await accept(trial, order, placed);
  await untilSettled(trial, order);
  return { order };
}

const checkOf = (row: Row): Check => {
  const { endpoint, stage, twins } = row;
  const refused = roles.filter((role) => isRefused(endpoint, role));
  const only =
    usesUp.includes(endpoint) && endpoints[endpoint].roles.length > 1 ? `.${twins.join()}` : '';
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
      ...(refused.length > 0 && actsOnOrder(endpoint)
        ? (['error.refusal-changes-nothing'] as const)
        : []),
    ],
    needs: {
      parties: [...new Set([...twins.map((role) => player[role]), ...partiesAt(stage)])],
      ...(stage === 'settled' && { waitMs: settlementWaitMs }),
    },
    async run(trial) {
      const ground = await groundAt(trial, stage, endpoint);
      const negatives = refused.flatMap((role) =>
        players(trial, role).map(
          (by): Negative => ({
            by,
            endpoint,
            requirement: accessRequirement(endpoint, role),
            what: `${by}, a ${role}`,
          }),
        ),
      );
      const positives = twins.map(
        (role): Positive => ({
          by: player[role],
          endpoint,
          requirements: [accessRequirement(endpoint, role)],
        }),
      );
      await beside(trial, ground, negatives, positives);
    },
  });
};

export const roleChecks: readonly Check[] = rows.map(checkOf);
