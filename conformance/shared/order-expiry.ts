import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  retryWhileRefused,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quoteBody,
  readOrder,
  untilExpired,
} from '../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { assertState, assertReaches } from './order-assertions.ts';
import { acceptanceFields, isSet, stateOf, expiryLagMs } from './order-calls.ts';

/** Waits until so long before an order's own deadline; out of scope where that is longer than may be waited. */
export async function untilNear(
  t: CheckContext,
  order: PlacedOrder,
  beforeMs: number,
): Promise<number> {
  const { expiresAt } = order;
  if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
  const { timeline, clock } = t.target;
  const moment = expiresAt - clock.offset.most - beforeMs;
  t.allowWait(moment - timeline.now() + beforeMs, "this target's orders' life");
  await timeline.until(moment);
  return expiresAt;
}

/** An order just before its deadline is what it was; a little after, it is EXPIRED for good. */
export async function assertExpires(
  t: CheckContext,
  order: PlacedOrder,
  more: readonly RequirementId[] = [],
): Promise<void> {
  const { timeline, clock } = t.target;
  const deadline = await untilNear(t, order, 600);
  const before = await readOrder(t, order);
  if (before.exchange.received + clock.offset.most < deadline - 25) {
    const early = 'order.state.pending-to-expired.not-early';
    assertState(t, early, before, ['PENDING'], 'before its expires_at');
  }
  await untilExpired(t, order);
  const when = 'well after its expires_at';
  for (const requirement of ['order.state.pending-to-expired', ...more] as const) {
    await assertReaches(t, requirement, order, ['EXPIRED'], expiryLagMs, when);
  }
  const ended = await readOrder(t, order);
  const set = [...acceptanceFields, 'settled_at'].filter((name) => isSet(ended.data, name));
  t.assert('order.quote-id.not-before-acceptance', !set.includes('quote_id'), {
    message: `An order that expired without an accepted quote showed ${set.join(', ')}.`,
    seen: [ended.exchange],
  });
  await timeline.sleep(1_000);
  const later = await readOrder(t, order);
  if (stateOf(ended.data) === 'EXPIRED') {
    assertState(t, 'order.state.expired-absorbs', later, ['EXPIRED'], 'after it had expired');
  }
}

export const expiryRequirements = [
  'order.state.pending-to-expired',
  'order.state.pending-to-expired.not-early',
  'order.state.expired-absorbs',
  'order.quote-id.not-before-acceptance',
] as const satisfies readonly RequirementId[];

/** A quote valid beyond its order's deadline where a target takes one (gap `quote.beyond_expiry`). */
export async function quoteBeyondExpiry(
  t: CheckContext,
  maker: CastName,
  order: PlacedOrder,
): Promise<PlacedQuote | undefined> {
  const { expiresAt } = order;
  if (expiresAt === undefined) return undefined;
  const body = quoteBody(t, order, { validUntil: expiresAt + 20_000 });
  const exchange = await retryWhileRefused(t, () =>
    t.party(maker).call('quote.submit', { params: paramsOf(order), body }),
  );
  const placed = placedQuote(maker, exchange);
  return placed && placed.validUntil > expiresAt ? placed : undefined;
}
