import { random as randomOf } from '../../random/random.ts';
import { parseSeed } from '../../random/seed.ts';
import type { AnswerChanges, Plan } from '../plan.ts';
import { drawCast } from './cast.ts';
import { drawAssignment, drawStart } from './start.ts';
import { drawSteps } from './steps.ts';
import { drawSwarm, type SwarmLimits } from './swarm.ts';

/** Draws a whole world. The same seed and limits give the same plan, whatever else was drawn before. */
export function drawPlan(seed: string, limits: SwarmLimits = {}): Plan {
  const bits = parseSeed(seed);
  if (bits === undefined) throw new RangeError(`not a seed: ${seed}`);
  const random = randomOf(bits, 'world');
  const parties = drawCast(random.fork('cast'));
  const startMs = drawStart(random.fork('start'));
  const assignment = drawAssignment(random.fork('assignment'));
  const swarm = drawSwarm(random.fork('swarm'), limits);
  const steps = drawSteps(random.fork('steps'), {
    swarm,
    parties,
    startMs,
    lifetimeMs: lifetimeOf(assignment),
    proposalsFirst: (assignment['proposal.effect'] ?? '').startsWith('opens'),
  });
  return { format: 'assay.plan/1', seed, startMs, parties, assignment, steps };
}

const lifetimeOf = (assignment: AnswerChanges): number =>
  Number.parseInt(assignment['order.lifetime'] ?? '60s', 10) * 1_000;
