import { tolerance } from '../../protocol/tolerances.ts';
import type { Clock } from '../../timeline/clock/clock.ts';

/** A target that acts later than this could not be told from one that is late by itself. */
const longestMs = tolerance.deadlineLateMs - 500;

/** The times at which a target cannot act. Outages that follow each other are bounded together. */
export class Outages {
  #since = Number.NEGATIVE_INFINITY;
  #overMs = Number.NEGATIVE_INFINITY;

  /**
   * Begins an outage at a moment. Returns how long it may last, at most `ms`.
   * @param lateMs milliseconds after its end during which the target may still act late
   */
  begin(now: number, ms: number, lateMs = 0): number {
    if (now > this.#overMs) this.#since = now;
    const mostMs = this.#since + longestMs - now - lateMs;
    const grantedMs = Math.max(0, Math.min(ms, mostMs));
    if (grantedMs > 0) this.#overMs = Math.max(this.#overMs, now + grantedMs + lateMs);
    return grantedMs;
  }

  /** True if a due action may not have happened yet: during an outage, and in the moment in which it ends. */
  isLate(now: number): boolean {
    return now <= this.#overMs;
  }

  get overMs(): number {
    return this.#overMs;
  }
}

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
