import { type DiscreteOptions, discreteTimeline } from './discrete/discrete-timeline.ts';
import type { MoveEffect } from './discrete/time-driver.ts';
import { flushPending } from './event-loop.ts';
import { LostClockError } from './timeline-errors.ts';
import type { Timeline } from './timeline.ts';
import { virtualClock } from './clock/virtual-clock.ts';

/** A target's clock that is driven over the wire. */
export interface DrivenClock {
  /** Last reading of the target's clock, in milliseconds since the epoch. */
  readonly startMs: number;
  /** Moves it on by `ms` milliseconds; returns its new reading once everything due has fired. */
  advance(ms: number): Promise<number>;
}

export interface ControlledOptions extends Pick<DiscreteOptions, 'watchdogMs'> {
  /**
   * Maximum length of a step, read before each step: events within a step cannot be dated more exactly. 1,000 by
   * default; steps are longer while all sleep for long (see `calmStride`).
   */
  readonly sliceMs?: () => number | undefined;
  /**
   * Resolves once everything that the target sent has surely arrived; some turns of the event loop by default.
   * @param isPassing a long step of a calm time: what it set off may arrive during later steps
   */
  readonly flushPending?: (isPassing?: boolean) => Promise<void>;
  /** Milliseconds that the clock may go on by itself between two steps. Absent: it does not. */
  readonly driftMs?: () => number;
  /** See `TimeDriver`. */
  readonly patienceMs?: () => number;
}

const usualSliceMs = 1_000;

interface Step {
  readonly from: number;
  readonly to: number;
}

/**
 * Longer steps for calm times: nobody listens, and the first wait ends more than `distance` slices from here. A step
 * is `stride` slices long, or a `part` of the calm so far if that is longer, but at most half of the time left and at
 * most `longest` slices. Little but heartbeats comes then: an hour to the end of a token takes some hundred steps and
 * not 3,600, each with its pause for data that may be on its way.
 */
const calmStride = { distance: 120, stride: 10, part: 0.1, longest: 3_600 } as const;

/** Maximum rounding of a moment by a clock. */
const roundingMs = 1_000;

/**
 * A timeline that follows a target's clock and moves it, slice by slice, when every actor waits and no request is in
 * flight. Each reading of the clock is held against the one before: a clock that cannot be reached, stands still, leaps
 * or goes back fails everything that waits with a `LostClockError`.
 */
export function controlledTimeline(
  driven: DrivenClock,
  {
    sliceMs,
    flushPending: arrived = () => flushPending(),
    driftMs = () => 0,
    patienceMs,
    ...options
  }: ControlledOptions = {},
): Timeline {
  const mirror = virtualClock(driven.startMs);
  /** Begin and end of the step being made. */
  let step: Step | undefined;
  /** The step before. */
  let last: Step | undefined;
  /** Milliseconds that the clock was told to go on since it last moved. */
  let owedMs = 0;
  let calmSince: number | undefined;

  /** Length of the next step in slices. */
  function strideOf(from: number, isCalm: boolean, due: number, slice: number): number {
    const left = (due - from) / slice;
    calmSince = isCalm && left > calmStride.distance ? (calmSince ?? from) : undefined;
    if (calmSince === undefined) return 1;
    const part = Math.floor((calmStride.part * (from - calmSince)) / slice);
    const longest = Math.min(calmStride.longest, Math.floor(left / 2));
    return Math.min(Math.max(part, calmStride.stride), longest);
  }

  async function move(isCalm: boolean): Promise<MoveEffect> {
    const from = mirror.now();
    const due = mirror.nextDue() ?? from;
    // A deadline that is due now needs no step: the target's clock is at this moment already.
    const slice = sliceMs?.() ?? usualSliceMs;
    const stride = strideOf(from, isCalm, due, slice);
    const to = Math.min(due, from + stride * slice);
    if (to > from) await drive(from, to, stride > 1);
    // Fires all due deadlines, so that their calls run side by side.
    else mirror.advanceTo(from);
    return 'arrived';
  }

  async function drive(from: number, to: number, isPassing: boolean): Promise<void> {
    step = { from, to };
    const reached = await driven.advance(to - from).catch((error: unknown) => {
      throw new LostClockError(error instanceof Error ? error.message : String(error));
    });
    owedMs = reached > from ? 0 : owedMs + to - from;
    const isStuck = owedMs > roundingMs;
    const [began, meant, ended] = [from, to, reached].map((ms) => new Date(ms).toISOString());
    if (reached < from - roundingMs || (isStuck && reached < from)) {
      throw new LostClockError(`the target's clock went back from ${began} to ${ended}`);
    }
    if (isStuck) {
      throw new LostClockError(
        `the target's clock stands still at ${began}, though it was told to go on`,
      );
    }
    if (reached > to + roundingMs + driftMs()) {
      throw new LostClockError(
        `the target's clock was told to go on to ${meant}, and went on to ${ended}: somebody else may move it`,
      );
    }
    if (reached > to) step = { from, to: reached };
    await arrived(isPassing);
    last = step;
    step = undefined;
    mirror.advanceTo(Math.max(reached, from));
  }

  /**
   * Earliest moment at which data that is read now may have been sent. A busy host reads late: in one step it may read
   * data of the step before, and after a long step data of that step.
   */
  function earliest(): number {
    if (step) return last?.to === step.from ? last.from : step.from;
    const now = mirror.now();
    const wasLong = last?.to === now && last.to - last.from > (sliceMs?.() ?? usualSliceMs);
    return wasLong && last ? last.from : now;
  }

  return discreteTimeline(
    {
      kind: 'controlled',
      now: () => step?.to ?? mirror.now(),
      earliest,
      at: (instant, fire) => mirror.at(instant, fire),
      isDue: () => mirror.nextDue() !== undefined,
      nextDue: () => mirror.nextDue(),
      ...(patienceMs && { patienceMs }),
      move,
      flushPending: () => arrived(),
    },
    'free',
    options,
  );
}
