import { patience } from './patience.ts';
import type { HistoryView } from './view.ts';

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Interval arithmetic between our clock and the target's. What straddles a moment is on neither side of it. */
export interface Watch {
  /** All of it lay before the moment on the target's clock. */
  readonly before: (what: Interval, moment: number) => boolean;
  /** All of it lay after the moment, late timers allowed for. */
  readonly wellAfter: (what: Interval, moment: number) => boolean;
  /** All of it lay after the moment; for what a backend looks at by itself when asked. */
  readonly after: (what: Interval, moment: number) => boolean;
}

export const watchOf = (view: HistoryView): Watch => {
  const { least, most } = view.context.offset;
  return {
    before: ({ to }, moment) => to + most < moment - patience.earlyTimer,
    wellAfter: ({ from }, moment) => from + least > moment + patience.lateTimer,
    after: ({ from }, moment) => from + least > moment + patience.earlyTimer,
  };
};

/** A call as an interval of our milliseconds. */
export const during = (call: {
  readonly exchange: { readonly sent: number; readonly received: number };
}): Interval => ({ from: call.exchange.sent, to: call.exchange.received });
