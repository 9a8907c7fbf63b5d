/** Cancels a scheduled deadline; harmless if it has fired already. */
export type Cancel = () => void;

/**
 * Effect of a deadline that does little: it wakes a wait on a timeline, or writes to open connections. The code that
 * moves the clock must know if the effect has arrived after that.
 */
export type DeadlineEffect = 'wakes' | 'writes';

/** A source of time. Moments are milliseconds since the epoch, whole numbers. */
export interface Clock {
  readonly kind: 'system' | 'virtual';
  now(): number;
  /** Calls back once, at the moment or as soon after it as possible; never synchronously, even for a past moment. */
  at(instant: number, fire: () => void, effect?: DeadlineEffect): Cancel;
}
