import { flushPending } from '../../timeline/event-loop.ts';

/** Between looks at whether anything more has come, in host milliseconds. */
const pollMs = 2;
/** While it is measured, silence for so long is taken for the end of what was sent. */
const measuringSilenceMs = 25;
/**
 * A step costs `measuringSilenceMs` while it is measured, so there must be few. Only heartbeats come meanwhile, and their grain
 * does not matter.
 */
const longSliceMs = 15_000;
/** A host is busy now and then: silence is waited for a little longer than what is late was on its way. */
const slack = { part: 0.1, ms: 4 } as const;
/** However slowly a target's streams come, a step of its clock waits no longer than this. */
const mostMs = 200;

/** Waits until what a target sent has come. */
export interface EventDelay {
  /** Ends once all that the last step of the clock set off has come, as far as that is known. */
  readonly flushPending: () => Promise<void>;
  /** How far one step of the clock may go just now, in target milliseconds; undefined: as far as usual. */
  readonly sliceMs: () => number | undefined;
  /**
   * Finds out, while something moves the clock past events, how long they are on their way: a target may answer that
   * its clock has moved before its streams have sent what happened meanwhile.
   */
  measure(moving: () => Promise<void>): Promise<void>;
  /** How long something that must come is on its way, in host milliseconds; undefined where it does not come. */
  delayOf(isThere: () => boolean): Promise<number | undefined>;
  /** Has every step wait for what comes so much later than what it follows from. */
  allow(lateMs: number): void;
}

/**
 * @param count how many frames have come so far
 * @param now host milliseconds
 * @param pause in host milliseconds
 */
export function createEventDelay(
  count: () => number,
  now: () => number,
  pause: (ms: number) => Promise<void>,
): EventDelay {
  let silenceMs = 0;
  let latest = 0;
  let isMeasuring = false;
  const silenceFor = (lateMs: number): number =>
    Math.min(Math.ceil(lateMs * (1 + slack.part)) + slack.ms, mostMs);

  return {
    async flushPending() {
      await flushPending();
      if (silenceMs === 0) return;
      const begun = now();
      let [seen, since] = [count(), begun];
      while (now() - since < silenceMs && now() - begun < mostMs) {
        await pause(pollMs);
        if (count() === seen) continue;
        [seen, since] = [count(), now()];
        latest = Math.max(latest, since - begun);
      }
    },
    sliceMs: () => (isMeasuring ? longSliceMs : undefined),
    async measure(moving) {
      [silenceMs, latest, isMeasuring] = [measuringSilenceMs, 0, true];
      try {
        await moving();
      } finally {
        isMeasuring = false;
      }
      // In the same packet as the answer, or right behind it: then turns of the event loop are enough.
      silenceMs = latest === 0 ? 0 : silenceFor(latest);
    },
    async delayOf(isThere) {
      await flushPending();
      const begun = now();
      while (!isThere() && now() - begun < mostMs) await pause(pollMs);
      return isThere() ? now() - begun : undefined;
    },
    allow(lateMs) {
      if (lateMs > 0) silenceMs = Math.max(silenceMs, silenceFor(lateMs));
    },
  };
}
