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
const slack = { part: 1.1, ms: 4 } as const;
/** However long streams go on, a step of the clock waits no longer for them to fall silent. */
const mostMs = 200;
/** The rest of a message that has begun is on its way: it is given so long, in host milliseconds. */
const restMs = 2_000;
/** However many messages come one after the other. */
const mostRestMs = 10_000;
/** How many times in a row the rest may fail to come: some targets end a message with the next one only. */
const futileAllowed = 2;

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
}

export interface EventDelayHost {
  /** How many frames have come so far. */
  readonly count: () => number;
  /** Whether some stream has brought the beginning of a message, and not its end. */
  readonly isMidMessage?: () => boolean;
  /** Host milliseconds. */
  readonly now: () => number;
  /** In host milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** How much longer what the last step of the clock set off is on its way, in host milliseconds, as far as that is known. */
  readonly leftMs?: () => number;
}

export function createEventDelay({
  count,
  isMidMessage = () => false,
  now,
  pause,
  leftMs = () => 0,
}: EventDelayHost): EventDelay {
  let silenceMs = 0;
  let latest = 0;
  let isMeasuring = false;
  let futile = 0;

  async function awaitSilence(): Promise<void> {
    const begun = now();
    let [seen, since] = [count(), begun];
    while (now() - since < silenceMs && now() - begun < mostMs) {
      await pause(pollMs);
      if (count() === seen) continue;
      [seen, since] = [count(), now()];
      latest = Math.max(latest, since - begun);
    }
  }

  async function awaitRest(): Promise<void> {
    if (!isMidMessage() || futile > futileAllowed) return;
    const begun = now();
    let [seen, since] = [count(), begun];
    while (isMidMessage() && now() - since < restMs && now() - begun < mostRestMs) {
      await pause(pollMs);
      // The next message may be right behind.
      if (!isMidMessage()) await flushPending();
      if (count() !== seen) [seen, since] = [count(), now()];
    }
    futile = isMidMessage() ? futile + 1 : 0;
  }

  return {
    async flushPending() {
      await flushPending();
      const isKnown = leftMs() > 0;
      for (let ms = leftMs(); ms > 0; ms = leftMs()) await pause(ms);
      if (silenceMs > 0 && !isKnown) await awaitSilence();
      await awaitRest();
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
      silenceMs = latest === 0 ? 0 : Math.min(Math.ceil(latest * slack.part) + slack.ms, mostMs);
    },
  };
}
