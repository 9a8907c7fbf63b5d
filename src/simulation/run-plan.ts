import { random as randomOf } from '../random/random.ts';
import type { Tamper } from '../reference/http/index.ts';
import { type Assignment, gapIds, referenceAnswers } from '../spec/gaps/index.ts';
import { isDiskFault } from '../faults/faults.ts';
import { assign } from '../target/embedded/assignment.ts';
import { isFault, plainFault, type Plan, seedOf } from './plan.ts';
import type { Restart } from './play/target-lives.ts';
import { openWorld } from './play/open-world.ts';
export type { Effect } from './play/commands.ts';
export type { Inside, PlayOptions, SharedTarget, WorldRun } from './play/player.ts';
import { type PlayOptions, playPlan, type SharedTarget, type WorldRun } from './play/player.ts';

/** Plays a plan on the embedded reference. Rejects for faults of Assay only, never for what the target does. */
export async function runPlan(plan: Plan, options: PlayOptions = {}): Promise<WorldRun> {
  const seed = seedOf(plan);
  const random = randomOf(seed, 'play');
  const assignment = assign(plan.assignment);
  const cast = plan.parties.map(({ name, role }) => {
    const identity = options.identities?.get(name);
    return { name, role, ...(identity !== undefined && { identity }) };
  });
  const restarts: Restart[] = [];
  const onRestart = (restart: Restart): void => {
    restarts.push(restart);
    options.restarted?.(restart);
  };
  const inside = await openWorld({
    seed,
    assignment,
    startMs: plan.startMs,
    cast,
    listening: false,
    turns: random.fork('turns'),
    tamper: options.tamper,
    ...(needsDisk(plan, options.tamper) && { onRestart }),
  });
  const { target, lives } = inside;
  try {
    const disturbed = new Set<string>();
    const stage = { target, assignment, random, options, inside, disturbed };
    const run = await playPlan(plan, stage);
    const struck = [...restarts];
    // One more restart at the end, when it changes nothing: everything that was kept must be there again.
    lives?.restart(0);
    return { ...run, restarts: struck };
  } finally {
    await target.close();
  }
}

/**
 * True if a reference may start again from its journal. A defect that remembers earlier calls may rightly tell its
 * journal something else. So a reference with a defect never restarts, unless the defect is about recovery itself.
 */
export const goesOnFromJournal = (tamper: Tamper | undefined): boolean =>
  !tamper || tamper.recovery !== undefined;

/** True if a fault of the plan strikes the disk, so that the world needs one. */
const needsDisk = ({ steps }: Plan, tamper: Tamper | undefined): boolean =>
  goesOnFromJournal(tamper) && steps.some((step) => isFault(step) && isDiskFault(plainFault(step)));

/**
 * Plays a plan on an open target, from the target's own moment on, with its own answers to the gaps. Faults that only
 * the embedded reference offers do not strike. The history is what was recorded meanwhile.
 */
export function runPlanOn(
  plan: Plan,
  shared: SharedTarget,
  options: Pick<PlayOptions, 'oneAfterAnother'> = {},
): Promise<WorldRun> {
  const seed = seedOf(plan);
  const { answers } = shared.target;
  const known = gapIds.flatMap((id) => {
    const answer = answers.get(id);
    return answer === undefined ? [] : [[id, answer] as const];
  });
  const assignment: Assignment = { ...referenceAnswers, ...Object.fromEntries(known) };
  const { runId, history } = shared.target;
  // Fields that identify an order must be unique, and the same plan may be played again.
  const random = randomOf(seed, 'play', runId).fork(String(history.records.length));
  return playPlan(plan, { ...shared, assignment, random, options });
}
