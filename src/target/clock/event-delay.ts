import { flushPending } from '../../timeline/event-loop.ts';

/** Between looks at whether anything more has come, in host milliseconds. */
const pollMs = 2;
/** Between two reads of what is not there yet, in host milliseconds. */
const readPollMs = 20;
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
/** A step after which somebody reads may wait longer: there are far fewer of them. */
const mostReadMs = 1_000;
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
  /**
   * Ends once what the last step of the clock set off can be read, as far as that is known.
   * @param isDue whether somebody goes on after that step; whoever was told something by a stream does in any case
   */
  readonly flushReads: (isDue: boolean) => Promise<void>;
  /** How far one step of the clock may go just now, in target milliseconds; undefined: as far as usual. */
  readonly sliceMs: () => number | undefined;
  /**
   * Finds out, while something moves the clock past events, how long they are on their way: a target may answer that
   * its clock has moved before its streams have sent what happened meanwhile.
   */
  measure(moving: () => Promise<void>): Promise<void>;
  /** How long something that must come is on its way, in host milliseconds; undefined where it does not come. */
  delayOf(isThere: () => boolean): Promise<number | undefined>;
  /** As `delayOf`, for what shows only when it is asked for. */
  delayOfRead(read: () => Promise<boolean>, rest: Rest): Promise<number | undefined>;
  /** Has every step wait for what comes so much later than what it follows from. */
  allow(lateMs: number): void;
  /** Has every step after which somebody reads wait so much longer. */
  allowReads(lateMs: number): void;
}

/** Lets host time pass between two reads, and nothing else. */
type Rest = (pause: () => Promise<void>) => Promise<void>;

export interface EventDelayHost {
  /** How many frames have come so far. */
  readonly count: () => number;
  /** Whether some stream has brought the beginning of a message, and not its end. */
  readonly isMidMessage?: () => boolean;
  /** Host milliseconds. */
  readonly now: () => number;
  /** In host milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

export function createEventDelay({
  count,
  isMidMessage = () => false,
  now,
  pause,
}: EventDelayHost): EventDelay {
  let silenceMs = 0;
  let readMs = 0;
  let latest = 0;
  let isMeasuring = false;
  let futile = 0;
  let flushedAt = now();
  /** What had come when it was last waited, and when it was the time before. */
  let [heard, before] = [count(), count()];

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
      flushedAt = now();
      await flushPending();
      if (silenceMs > 0) await awaitSilence();
      await awaitRest();
      [heard, before] = [count(), heard];
    },
    async flushReads(isDue) {
      if (!isDue && heard === before) return;
      const leftMs = flushedAt + readMs - now();
      if (leftMs > 0) await pause(leftMs);
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
      silenceMs = latest === 0 ? 0 : withSlack(latest, mostMs);
    },
    async delayOf(isThere) {
      await flushPending();
      const begun = now();
      while (!isThere() && now() - begun < mostMs) await pause(pollMs);
      return isThere() ? now() - begun : undefined;
    },
    async delayOfRead(read, rest) {
      const begun = now();
      for (;;) {
        const asked = now() - begun;
        if (await read()) return asked;
        if (asked >= mostReadMs) return undefined;
        await rest(() => pause(readPollMs));
      }
    },
    allow(lateMs) {
      if (lateMs > 0) silenceMs = Math.max(silenceMs, withSlack(lateMs, mostMs));
    },
    allowReads(lateMs) {
      if (lateMs > 0) readMs = Math.max(readMs, withSlack(lateMs, mostReadMs));
    },
  };
}

const withSlack = (lateMs: number, mostMs: number): number =>
  Math.min(Math.ceil(lateMs * (1 + slack.part)) + slack.ms, mostMs);
