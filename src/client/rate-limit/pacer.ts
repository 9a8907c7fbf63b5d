import type { Timeline } from '../../timeline/timeline.ts';

/** Lets requests through no faster than a rate, shared by all parties of a target. */
export interface Pacer {
  /** @param prompt goes at once, ahead of all that wait; who comes later waits for it */
  admit(prompt?: boolean): Promise<void>;
}

/** The most requests a second where nobody says otherwise: a clock that is moved is not held up by a rate. */
export const defaultRate = { system: 100, controlled: undefined, virtual: undefined } as const;

/** A second's requests go in so many handfuls: what is sent at once may then also be answered at once. */
const handfulsPerSecond = 20;

/**
 * Those that wait go a handful at a time.
 * @param requestsPerSecond the most in any second, save for what a burst has beyond a handful
 * @param burst how many may go at once after a pause; a handful unless set
 */
export function createPacer(timeline: Timeline, requestsPerSecond: number, burst?: number): Pacer {
  const handful = Math.max(1, Math.floor(requestsPerSecond / handfulsPerSecond));
  // The handful that goes at once after a pause counts as well.
  const interval = 1_000 / (requestsPerSecond - handful + 1);
  const aheadMs = ((burst ?? handful) - 1) * interval;
  const gridMs = handful * interval;
  let next = Number.NEGATIVE_INFINITY;
  return {
    async admit(prompt = false) {
      const now = timeline.now();
      const slot = Math.max(next, now - aheadMs);
      next = slot + interval;
      if (prompt || slot <= now) return;
      const handfulLeaves = Math.ceil(slot / gridMs) * gridMs;
      await timeline.until(Math.ceil(handfulLeaves));
    },
  };
}
