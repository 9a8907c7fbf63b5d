import type { Random } from '../../random/random.ts';
import type { Encounter } from '../encounters.ts';
import type { PlannedParty } from '../plan.ts';
import type { Population } from './population.ts';
import type { Swarm } from './swarm.ts';

/** Fixed inputs for drawing the steps of one world. */
export interface DrawContext {
  readonly swarm: Swarm;
  readonly parties: readonly PlannedParty[];
  readonly startMs: number;
  readonly lifetimeMs: number;
  /** The longest wait for an edge; a little over an hour unless set. */
  readonly longestWaitMs?: number;
  /** The world first waits for the end of a day. Only if waiting costs nothing. */
  readonly crossesMidnight?: boolean;
  /** Encounters that the world brings about on purpose. */
  readonly encounters: readonly Encounter[];
  /** Nothing is traded before the custodian has accepted the proposal. */
  readonly proposalsFirst: boolean;
}

/** State while steps are drawn: the parties, the orders that probably exist, and the approximate time. */
export interface Draws extends DrawContext {
  readonly random: Random;
  readonly population: Population;
  now: number;
}
