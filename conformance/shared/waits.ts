import type { CheckContext } from '../../src/suite/engine/check.ts';
import { tolerance } from '../../src/protocol/tolerances.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';

/** Longer than "about four seconds" by far: who waits this long in vain has not seen a settlement. */
export const settlementTimeoutMs = tolerance.settlement;

/** How long a stalled settlement is waited for: no window is shown (gap `settlement.window`), and most are of seconds. */
export const settlementWindowMs = 45_000;

/** How far one party's backend may lag behind another's (gap `views.lag`). */
export const viewLagMs = tolerance.replicationLagMs;

/** How late a deadline may take effect (gap `order.expiry_lag`), with room for the look itself. */
export const expiryLagMs = 3_500;

/** The waits that checks announce, in milliseconds of target time. */
export const waits = {
  settlement: 16_000,
  quoteExpiry: 9_000,
  orderExpiry: 70_000,
} as const;

/** What a check needs: the longest wait that it announces, and its parties, each once. */
export const needsOf = (waitMs: number, ...parties: readonly CastName[]) => ({
  parties: [...new Set(parties)],
  waitMs,
});

/** Waits until what a backend has answered must show to all parties. */
export const untilViewsAgree = ({ target }: CheckContext): Promise<void> =>
  target.timeline.sleep(viewLagMs + 1);

/** Waits until the deadline of a quote must have taken effect. */
export const untilLapsed = (
  { target }: CheckContext,
  { validUntil }: { readonly validUntil: number },
): Promise<void> => target.timeline.until(validUntil - target.clock.offset.least + expiryLagMs);

/** Waits until so long before an instant on the target's clock. */
export const untilBefore = (
  { target }: CheckContext,
  instant: number,
  beforeMs: number,
): Promise<void> => target.timeline.until(instant - target.clock.offset.most - beforeMs);
