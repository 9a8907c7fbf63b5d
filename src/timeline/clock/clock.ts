/** Cancels what was scheduled; harmless when it has fired already. */
export type Cancel = () => void;

/**
 * All that a deadline does, where it does little: wakes somebody who waits on a timeline, or writes to connections that
 * are open. What has arrived after that is for whoever moves the clock to know.
 */
export type DeadlineEffect = 'wakes' | 'writes';

/** A source of time. Moments are milliseconds since the epoch, whole numbers. */
export interface Clock {
  readonly kind: 'system' | 'virtual';
  now(): number;
  /** Calls back once, at the moment or as soon after it as the clock can; never at once, even for the past. */
  at(instant: number, fire: () => void, effect?: DeadlineEffect): Cancel;
}
