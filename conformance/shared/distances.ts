import type { CheckContext } from '../../src/suite/engine/check.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/**
 * Distances to a deadline, on either side: within a second and at its edge, beyond lags, and beyond sweeps by the
 * minute.
 */
export const distancesMs = [
  1,
  500,
  999,
  2 * secondMs,
  10 * secondMs,
  minuteMs,
  10 * minuteMs,
] as const;

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
