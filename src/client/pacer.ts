import type { Timeline } from '../runtime/timeline.ts';

/** Lets requests through no faster than a rate, shared by all parties of a target. */
export interface Pacer {
  admit(): Promise<void>;
}

/** `burst`: how many may go at once after a pause; from then on they are evenly apart. */
export function createPacer(timeline: Timeline, requestsPerSecond: number, burst = 1): Pacer {
  const interval = 1_000 / requestsPerSecond;
  let next = Number.NEGATIVE_INFINITY;
  return {
    async admit() {
      const slot = Math.max(next, timeline.now() - (burst - 1) * interval);
      next = slot + interval;
      if (slot > timeline.now()) await timeline.until(Math.ceil(slot));
    },
  };
}
