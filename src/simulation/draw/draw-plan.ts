import { random as randomOf } from '../../random/random.ts';
import { type AnswerChanges, type Plan, seedOf } from '../plan.ts';
import { castAmong, drawAssignment, drawCast, drawStart } from './cast.ts';
import { encountersOf } from './encounter.ts';
import { drawSteps } from './steps.ts';
import { type SwarmLimits, drawSwarm } from './swarm.ts';

/** Facts that a world takes from the existing target that it is played on. */
export interface Setting extends Pick<Plan, 'parties' | 'startMs' | 'assignment'> {
  /** The longest wait for an edge. */
  readonly longestWaitMs: number;
  /** The world may wait for the end of a day. */
  readonly mayWaitForMidnight: boolean;
}

/** Draws a whole world. The result depends only on the seed and the limits, not on anything drawn before. */
export function drawPlan(seed: string, limits: SwarmLimits = {}, given?: Setting): Plan {
  const bits = seedOf({ seed });
  const random = randomOf(bits, 'world');
  const drawn = drawCast(random.fork('cast'));
  const parties = given ? castAmong(drawn, given.parties) : drawn;
  const startMs = given?.startMs ?? drawStart(random.fork('start'));
  const assignment = given?.assignment ?? drawAssignment(random.fork('assignment'));
  const swarm = drawSwarm(random.fork('swarm'), limits);
  const steps = drawSteps(random.fork('steps'), {
    swarm,
    parties,
    startMs,
    ...(given && { longestWaitMs: given.longestWaitMs }),
    crossesMidnight: given?.mayWaitForMidnight === true && random.fork('midnight').chance(0.4),
    // A world of few steps has no room for encounters.
    encounters: swarm.steps < 10 ? [] : encountersOf(bits),
    lifetimeMs: lifetimeOf(assignment),
    proposalsFirst: (assignment['proposal.effect'] ?? '').startsWith('opens'),
  });
  return { format: 'assay.plan/1', seed, startMs, parties, assignment, steps };
}

const lifetimeOf = (assignment: AnswerChanges): number =>
  Number.parseInt(assignment['order.lifetime'] ?? '60s', 10) * 1_000;
