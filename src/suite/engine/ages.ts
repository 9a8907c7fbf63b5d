import type { Target } from '../../client/contract.ts';
import type { Check } from './check.ts';

/** A moment of a run at which the checks that ask for it (`Check.ages`) are run once more. */
export interface Age {
  /** Text for the end of a sentence: `11 minutes into the run`. */
  readonly called: string;
  /** On the timeline. */
  readonly at: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Longer than caches of some minutes, sessions of ten, and tokens of an hour. */
const minutes = [4, 11, 61] as const;

/** Milliseconds after midnight at which every backend shows the new day. */
const afterMidnightMs = 1_000;

const isNewMonth = (instant: number): boolean => new Date(instant).getUTCDate() === 1;

/** Ages of a run that begins now: fixed spans, the next midnight on the target's clock, and a month's end if near. */
export function agesOf({ timeline, clock }: Pick<Target, 'timeline' | 'clock'>): readonly Age[] {
  const now = timeline.now();
  const today = Math.floor((now + clock.offset.most) / dayMs);
  const [first = 0, second = 0] = [1, 2].map((days) => (today + days) * dayMs);
  const turns = isNewMonth(second) ? [first, second] : [first];
  return [
    ...minutes.map((count) => ({
      called: `${count} minutes into the run`,
      at: now + count * minuteMs,
    })),
    ...turns.map((instant) => ({
      called: `at the beginning of a ${isNewMonth(instant) ? 'month' : 'day'} (UTC)`,
      at: instant - clock.offset.least + afterMidnightMs,
    })),
  ];
}

/** The checks that are run again at the n-th age, counted from 0. */
export function repeatedAt<C extends { readonly check: Check }>(
  planned: readonly C[],
  n: number,
): readonly C[] {
  const inTurns = planned.filter(({ check }) => check.ages === 'in_turns');
  const now = new Set(inTurns.filter((_, place) => (place + n) % 2 === 0));
  return planned.filter((each) => each.check.ages === true || now.has(each));
}
