import type { Timeline } from '../runtime/timeline.ts';

/** Lets requests through no faster than a rate, shared by all parties of a target. */
export interface Pacer {
  admit(): Promise<void>;
}

/** Of a second's requests so many go together, so that what is sent at once may also be answered at once. */
const handfuls = 20;

/**
 * @param requestsPerSecond the most in any second
 * @param burst how many may go at once after a pause, a handful unless told; those that wait go a handful at a time
 */
export function createPacer(timeline: Timeline, requestsPerSecond: number, burst?: number): Pacer {
  const handful = Math.max(1, Math.floor(requestsPerSecond / handfuls));
  // What goes at once after a pause counts as well.
  const interval = 1_000 / (requestsPerSecond - handful + 1);
  const aheadMs = ((burst ?? handful) - 1) * interval;
  const gridMs = handful * interval;
  let next = Number.NEGATIVE_INFINITY;
  return {
    async admit() {
      const now = timeline.now();
      const slot = Math.max(next, now - aheadMs);
      next = slot + interval;
      if (slot > now) await timeline.until(Math.ceil(Math.ceil(slot / gridMs) * gridMs));
    },
  };
}
