import type { Timeline } from '../../timeline/timeline.ts';

/** Default maximum of requests per second: a clock that is moved is not limited by a rate. */
export const defaultRate = { system: 100, controlled: undefined, virtual: undefined } as const;

/** Number of groups in which a second's requests are sent: requests that go at once may be answered at once. */
const handfulsPerSecond = 20;

/** Timers are late by different amounts: five milliseconds of each second are reserved for that. */
const spacing = 1.005;

export type Pacer = ReturnType<typeof createPacer>;

/**
 * Lets requests through no faster than a rate, shared by all parties of a target.
 * Sends each request at the earliest one group's share of a second after the request that was one group before it.
 * @param requestsPerSecond maximum in any second, except prompt requests and the part of a burst that is larger than a
 * group
 * @param burst number of requests that may go at once after a pause, if that is larger than a group
 */
export function createPacer(timeline: Timeline, requestsPerSecond: number, burst?: number) {
  const handful = Math.max(1, Math.floor(requestsPerSecond / handfulsPerSecond));
  const interval = (spacing * 1_000) / requestsPerSecond;
  const aheadMs = Math.max(0, (burst ?? handful) - handful) * interval;
  /** Moments at which the requests of the last group went or will go, in a ring. */
  const moments = Array.from({ length: handful }, () => Number.NEGATIVE_INFINITY);
  let place = 0;
  return {
    /** @param prompt goes at once, ahead of all that wait; later requests wait for it */
    async admit(prompt = false): Promise<void> {
      const now = timeline.now();
      const before = moments[place] ?? Number.NEGATIVE_INFINITY;
      const moment = Math.max(before + handful * interval, now - aheadMs);
      moments[place] = moment;
      place = (place + 1) % handful;
      if (!prompt && moment > now) await timeline.until(Math.ceil(moment));
    },
  };
}
