import { createClock } from '@sinonjs/fake-timers';
import type { Clock } from './clock.ts';
import { type Deadline, deadlines } from './deadline-heap.ts';

/** A clock that moves only when told to, forward only. */
export interface VirtualClock extends Clock {
  readonly kind: 'virtual';
  /** The moment of the earliest deadline; never before now. */
  nextDue(): number | undefined;
  /** Moves to the earliest deadline and fires only that one; returns it, or undefined if there is none. */
  advanceToNext(): Deadline | undefined;
  /** Fires all deadlines up to the moment, one by one in order, and ends there. */
  advanceTo(instant: number): void;
}

/**
 * The library keeps the time, and the heap keeps the deadlines: with 100,000 timers in the library, its `tick` costs
 * milliseconds, and it delays by 1 ms a timer that is scheduled for now while another fires.
 */
export function virtualClock(startMs: number): VirtualClock {
  const fake = createClock(startMs);
  const due = deadlines();
  let firing = false;

  function refuseWithin(): void {
    if (firing) throw new Error('the virtual clock was moved from within a deadline');
  }

  function fireOne(deadline: Deadline): void {
    refuseWithin();
    if (fake.now < deadline.instant) fake.tick(deadline.instant - fake.now);
    due.remove(deadline);
    firing = true;
    try {
      deadline.fire();
    } finally {
      firing = false;
    }
  }

  function advanceToNext(): Deadline | undefined {
    const next = due.peek();
    if (next) fireOne(next);
    return next;
  }

  return {
    kind: 'virtual',
    now: () => fake.now,
    at(instant, fire, effect) {
      if (!Number.isFinite(instant)) throw new TypeError(`not a moment: ${instant}`);
      const deadline = due.add(Math.max(Math.ceil(instant), fake.now), fire, effect);
      return () => due.remove(deadline);
    },
    nextDue: () => due.peek()?.instant,
    advanceToNext,
    advanceTo(instant) {
      refuseWithin();
      if (instant < fake.now)
        throw new RangeError(`time cannot go back from ${fake.now} to ${instant}`);
      for (let next = due.peek(); next && next.instant <= instant; next = due.peek())
        advanceToNext();
      fake.tick(instant - fake.now);
    },
  };
}
