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
/** The host milliseconds that the rest of a message, or a heartbeat that is due, is waited for. */
const restMs = 2_000;
/** However many messages come one after the other. */
const mostRestMs = 10_000;
/**
 * The number of waits in a row that may be in vain before no more are made. Some targets end a message with the next one
 * only, and some send no heartbeats.
 */
const futileAllowed = { rest: 2, beat: 5 } as const;

/** Waits until what a target sent has come. */
export interface EventDelay {
  /**
   * Ends once all that the last step of the clock set off has come, as far as that is known.
   * @param isPassing nobody listens: streams that are known to lag may bring it during later steps, since each message
   * says how old it may be
   */
  readonly flushPending: (isPassing?: boolean) => Promise<void>;
  /** Longest step of the clock at the moment, in target milliseconds; undefined: as long as usual. */
  readonly sliceMs: () => number | undefined;
  /**
   * Finds out, while something moves the clock past events, how long they are on their way: a target may answer that
   * its clock has moved before its streams have sent what happened meanwhile.
   */
  measure(moving: () => Promise<void>): Promise<void>;
}

export interface EventDelayHost {
  /** Number of frames that have come so far. */
  readonly count: () => number;
  /** True if a stream has brought the beginning of a message, and not its end. */
  readonly isMidMessage?: () => boolean;
  /** The parties that have a stream without the heartbeat that was due. */
  readonly overdue?: () => readonly string[];
  /** Heartbeats that were overdue have come. */
  readonly cameLate?: (parties: readonly string[]) => void;
  /** Host milliseconds. */
  readonly now: () => number;
  /** In host milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Host milliseconds until the messages of the clock's last step have come, as far as that is known. */
  readonly leftMs?: () => number;
  /** Called if they are not waited for. */
  readonly passing?: () => void;
}

export function createEventDelay({
  count,
  isMidMessage = () => false,
  overdue = () => [],
  cameLate = () => undefined,
  now,
  pause,
  leftMs = () => 0,
  passing = () => undefined,
}: EventDelayHost): EventDelay {
  let silenceMs = 0;
  let latest = 0;
  let isMeasuring = false;

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

  /** Waits until nothing is to come any more, unless earlier waits were in vain too often. */
  function awaitWhile(isToCome: () => boolean, allowed: number): () => Promise<void> {
    let futile = 0;
    return async () => {
      if (!isToCome() || futile > allowed) return;
      const begun = now();
      let [seen, since] = [count(), begun];
      while (isToCome() && now() - since < restMs && now() - begun < mostRestMs) {
        await pause(pollMs);
        // More messages may be right behind.
        if (!isToCome()) await flushPending();
        if (count() !== seen) [seen, since] = [count(), now()];
      }
      futile = isToCome() ? futile + 1 : 0;
    };
  }
  const awaitRest = awaitWhile(isMidMessage, futileAllowed.rest);
  const awaitOverdue = awaitWhile(() => overdue().length > 0, futileAllowed.beat);

  async function awaitBeats(): Promise<void> {
    const late = overdue();
    if (late.length === 0) return;
    await awaitOverdue();
    if (overdue().length === 0) cameLate(late);
  }

  return {
    async flushPending(isPassing = false) {
      await flushPending();
      const isKnown = leftMs() > 0;
      if (isPassing && isKnown) return passing();
      for (let ms = leftMs(); ms > 0; ms = leftMs()) await pause(ms);
      if (silenceMs > 0 && !isKnown) await awaitSilence();
      await awaitRest();
      await awaitBeats();
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
