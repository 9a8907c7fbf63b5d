import { ownLimits } from '../../history/limits.ts';
import { overLimit } from './halt.ts';

/** Steps and values that a scenario may still use. A scenario that exceeds them ends there, and is not judged. */
export interface Budget {
  /** Counts one step, or one attempt of a repeated request. */
  step(): void;
  /** Counts a value of this many characters. */
  value(chars: number): void;
}

/** @param now time of the target's own clock, if it runs by itself: waits on a driven clock cost nothing */
export function createBudget(now: (() => number) | undefined): Budget {
  const until = (now?.() ?? 0) + ownLimits['scenario.own_clock_ms'];
  let steps = 0;
  let chars = 0;
  return {
    step() {
      steps += 1;
      if (steps > ownLimits['scenario.steps']) overLimit('scenario.steps');
      if (now && now() > until) overLimit('scenario.own_clock_ms');
    },
    value(size) {
      chars += size;
      if (chars > ownLimits['scenario.all_chars']) overLimit('scenario.all_chars');
    },
  };
}
