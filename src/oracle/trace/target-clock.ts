import { tolerance } from '../../protocol/tolerances.ts';

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** An exchange is an interval from its sending to its answer. */
type Spanning =
  | Interval
  | { readonly exchange: { readonly sent: number; readonly received: number } };

/** Compares spans of our clock with moments of the target's. A span that straddles a moment is on neither side. */
export interface TargetClock {
  /** All of it lay before the moment on the target's clock. */
  readonly before: (what: Spanning, instant: number) => boolean;
  /** All of it lay after the moment, late timers allowed for. */
  readonly wellAfter: (what: Spanning, instant: number) => boolean;
  /** All of it lay after the moment; for what a backend looks at by itself when asked. */
  readonly after: (what: Spanning, instant: number) => boolean;
}

const startOf = (what: Spanning): number => ('from' in what ? what.from : what.exchange.sent);
const endOf = (what: Spanning): number => ('to' in what ? what.to : what.exchange.received);

/** @param offset the target's clock less ours, in milliseconds, lies within these */
export const targetClock = (offset: {
  readonly least: number;
  readonly most: number;
}): TargetClock => ({
  before: (what, instant) => endOf(what) + offset.most < instant - tolerance.deadlineEarlyMs,
  wellAfter: (what, instant) => startOf(what) + offset.least > instant + tolerance.deadlineLateMs,
  after: (what, instant) => startOf(what) + offset.least > instant + tolerance.deadlineEarlyMs,
});
