import type { Clock } from '../../timeline/clock/clock.ts';

/** The clock of a host that pauses now and then: time goes on, and timers that come due meanwhile fire late. */
export interface PausedClock extends Clock {
  /** Nothing fires before this moment. */
  pauseUntil(instant: number): void;
  /** Milliseconds until the pause ends; 0 if there is none. */
  leftMs(): number;
}

export function pausedClock(clock: Clock): PausedClock {
  let until = Number.NEGATIVE_INFINITY;
  return {
    ...clock,
    now: () => clock.now(),
    at(instant, fire, effect) {
      let cancel = clock.at(instant, arrive, effect);
      function arrive(): void {
        if (clock.now() < until) cancel = clock.at(until, arrive, effect);
        else fire();
      }
      return () => cancel();
    },
    pauseUntil(instant) {
      until = Math.max(until, instant);
    },
    leftMs: () => Math.max(0, until - clock.now()),
  };
}
