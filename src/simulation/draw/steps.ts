import type { Random } from '../../random/random.ts';
import type { DrawContext, Draws } from './draws.ts';
import type { FaultStep, PlannedStep } from '../plan.ts';
import { drawCommand } from './commands.ts';
import { drawFault } from './faults.ts';
import { drawMoment } from './moments.ts';
import { Population } from './population.ts';

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
    const struck: FaultStep[] = [];
    for (const [fault, probability] of context.swarm.faults) {
      if (!strikes.chance(probability)) continue;
      const drawn = drawFault(draws, fault, command.by);
      if (drawn) struck.push({ at: drawMoment(draws), ...drawn });
    }
    // What strikes an order may strike the one that is only just created.
    const after = struck.filter((fault) => 'order' in fault);
    steps.push(...struck.filter((fault) => !('order' in fault)));
    steps.push({ at: drawMoment(draws, command), ...command }, ...after);
  }
  return steps;
}
