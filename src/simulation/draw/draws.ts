import type { Random } from '../../random/random.ts';
import type { Encounter } from '../encounters.ts';
import type { PlannedParty } from '../plan.ts';
import type { Population } from './population.ts';
import type { Swarm } from './swarm.ts';

/** What steps are drawn from. */
export interface DrawContext {
  readonly swarm: Swarm;
  readonly parties: readonly PlannedParty[];
  readonly startMs: number;
  readonly lifetimeMs: number;
  /** The longest wait for the edge of something; an hour and a little unless set. */
  readonly longestWaitMs?: number;
  /** It waits for the end of a day first. Only where waiting costs nothing. */
  readonly crossesMidnight?: boolean;
  /** What it brings about on purpose. */
  readonly encounters: readonly Encounter[];
  /** Nothing is traded before the custodian has accepted the proposal. */
  readonly proposalsFirst: boolean;
}

/** What the drawing of one step sees: who there is, what probably lives, about when it is. */
export interface Draws extends DrawContext {
  readonly random: Random;
  readonly population: Population;
  now: number;
}
