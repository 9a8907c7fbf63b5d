import type { Trial } from '../../src/conformance/check.ts';
import {
  insist,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quoteBody,
  readOrder,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { judgeState, mustReach } from './verdicts.ts';
import { acceptanceFields, isSet, stateOf, sweepMs } from './words.ts';

/** Waits until so long before an order's own deadline; out of scope where that is longer than may be waited. */
export async function untilNear(
  trial: Trial,
  order: PlacedOrder,
  beforeMs: number,
): Promise<number> {
  const { expiresAt } = order;
  if (expiresAt === undefined) return trial.giveUp('the order carries no deadline');
  const { timeline, clock } = trial.target;
  const moment = expiresAt - clock.offset.most - beforeMs;
  trial.mayWait(moment - timeline.now() + beforeMs, "this target's orders' life");
  await timeline.until(moment);
  return expiresAt;
}

/** An order just before its deadline is what it was; a little after, it is EXPIRED for good. */
export async function judgeExpiry(
  trial: Trial,
  order: PlacedOrder,
  more: readonly RequirementId[] = [],
): Promise<void> {
  const { timeline, clock } = trial.target;
  const deadline = await untilNear(trial, order, 600);
  const before = await readOrder(trial, order);
  if (before.exchange.received + clock.offset.most < deadline - 25) {
    const early = 'order.state.pending-to-expired.not-early';
    judgeState(trial, early, before, ['PENDING'], 'before its expires_at');
  }
  await untilExpired(trial, order);
  const when = 'well after its expires_at';
  for (const requirement of ['order.state.pending-to-expired', ...more] as const) {
    await mustReach(trial, requirement, order, ['EXPIRED'], sweepMs, when);
  }
  const ended = await readOrder(trial, order);
  const set = [...acceptanceFields, 'settled_at'].filter((name) => isSet(ended.data, name));
  trial.judge('order.quote-id.not-before-acceptance', !set.includes('quote_id'), {
    message: `An order that expired without an accepted quote showed ${set.join(', ')}.`,
    seen: [ended.exchange],
  });
  await timeline.sleep(1_000);
  const later = await readOrder(trial, order);
  if (stateOf(ended.data) === 'EXPIRED') {
    judgeState(trial, 'order.state.expired-absorbs', later, ['EXPIRED'], 'after it had expired');
  }
}

export const expiryRequirements = [
  'order.state.pending-to-expired',
  'order.state.pending-to-expired.not-early',
  'order.state.expired-absorbs',
  'order.quote-id.not-before-acceptance',
] as const satisfies readonly RequirementId[];

/** A quote valid beyond its order's deadline where a target takes one (gap `quote.beyond_expiry`). */
export async function longQuote(
  trial: Trial,
  maker: CastName,
  order: PlacedOrder,
): Promise<PlacedQuote | undefined> {
  const { expiresAt } = order;
  if (expiresAt === undefined) return undefined;
  const body = quoteBody(trial, order, { validUntil: expiresAt + 20_000 });
  const exchange = await insist(trial, () =>
    trial.party(maker).call('quote.submit', { params: paramsOf(order), body }),
  );
  const placed = placedQuote(maker, exchange);
  return placed && placed.validUntil > expiresAt ? placed : undefined;
}
