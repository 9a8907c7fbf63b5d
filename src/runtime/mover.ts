import type { Cancel } from './clock.ts';

export type Moved = 'woke' | 'stirred';

/** What moves time once every actor waits. */
export interface Mover {
  readonly kind: 'virtual' | 'controlled';
  now(): number;
  /** See `Timeline`. */
  earliest?(): number;
  at(moment: number, fire: () => void): Cancel;
  /** Whether any deadline is left to move to. */
  isDue(): boolean;
  /**
   * Moves to what is due next, or towards it as far as one step goes. Answers `woke` where that did nothing but wake
   * who waits here, `stirred` where more may have happened that has yet to arrive.
   * @param isCalm everybody waits for a moment, and nobody for what may happen before it.
   */
  move(isCalm: boolean): Moved | Promise<Moved>;
  /** Ends once whatever happened has arrived where it is waited for. */
  settle(): Promise<void>;
}
