import { combinationsMet } from '../combinations/coverage.ts';
import { factorsOf } from '../combinations/factors-of.ts';
import { lives } from '../combinations/factors.ts';
import { parseSeed } from '../random/seed.ts';
import type { Tamper } from '../reference/http/index.ts';
import type { HistoryView, Rule } from '../oracle/index.ts';
import { drawPlan } from './draw/draw-plan.ts';
import { watchInvariants } from './judge/invariant-watch.ts';
import { otherSenders, runsPaired, toldApart } from './judge/paired-worlds.ts';
import { watchRestarts } from './judge/restarts.ts';
import { judgeRun, viewOfRun } from './judge-run.ts';
import { fault, type SimulationOptions, type WorldFinding, type WorldOutcome } from './outcome.ts';
import type { Plan } from './plan.ts';
import { runPlan, type WorldRun } from './run-plan.ts';
import { situationsOf } from './situations.ts';
import { hashOf, type Parting, partingOf } from './world-hash.ts';

/** Tools of a run that are no plain data: the effect of a mutation, and the host's time. */
export interface WorldTools {
  readonly tamperOf?: (mutation: string) => Tamper;
  /** Rules that judge; by default those of the suite. */
  readonly rules?: readonly Rule[] | undefined;
  /** Host time in milliseconds, to measure how long a world took. */
  readonly hostMs?: () => number;
}

export interface PlayedWorld {
  readonly run: WorldRun;
  readonly outcome: WorldOutcome;
}

/** One seed in this many is run twice. */
const twiceEvery = 20n;

export const runsTwice = (seed: string): boolean => (parseSeed(seed) ?? 1n) % twiceEvery === 0n;

/** Draws, plays and judges one world; keeps its history. */
export const playSeed = (
  seed: string,
  options: SimulationOptions,
  tools: WorldTools = {},
): Promise<PlayedWorld> =>
  playAndJudge(drawPlan(seed, { faults: options.faults, steps: options.steps }), options, tools);

/** Plays and judges a plan of any origin. */
export async function playAndJudge(
  plan: Plan,
  options: SimulationOptions,
  tools: WorldTools = {},
): Promise<PlayedWorld> {
  const started = tools.hostMs?.() ?? 0;
  const inside = watchInvariants();
  const tamper = tamperOf(options, tools);
  const { restarted, findings: restartFindings } = watchRestarts();
  const run = await runPlan(plan, { tamper, observe: inside.observe, restarted });
  const hashed = { ...hashOf(run.history.records), records: run.history.records };
  const view = viewOfRun(run);
  const findings = [
    ...judgeRun(run, view, tools.rules),
    ...inside.findings(view),
    ...restartFindings(),
  ];
  if (runsTwice(plan.seed)) {
    const { records } = (await runPlan(plan, { tamper: tamperOf(options, tools) })).history;
    const parting = partingOf(hashed, { ...hashOf(records), records });
    if (parting) findings.push(differs(parting));
  }
  if (runsPaired(plan.seed)) {
    const identities = otherSenders(plan);
    const other = await runPlan(plan, { tamper: tamperOf(options, tools), identities });
    const told = toldApart(run, other);
    if (told) findings.push(told);
  }
  const hostMs = (tools.hostMs?.() ?? 0) - started;
  return { run, outcome: outcomeOf(run, view, { findings, hash: hashed.hash, hostMs }) };
}

/** Outcome of a judged run. */
export function outcomeOf(run: WorldRun, view: HistoryView, judged: JudgedRun): WorldOutcome {
  const { plan } = run;
  const { records } = run.history;
  return {
    seed: plan.seed,
    hash: judged.hash,
    steps: plan.steps.length,
    effective: run.effects.filter(({ took }) => took).length,
    exchanges: records.filter(({ kind }) => kind === 'exchange').length,
    frames: records.filter(({ kind }) => kind === 'frame').length,
    target_ms: run.endMs - run.startMs,
    host_ms: Math.round(judged.hostMs),
    findings: judged.findings,
    reached: situationsOf(run, view),
    met: combinationsMet(factorsOf(view).values(), lives, [2, 3]),
  };
}

interface JudgedRun extends Pick<WorldOutcome, 'findings' | 'hash'> {
  readonly hostMs: number;
}

/** Made anew for each run: a mutation remembers what it has seen. */
export const tamperOf = ({ mutation }: SimulationOptions, { tamperOf: make }: WorldTools) =>
  mutation === undefined ? undefined : make?.(mutation);

/** Finding of two runs that differ. Assay itself is at fault, whatever the target is. */
function differs({ at, first, second }: Parting): WorldFinding {
  const one = first ?? second;
  const what = one?.kind === 'exchange' ? (one.endpoint ?? 'a request') : (one?.kind ?? 'nothing');
  const id = one && (one.kind === 'end' ? one.stream : one.id);
  return fault(
    `determinism · two runs of one seed differ · ${what}`,
    'determinism',
    `two runs of one seed differ from record ${at} on: ${what}`,
    { exchanges: id === undefined ? [] : [id] },
  );
}
