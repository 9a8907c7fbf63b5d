import type { Clock } from './clock.ts';
import { deadlines } from './deadline-heap.ts';

/** A clock that moves only when it is advanced, and never backwards. */
export interface VirtualClock extends Clock {
  readonly kind: 'virtual';
  /** The moment of the earliest deadline; never before now. */
  nextDue(): number | undefined;
  /** Moves to the earliest deadline and fires that one alone; false where there is none. */
  advanceToNext(): boolean;
  /** Fires whatever is due until the moment, one by one in order, and ends there. */
  advanceTo(instant: number): void;
}

export function virtualClock(startMs: number): VirtualClock {
  const due = deadlines();
  let now = startMs;
  let firing = false;

  function refuseWithin(): void {
    if (firing) throw new Error('the virtual clock was moved from within a deadline');
  }

  function advanceToNext(): boolean {
    const next = due.peek();
    if (!next) return false;
    refuseWithin();
    due.remove(next);
    now = next.instant;
    firing = true;
    try {
      next.fire();
    } finally {
      firing = false;
    }
    return true;
  }

  return {
    kind: 'virtual',
    now: () => now,
    at(instant, fire) {
      if (!Number.isFinite(instant)) throw new TypeError(`not a moment: ${instant}`);
      const deadline = due.add(Math.max(Math.ceil(instant), now), fire);
      return () => due.remove(deadline);
    },
    nextDue: () => due.peek()?.instant,
    advanceToNext,
    advanceTo(instant) {
      refuseWithin();
      if (instant < now) throw new RangeError(`time cannot go back from ${now} to ${instant}`);
      for (let next = due.peek(); next && next.instant <= instant; next = due.peek())
        advanceToNext();
      now = instant;
    },
  };
}
