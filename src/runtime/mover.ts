import type { Cancel } from './clock.ts';

/** What moves time once every actor waits. */
export interface Mover {
  readonly kind: 'virtual' | 'controlled';
  now(): number;
  /** See `Timeline`. */
  earliest?(): number;
  at(moment: number, fire: () => void): Cancel;
  /** Whether any deadline is left to move to. */
  isDue(): boolean;
  /** Moves to what is due next, or towards it as far as one step goes. */
  move(): void | Promise<void>;
  /** Ends once whatever happened has arrived where it is waited for. */
  settle(): Promise<void>;
}
