import type { CheckContext } from '../../src/suite/engine/check.ts';
import { tolerance } from '../../src/protocol/tolerances.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';

/** Rows of a table of checks, with their values as types. */
export const rows = <const Rows extends readonly unknown[]>(...all: Rows): Rows => all;

/** Much longer than "about four seconds": after this wait there was no settlement. */
export const settlementTimeoutMs = tolerance.settlement;

/** Maximum wait for a stalled settlement. Its window is unknown (gap `settlement.window`), but most are of seconds. */
export const settlementWindowMs = 45_000;

/** Maximum lag of one party's backend behind another's (gap `views.lag`). */
export const viewLagMs = tolerance.replicationLagMs;

/** Maximum delay until a deadline takes effect (gap `order.expiry_lag`), with room for the read itself. */
export const expiryLagMs = 3_500;

/** The waits that checks announce, in milliseconds of target time. */
export const waits = { settlement: 16_000, quoteExpiry: 9_000, orderExpiry: 70_000 } as const;

export const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** Needs of a check: the longest wait that it announces and its parties. */
export const needsOf = (waitMs: number, ...parties: readonly CastName[]) => ({ parties, waitMs });

/** Waits until the effect of an answered request must show to all parties. */
export const untilViewsAgree = ({ target }: CheckContext): Promise<void> =>
  target.timeline.sleep(viewLagMs + 1);

/** Waits until the deadline of a quote must have taken effect. */
export const untilLapsed = (
  { target }: CheckContext,
  { validUntil }: { readonly validUntil: number },
): Promise<void> => target.timeline.until(validUntil - target.clock.offset.least + expiryLagMs);

/** Waits until `beforeMs` before an instant on the target's clock. */
export const untilBefore = ({ target }: CheckContext, instant: number, beforeMs: number) =>
  target.timeline.until(instant - target.clock.offset.most - beforeMs);

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/**
 * Distances to a deadline, on either side: within a second and at its edge, beyond lags, and beyond sweeps by the
 * minute.
 */
const distancesMs = [1, 500, 999, 2 * secondMs, 10 * secondMs, minuteMs, 10 * minuteMs] as const;

/** On a system clock distances below 500 ms are lost in the time of a request, and no check waits longer than 2 s. */
const onSystemClockMs = { least: 500, most: 2 * secondMs } as const;

/** The distances that can be kept on a target, none longer than may be waited. */
export function distancesOf(
  { target: { clock } }: Pick<CheckContext, 'target'>,
  mostMs = Number.POSITIVE_INFINITY,
): readonly number[] {
  const most = Math.min(mostMs, clock.maxWaitMs);
  const { least, most: longest } = onSystemClockMs;
  return distancesMs.filter(
    (ms) => ms <= most && (clock.kind !== 'system' || (ms >= least && ms <= longest)),
  );
}

/** True if the suite drives the clock of the target and knows its time to the millisecond. */
export const knowsMillisecond = ({ target: { clock } }: Pick<CheckContext, 'target'>): boolean =>
  clock.kind !== 'system' && clock.offset.least === clock.offset.most;

/** A distance for people, as `2 s`. */
export const inWords = (ms: number): string => (ms < secondMs ? `${ms} ms` : `${ms / secondMs} s`);
