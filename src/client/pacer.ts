import type { Timeline } from '../runtime/timeline.ts';

/** Lets requests through no faster than a rate, shared by all parties of a target. */
export interface Pacer {
  admit(): Promise<void>;
}

export function createPacer(timeline: Timeline, requestsPerSecond: number): Pacer {
  const interval = 1_000 / requestsPerSecond;
  let next = Number.NEGATIVE_INFINITY;
  return {
    async admit() {
      const slot = Math.max(next, timeline.now());
      next = slot + interval;
      if (slot > timeline.now()) await timeline.until(Math.ceil(slot));
    },
  };
}
