import type { Cancel } from '../clock/clock.ts';

export type MoveEffect = 'arrived' | 'stirred';

/** What moves time once every actor waits. */
export interface TimeDriver {
  readonly kind: 'virtual' | 'controlled';
  now(): number;
  /** See `Timeline`. */
  earliest?(): number;
  at(instant: number, fire: () => void): Cancel;
  /** Whether any deadline is left to move to. */
  isDue(): boolean;
  /** The moment of the next deadline. */
  nextDue?(): number | undefined;
  /**
   * How much of its time the target's clock may go on for each piece of work that an actor has done since it last
   * waited, before the next. 0 unless set: not at all.
   */
  patienceMs?(): number;
  /**
   * Moves to what is due next, or towards it as far as one step goes. Answers `arrived` where all that this set off has
   * come to those who wait here, `stirred` where more may be on its way.
   * @param isCalm everybody waits for a moment, and nobody for what may happen before it.
   */
  move(isCalm: boolean): MoveEffect | Promise<MoveEffect>;
  /** Ends once whatever happened has arrived where it is waited for. */
  flushPending(): Promise<void>;
}
