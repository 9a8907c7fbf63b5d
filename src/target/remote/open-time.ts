import type { Recorder } from '../../history/recorder.ts';
import type { Clock } from '../../timeline/clock/clock.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { systemTimeline } from '../../timeline/system-timeline.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { parseDuration } from '../../yaml/duration.ts';
import type { AnswerTimes } from '../clock/answer-times.ts';
import type { Offset } from '../clock/clock-offset.ts';
import { type EventDelay, createEventDelay } from '../clock/event-delay.ts';
import { createViewLags, type ViewLags } from '../clock/view-lags.ts';
import type { TargetFile } from '../file/target-file.ts';
import type { GapAnswers } from '../../client/contract.ts';
import type { PreflightProblem } from './preflight.ts';
import type { HelperWay } from './helper-http.ts';
import type { RemoteOptions } from './remote-options.ts';

/** The time of a target, with the additional data of a driven clock. */
export interface TargetTime {
  readonly timeline: Timeline;
  /** Only for a driven clock. */
  readonly eventDelay?: EventDelay;
  /** Only for a driven clock: see `PartyContext`. */
  readonly midMessage?: Set<object>;
  readonly views?: ViewLags;
  readonly close?: () => Promise<void>;
  /** Lead of the target's clock over ours, if it is known beforehand. */
  readonly ahead?: Offset;
}

export async function openTime(
  { clock }: TargetFile,
  { callsMayWait = false }: RemoteOptions,
  way: HelperWay,
  recorder: Recorder,
  answerTimes: AnswerTimes,
  answers: GapAnswers,
): Promise<TargetTime | PreflightProblem> {
  if (clock.kind === 'system') return { timeline: systemTimeline(systemClock()) };
  const { controlledTimeline } = await import('../../timeline/controlled-timeline.ts');
  const { ClockUnusable, drivenClock, alsoRunsByItself, tryClock, withDrift } = await import(
    '../clock/driven-clock.ts'
  );
  const driven = drivenClock(clock, way);
  try {
    const host = systemClock();
    const pause = pauseOf(host);
    const runs = await alsoRunsByItself(driven, pause);
    const startMs = await tryClock(driven, runs, () => host.now());
    const views = createViewLags({ now: () => host.now(), pause, instant: startMs });
    recorder.watch(views.noted);
    const midMessage = new Set<object>();
    const eventDelay = createEventDelay({
      count: () => recorder.records.length,
      isMidMessage: () => midMessage.size > 0,
      overdue: () => views.overdue(),
      cameLate: (parties) => views.cameLate(parties),
      now: () => host.now(),
      pause,
      leftMs: () => views.streamsLeftMs(),
      passing: () => views.passing(),
    });
    const { flushPending, sliceMs } = eventDelay;
    const patienceMs = (): number => patienceFor(answerTimes.usualMs(), answers);
    const driving = { flushPending, sliceMs, ...(callsMayWait && { patienceMs }) };
    const shared = { eventDelay, views, midMessage, close: () => driven.close() };
    const advance = async (ms: number): Promise<number> => {
      views.moving(ms);
      const instant = await driven.advance(ms);
      views.moved(instant);
      return instant;
    };
    if (runs) {
      const drifting = withDrift(advance, () => host.now());
      const clockOf = { startMs, advance: drifting.advance };
      const timeline = controlledTimeline(clockOf, { ...driving, driftMs: drifting.aheadMs });
      // Asked for when it is needed: the drift grows in the run, as a busy host lets more time pass between two readings.
      const ahead = {
        least: 0,
        get most() {
          return drifting.aheadMs();
        },
      };
      return { ...shared, timeline, ahead };
    }
    // The timeline shows the target's own clock, so there is no offset while that clock waits for us.
    const timeline = controlledTimeline({ startMs, advance }, driving);
    return { ...shared, timeline, ahead: { least: 0, most: 0 } };
  } catch (error) {
    if (!(error instanceof ClockUnusable)) throw error;
    await driven.close();
    const { field, ...problem } = error.problem;
    return { ...problem, place: clock.places[field], message: error.message };
  }
}

/** If a target usually answers sooner than this, its time stands still while an answer is awaited. */
const slowFromMs = 10;
/**
 * Target time that a target on its own clock may take for each answer and still be judged whole. A slow target is
 * treated like one of those, so that checks whose moments lie near one another go on side by side.
 */
const mostPatientMs = 1_000;
/** Number of successive answers that the life of an order, and that of a quote, leaves room for. */
const answersInALife = 60;

function patienceFor(usualMs: number, answers: GapAnswers): number {
  if (usualMs < slowFromMs) return 0;
  const lives = [answers.get('order.lifetime'), answers.get('quote.max_validity')].map(
    (span) => parseDuration(span ?? '') ?? Number.POSITIVE_INFINITY,
  );
  return Math.min(mostPatientMs, ...lives.map((ms) => ms / answersInALife));
}

export const pauseOf =
  (clock: Clock) =>
  (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.at(clock.now() + ms, resolve);
    });
