import type { Random } from '../../random/random.ts';
import type { PlannedParty, PlannedStep } from '../plan.ts';
import { drawCommand } from './commands.ts';
import { drawFault } from './faults.ts';
import { drawMoment } from './moments.ts';
import { Population } from './population.ts';
import type { Swarm } from './swarm.ts';

/** What steps are drawn from. */
export interface DrawContext {
  readonly swarm: Swarm;
  readonly parties: readonly PlannedParty[];
  readonly startMs: number;
  readonly lifetimeMs: number;
  /** Nothing is traded before the custodian has accepted the proposal. */
  readonly proposalsFirst: boolean;
}

/** What the drawing of one step sees: who there is, what probably lives, about when it is. */
export interface Draws extends DrawContext {
  readonly random: Random;
  readonly population: Population;
  now: number;
}

/** Most worlds begin with most parties listening, as they would. */
function openingSteps(draws: Draws): PlannedStep[] {
  const { random, population } = draws;
  const share = random.pick([0, 0.5, 1, 1]);
  return draws.parties
    .filter(() => random.chance(share))
    .map(({ name }) => {
      const label = population.nextStream();
      population.streams.push({ label, party: name, isOpen: true });
      return { at: { afterMs: 0 }, by: name, do: 'listen', label };
    });
}

export function drawSteps(random: Random, context: DrawContext): readonly PlannedStep[] {
  const draws: Draws = {
    ...context,
    random: random.fork('what'),
    population: new Population(random.fork('aims')),
    now: context.startMs,
  };
  const strikes = random.fork('strikes');
  const steps = openingSteps(draws);
  const length = steps.length + context.swarm.steps;
  // What needs something that is not there yet draws nothing: bounded, so that every plan ends.
  for (let tries = 0; steps.length < length && tries < 20 * length; tries += 1) {
    draws.population.age(draws.now);
    const command = drawCommand(draws);
    if (!command) continue;
    for (const [fault, probability] of context.swarm.faults) {
      if (!strikes.chance(probability)) continue;
      const drawn = drawFault(draws, fault, command.by);
      if (drawn) steps.push({ at: drawMoment(draws), ...drawn });
    }
    const at = drawMoment(draws, command);
    steps.push({ at, ...command });
  }
  return steps;
}
