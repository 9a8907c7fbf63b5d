import { CircuitOpenError } from '../client/circuit-breaker.ts';
import { discover } from '../discovery/discover.ts';
import { discoverOverTime, gapsOverTime } from '../discovery/over-time.ts';
import type { Rule } from '../oracle/index.ts';
import { type Random, random as randomOf } from '../random/random.ts';
import { judgeRun, viewOfRun } from '../simulation/judge-run.ts';
import type { WorldFinding } from '../simulation/outcome.ts';
import type { Plan } from '../simulation/plan.ts';
import { FaultyNetworks } from '../client/faulty-network.ts';
import { runPlanOn, type WorldRun } from '../simulation/run-plan.ts';
import { outcomeOf, type PlayedWorld } from '../simulation/run-world.ts';
import { hashOf } from '../simulation/world-hash.ts';
import { gapIds } from '../spec/gaps/index.ts';
import type { EndedEarly } from '../results/run-report.ts';
import { RunEndedError } from '../suite/engine/run-end.ts';
import type { LearnedGapAnswers } from '../target/gap-answers.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import { confirmClock } from './end-with-target.ts';
import {
  type ChosenTarget,
  type OpenFailure,
  type OpenOptions,
  openTarget,
  type RemoteTarget,
  TargetLost,
} from './open.ts';

export interface TargetWorldsOptions
  extends Pick<OpenOptions, 'maxWaitMs' | 'ratePerSecond' | 'secrets' | 'runId'> {
  readonly seed: bigint;
  /** Absent: the rules of the suite. */
  readonly rules?: readonly Rule[] | undefined;
  /** Host milliseconds. */
  readonly hostMs: () => number;
  /** Called each time the target is opened: a new history begins. */
  readonly onOpened?: (target: OpenedTarget) => void;
}

/** Worlds on one target, one after another. Each is judged by its own records only. */
export interface TargetWorlds {
  /** Currently open target. */
  known(): Promise<OpenedTarget>;
  play(plan: Plan): Promise<PlayedWorld>;
  /** Judges a part of a world again, by the same rules. */
  judge(run: WorldRun): readonly WorldFinding[];
  /** Ends the current world, without judging it, and every later one. */
  end(how: EndedEarly): void;
  /** Releases the target, so that others may use it and drive its clock. The next call opens it again. */
  release(): Promise<void>;
}

export type OpenedWorlds = { readonly ok: true; readonly worlds: TargetWorlds } | OpenFailure;

function lostIfSilent(error: unknown): never {
  throw error instanceof CircuitOpenError ? new TargetLost(error.message) : error;
}

/** Maximum number of records of earlier worlds; then the target is opened anew. */
const mostRecords = 60_000;

/** Opens a target for worlds, and finds its answers to gaps. */
export async function openWorlds(
  chosen: RemoteTarget,
  options: TargetWorldsOptions,
): Promise<OpenedWorlds> {
  const { seed, hostMs } = options;
  const disturbed = new Set<string>();
  let openings = 0;
  /** Each opening after the first has its own run id, so that its resources are set apart as well. */
  const openNext = () => {
    openings += 1;
    const { runId } = options;
    const own = runId !== undefined && openings > 1 ? `${runId}-${openings}` : runId;
    return openOnce(chosen, { ...options, runId: own });
  };
  const first = await openNext();
  if (!first.ok) return first;
  let opened: OpenedTarget | undefined = first.target;
  const book = first.target.answers;
  await findAnswers(first.target, randomOf(seed, 'discovery', first.target.runId));

  async function release(): Promise<void> {
    const last = opened;
    opened = undefined;
    await last?.close();
  }

  async function current(): Promise<OpenedTarget> {
    if (opened && opened.history.records.length > mostRecords) await release();
    if (opened) return opened;
    const again = await openNext();
    if (!again.ok) throw new TargetLost(again.problems.join('\n'));
    copyAnswers(book, again.target.answers);
    opened = again.target;
    return again.target;
  }

  async function play(plan: Plan): Promise<PlayedWorld> {
    const started = hostMs();
    const target = await current();
    const run = await runPlanOn(plan, { target, disturbed }).catch(lostIfSilent);
    await confirmClock(target);
    return judged(run, options.rules, () => hostMs() - started);
  }

  return {
    ok: true,
    worlds: {
      known: current,
      play,
      judge: (run) => judgeRun(run, viewOfRun(run), options.rules),
      end: (how) => opened?.timeline.end(new RunEndedError(how)),
      release,
    },
  };
}

/** Judges a world that was played on a target, by what is seen from outside. */
export function judged(
  run: WorldRun,
  rules: readonly Rule[] | undefined,
  tookMs: () => number,
): PlayedWorld {
  const view = viewOfRun(run);
  const findings = judgeRun(run, view, rules);
  const { hash } = hashOf(run.history.records);
  return { run, outcome: outcomeOf(run, view, { findings, hash, hostMs: tookMs() }) };
}

async function openOnce(
  chosen: ChosenTarget,
  { seed, maxWaitMs, ratePerSecond, secrets, runId, onOpened }: TargetWorldsOptions,
): ReturnType<typeof openTarget> {
  const opening = await openTarget(chosen, seed, {
    maxWaitMs,
    ratePerSecond,
    ...(secrets && { secrets }),
    runId,
    listening: false,
    kept: 'worlds.kept_bytes',
    networks: new FaultyNetworks(),
  });
  if (!opening.ok) return opening;
  onOpened?.(opening.target);
  return { ok: true, target: opening.target };
}

/** Finds the target's answers. Answers that take waiting are looked for only if the clock is not the system clock. */
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
