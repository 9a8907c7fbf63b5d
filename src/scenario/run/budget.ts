import { ownLimits } from '../../history/limits.ts';
import { overLimit } from './halt.ts';

/** What a scenario may still do and make. Whatever runs out of it ends there, and is not judged. */
export interface Budget {
  /** One more step, or one more attempt of a step that asks again and again. */
  step(): void;
  /** A value of so many characters. */
  value(chars: number): void;
}

/**
 * @param now of the target's own clock, where it runs by itself: waits on a driven clock cost nothing
 */
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
