import { tolerance } from '../../protocol/tolerances.ts';
import type { HistoryView } from './history-view.ts';

interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * Interval arithmetic between our clock and the target's. An interval that straddles a moment is on neither side of it.
 */
export interface TargetClock {
  /** All of it lay before the moment on the target's clock. */
  readonly before: (what: Interval, instant: number) => boolean;
  /** All of it lay after the moment, late timers allowed for. */
  readonly wellAfter: (what: Interval, instant: number) => boolean;
  /** All of it lay after the moment; for what a backend looks at by itself when asked. */
  readonly after: (what: Interval, instant: number) => boolean;
}

export const targetClockOf = (view: HistoryView): TargetClock => {
  const { least, most } = view.context.offset;
  return {
    before: ({ to }, instant) => to + most < instant - tolerance.deadlineEarlyMs,
    wellAfter: ({ from }, instant) => from + least > instant + tolerance.deadlineLateMs,
    after: ({ from }, instant) => from + least > instant + tolerance.deadlineEarlyMs,
  };
};

/** A call as an interval of our milliseconds. */
export const intervalOf = (call: {
  readonly exchange: { readonly sent: number; readonly received: number };
}): Interval => ({ from: call.exchange.sent, to: call.exchange.received });
