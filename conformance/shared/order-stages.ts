import type { CheckContext } from '../../src/suite/engine/check.ts';
import { accept, createOrder, quote } from '../../src/suite/actions/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { CastName, GuardedEndpoint } from '../../src/spec/requirements/index.ts';
import { type Fixture, settlementWaitMs, untilSettled } from './endpoint-operations.ts';

/** Stage of an order when the wrong role tries something on it. */
export type Stage = 'nothing' | 'pending' | 'quoted' | 'settled';

/** Stages at which the document requires that the right role is served. */
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

/** The first stage at which an endpoint serves its roles for certain. */
export const firstStageOf = (endpoint: GuardedEndpoint): Stage =>
  stagesOf(endpoint)[0] ?? 'nothing';

/** Parties that are needed to bring an order to a stage. */
export const partiesAt = (stage: Stage): readonly CastName[] => {
  if (stage === 'nothing') return [];
  return stage === 'pending' ? ['sender'] : ['sender', 'maker_a'];
};

/** An order at a stage, with a maker's quote if the stage has one. */
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

/** Needs of a check whose parties send a request at a stage. */
export const needsAt = (stage: Stage, ...by: readonly CastName[]) => ({
  parties: [...new Set([...by, ...partiesAt(stage)])],
  ...(stage === 'settled' && { waitMs: settlementWaitMs }),
});
