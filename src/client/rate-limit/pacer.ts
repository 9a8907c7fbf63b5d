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

/** Timers are late, some more than others: five milliseconds of a second are left for that. */
const spacing = 1.005;

/**
 * Each request goes no sooner than a handful's share of a second after the one that was a handful before it.
 * @param requestsPerSecond the most in any second, save for those asked for promptly and what a burst has beyond a handful
 * @param burst how many may go at once after a pause, where that is more than a handful
 */
export function createPacer(timeline: Timeline, requestsPerSecond: number, burst?: number): Pacer {
  const handful = Math.max(1, Math.floor(requestsPerSecond / handfulsPerSecond));
  const interval = (spacing * 1_000) / requestsPerSecond;
  const aheadMs = Math.max(0, (burst ?? handful) - handful) * interval;
  /** When the last handful went or will go, by place in a ring. */
  const moments = Array.from({ length: handful }, () => Number.NEGATIVE_INFINITY);
  let place = 0;
  return {
    async admit(prompt = false) {
      const now = timeline.now();
      const before = moments[place] ?? Number.NEGATIVE_INFINITY;
      const moment = Math.max(before + handful * interval, now - aheadMs);
      moments[place] = moment;
      place = (place + 1) % handful;
      if (!prompt && moment > now) await timeline.until(Math.ceil(moment));
    },
  };
}
