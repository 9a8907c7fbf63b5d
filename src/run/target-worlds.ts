import { CircuitOpenError } from '../client/circuit-breaker.ts';
import { discover } from '../discovery/discover.ts';
import { discoverOverTime, gapsOverTime } from '../discovery/over-time/index.ts';
import type { Rule } from '../oracle/index.ts';
import { type Random, random as randomOf } from '../random/random.ts';
import { judgeRun, viewOfRun } from '../simulation/judge-run.ts';
import type { WorldFinding } from '../simulation/outcome.ts';
import type { Plan } from '../simulation/plan.ts';
import { Network } from '../simulation/play/network.ts';
import { runPlanOn, type WorldRun } from '../simulation/run-plan.ts';
import { outcomeOf, type PlayedWorld } from '../simulation/run-world.ts';
import { hashOf } from '../simulation/world-hash.ts';
import { gapIds } from '../spec/gaps/index.ts';
import type { EndedEarly } from '../results/run-report.ts';
import { RunEndedError } from '../suite/engine/run-end.ts';
import type { LearnedGapAnswers } from '../target/gap-answers.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import { confirmClock } from './confirm-clock.ts';
import {
  type ChosenTarget,
  type OpenFailure,
  type OpenOptions,
  openTarget,
  TargetLost,
} from './open.ts';

export interface TargetWorldsOptions
  extends Pick<OpenOptions, 'maxWaitMs' | 'ratePerSecond' | 'secrets' | 'runId'> {
  readonly seed: bigint;
  /** Those of the suite by default. */
  readonly rules?: readonly Rule[] | undefined;
  /** Host milliseconds. */
  readonly hostMs: () => number;
  /** Each time that the target is opened: a history begins. */
  readonly onOpened?: (target: OpenedTarget) => void;
}

/** Worlds on one target, one after another. Each is judged by what was recorded of it alone. */
export interface TargetWorlds {
  /** The target as it is open now. */
  known(): Promise<OpenedTarget>;
  play(plan: Plan): Promise<PlayedWorld>;
  /** Judges a part of a world again, by the same rules. */
  judge(run: WorldRun): readonly WorldFinding[];
  /** Ends the world that is played, which is judged no more, and every one after it. */
  end(how: EndedEarly): void;
  /** Lets go of the target, so that somebody else may use it and drive its clock; what follows opens it again. */
  release(): Promise<void>;
}

export type OpenedWorlds = { readonly ok: true; readonly worlds: TargetWorlds } | OpenFailure;

function lostIfSilent(error: unknown): never {
  throw error instanceof CircuitOpenError ? new TargetLost(error.message) : error;
}

/** So many records of earlier worlds are kept before the target is opened anew. */
const mostRecords = 60_000;

interface Opened {
  readonly target: OpenedTarget;
  readonly networks: ReadonlyMap<string, Network>;
}

/** Opens a target for worlds, and finds how it answers what the document leaves open. */
export async function openWorlds(
  chosen: Exclude<ChosenTarget, { readonly kind: 'embedded' }>,
  options: TargetWorldsOptions,
): Promise<OpenedWorlds> {
  const { seed, hostMs } = options;
  const disturbed = new Set<string>();
  let openings = 0;
  /** What an opening after the first creates is its own as well. */
  const openNext = () => {
    openings += 1;
    const { runId } = options;
    const own = runId !== undefined && openings > 1 ? `${runId}-${openings}` : runId;
    return openOnce(chosen, { ...options, runId: own });
  };
  const first = await openNext();
  if (!first.ok) return first;
  let opened: Opened | undefined = first;
  const book = first.target.answers;
  await findAnswers(first.target, randomOf(seed, 'discovery', first.target.runId));

  async function release(): Promise<void> {
    const last = opened;
    opened = undefined;
    await last?.target.close();
  }

  async function current(): Promise<Opened> {
    if (opened && opened.target.history.records.length > mostRecords) await release();
    if (opened) return opened;
    const again = await openNext();
    if (!again.ok) throw new TargetLost(again.problems.join('\n'));
    copyAnswers(book, again.target.answers);
    opened = again;
    return again;
  }

  async function play(plan: Plan): Promise<PlayedWorld> {
    const started = hostMs();
    const { target, networks } = await current();
    const run = await runPlanOn(plan, { target, networks, disturbed }).catch(lostIfSilent);
    await confirmClock(target);
    const view = viewOfRun(run);
    const findings = judgeRun(run, view, options.rules);
    const { hash } = hashOf(run.history.records);
    const judged = { findings, hash, hostMs: hostMs() - started };
    return { run, outcome: outcomeOf(run, view, judged) };
  }

  return {
    ok: true,
    worlds: {
      known: async () => (await current()).target,
      play,
      judge: (run) => judgeRun(run, viewOfRun(run), options.rules),
      end: (how) => opened?.target.timeline.end(new RunEndedError(how)),
      release,
    },
  };
}

async function openOnce(
  chosen: ChosenTarget,
  { seed, maxWaitMs, ratePerSecond, secrets, runId, onOpened }: TargetWorldsOptions,
): Promise<({ readonly ok: true } & Opened) | OpenFailure> {
  const networks = new Map<string, Network>();
  const opening = await openTarget(chosen, seed, {
    maxWaitMs,
    ratePerSecond,
    ...(secrets && { secrets }),
    runId,
    listening: false,
    kept: 'worlds.kept_bytes',
    network(name, direct) {
      // How long its host stands still is not ours to say.
      const network = new Network(direct, () => 0);
      networks.set(name, network);
      return { transport: network.transport, way: () => network.way() };
    },
  });
  if (!opening.ok) return opening;
  onOpened?.(opening.target);
  return { ok: true, target: opening.target, networks };
}

/** What shows only to whoever waits is looked for where waiting costs nothing. */
async function findAnswers(target: OpenedTarget, random: Random): Promise<void> {
  const { answers, observations } = target;
  await discover(target, answers, random.fork('at once'), observations);
  if (target.clock.kind === 'system') return;
  const wanted = gapsOverTime.filter((gap) => answers.declared[gap] === undefined);
  await discoverOverTime(target, answers, random.fork('over time'), wanted, observations);
}

function copyAnswers(from: LearnedGapAnswers, to: LearnedGapAnswers): void {
  to.learn(
    gapIds.flatMap((gap) => {
      const observed = from.get(gap);
      return observed === undefined
        ? []
        : [{ gap, observed, consistent: true, seen: [], evidence: [] }];
    }),
  );
}
