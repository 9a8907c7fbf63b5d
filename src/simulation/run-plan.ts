import { random as randomOf } from '../random/random.ts';
import { parseSeed } from '../random/seed.ts';
import type { Tamper } from '../reference/http/index.ts';
import { type Assignment, gapIds, referenceAnswers } from '../spec/gaps/index.ts';
import { assign } from '../target/embedded/assignment.ts';
import { referenceHead } from '../target/embedded/create-reference.ts';
import { openEmbedded } from '../target/embedded/embedded.ts';
import { isDiskFault, type Plan } from './plan.ts';
import { Disk } from './play/disk.ts';
import { Lives, type Restart } from './play/lives.ts';
import { Network } from './play/network.ts';
import { Outages } from './play/outages.ts';
import { type PausedClock, pausedClock } from './play/paused-clock.ts';
export type { Effect } from './play/commands.ts';
export type { Inside, PlayOptions, SharedTarget, WorldRun } from './play/player.ts';
import { Player, type PlayOptions, type SharedTarget, type WorldRun } from './play/player.ts';

/** Plays a plan on the embedded reference. Rejects for faults of Assay only, never for what the target does. */
export async function runPlan(plan: Plan, options: PlayOptions = {}): Promise<WorldRun> {
  const seed = parseSeed(plan.seed);
  if (seed === undefined) throw new RangeError(`not a seed: ${plan.seed}`);
  const random = randomOf(seed, 'play');
  const assignment = assign(plan.assignment);
  const networks = new Map<string, Network>();
  let host: PausedClock | undefined;
  const pausedMs = (): number => host?.leftMs() ?? 0;
  const cast = plan.parties.map(({ name, role }) => {
    const identity = options.identities?.get(name);
    return { name, role, ...(identity !== undefined && { identity }) };
  });
  const head = { seed, assignment, cast, clock: 'virtual', startedAt: plan.startMs } as const;
  const disk = needsDisk(plan, options.tamper) ? new Disk(referenceHead(head)) : undefined;
  const journal = disk?.open(plan.startMs);
  const target = await openEmbedded({
    seed,
    assignment,
    startMs: plan.startMs,
    cast,
    listening: false,
    turns: random.fork('turns'),
    tamper: options.tamper,
    ...(journal && { journal }),
    backendClock: (clock) => (host = pausedClock(clock)),
    network(name, direct) {
      const network = new Network(direct, pausedMs);
      networks.set(name, network);
      return { transport: network.transport, way: () => network.way() };
    },
  });
  try {
    if (!host) throw new Error('the reference was made without a clock');
    const outages = new Outages();
    const restarts: Restart[] = [];
    const onRestart = (restart: Restart): void => {
      restarts.push(restart);
      options.restarted?.(restart);
    };
    const lives = disk && new Lives({ disk, target, networks, host, outages, onRestart });
    const inside = { target, host, outages, lives };
    const disturbed = new Set<string>();
    const stage = { target, networks, assignment, random, options, inside, disturbed };
    const run = await new Player(plan, stage).play();
    const struck = [...restarts];
    // Once more at the end, where it changes nothing: all that was kept is there again.
    lives?.restart(0);
    return { ...run, restarts: struck };
  } finally {
    await target.close();
  }
}

/**
 * A world has a disk where a fault strikes that. A defect that remembers what it has seen may rightly tell its journal
 * otherwise: with one that is not about recovery itself, nothing starts again.
 */
const needsDisk = ({ steps }: Plan, tamper: Tamper | undefined): boolean =>
  (!tamper || tamper.recovery !== undefined) && steps.some(isDiskFault);

/**
 * Plays a plan on a target that is open, from its own moment on, with its own answers to the gaps. Faults that only the
 * embedded reference offers do not strike. Its history is what was recorded meanwhile.
 */
export function runPlanOn(
  plan: Plan,
  shared: SharedTarget,
  options: Pick<PlayOptions, 'oneAfterAnother'> = {},
): Promise<WorldRun> {
  const seed = parseSeed(plan.seed);
  if (seed === undefined) throw new RangeError(`not a seed: ${plan.seed}`);
  const { answers } = shared.target;
  const known = gapIds.flatMap((id) => {
    const answer = answers.get(id);
    return answer === undefined ? [] : [[id, answer] as const];
  });
  const assignment: Assignment = { ...referenceAnswers, ...Object.fromEntries(known) };
  // What identifies an order must be used once only, and the same plan may be played again.
  const random = randomOf(seed, 'play').fork(String(shared.target.history.records.length));
  return new Player(plan, { ...shared, assignment, random, options }).play();
}
