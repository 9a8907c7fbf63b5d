import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  awaitStatus,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quoteBody,
  readOrder,
  retryWhileRefused,
  untilExpired,
} from '../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { expiryLagMs } from './waits.ts';

/** Waits until `beforeMs` before an order's own deadline; out of scope if that is longer than the admissible wait. */
export async function untilNear(
  t: CheckContext,
  order: PlacedOrder,
  beforeMs: number,
): Promise<number> {
  const { expiresAt } = order;
  if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
  const { timeline, clock } = t.target;
  const until = expiresAt - clock.offset.most - beforeMs;
  t.allowWait(until - timeline.now() + beforeMs, "this target's orders' life");
  await timeline.until(until);
  return expiresAt;
}

export const expiryRequirements = [
  'order.state.pending-to-expired',
  'order.state.pending-to-expired.not-early',
  'order.state.expired-absorbs',
  'order.quote-id.not-before-acceptance',
] as const satisfies readonly RequirementId[];

/** Reads an order just before its deadline, once the deadline must have taken effect, and a second later. */
export async function followToExpiry(t: CheckContext, order: PlacedOrder): Promise<void> {
  await untilNear(t, order, 600);
  await readOrder(t, order, order.by);
  await untilExpired(t, order);
  await awaitStatus(t, order, ['EXPIRED'], expiryLagMs, order.by);
  await untilExpired(t, order, expiryLagMs);
  await readOrder(t, order, order.by);
  await t.target.timeline.sleep(1_000);
  await readOrder(t, order, order.by);
}

/** A quote valid beyond its order's deadline; undefined if the target takes none (gap `quote.beyond_expiry`). */
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
