import type { Clock } from '../../timeline/clock/clock.ts';

/** The clock of a host that stands still now and then: time goes on, and what comes due meanwhile is late. */
export interface PausedClock extends Clock {
  /** Nothing fires before this moment. */
  pauseUntil(instant: number): void;
  /** How much longer it stands still; 0 while it does not. */
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
