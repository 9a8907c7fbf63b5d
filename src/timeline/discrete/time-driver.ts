import type { Cancel } from '../clock/clock.ts';

export type MoveEffect = 'arrived' | 'stirred';

/** Moves time once every actor waits. */
export interface TimeDriver {
  readonly kind: 'virtual' | 'controlled';
  now(): number;
  /** See `Timeline`. */
  earliest?(): number;
  at(instant: number, fire: () => void): Cancel;
  /** True if any deadline is left to move to. */
  isDue(): boolean;
  /** The moment of the next deadline. */
  nextDue?(): number | undefined;
  /**
   * Target milliseconds that may pass before an actor's next piece of work, for each piece since it last waited. 0 by
   * default: none.
   */
  patienceMs?(): number;
  /**
   * Moves to the next deadline, or towards it as far as one step goes. Returns `arrived` if all effects have reached
   * the waiting actors, `stirred` if more may be on their way.
   * @param isCalm everybody waits for a moment, and nobody for a signal before it.
   */
  move(isCalm: boolean): MoveEffect | Promise<MoveEffect>;
  /** Resolves once all effects have reached the actors that wait for them. */
  flushPending(): Promise<void>;
}
