import type { Target } from '../../client/contract.ts';
import type { Rule } from '../../oracle/rule.ts';
import { coverageOf } from '../../combinations/coverage.ts';
import { factorsOf } from '../../combinations/factors-of.ts';
import { livesInRuns } from '../../combinations/factors.ts';
import { triedIn } from '../../combinations/tried.ts';
import type { CoverageBasis } from '../../results/coverage.ts';
import { type HistoryView, viewOf } from '../../oracle/trace/history-view.ts';
import { createSignal } from '../../timeline/signal.ts';
import type { Random } from '../../random/random.ts';
import { LostClockError, lostClockReason } from '../../timeline/timeline-errors.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { succeeded } from '../../protocol/answers.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { Check } from './check.ts';
import { suiteDigest } from '../../results/suite-digest.ts';
import type { Catalogue } from '../../results/source-report.ts';
import {
  type Age,
  agesOf,
  repeatedAt,
  type Plan,
  plan,
  type PlannedCheck,
  type Shard,
} from './plan.ts';
import { createCallGate } from './call-gate.ts';
import { requirementVerdicts, ruleContext, applyRules } from './apply-rules.ts';
import { everythingRejected, RunEndedError, type RunLimit } from './run-end.ts';
import { createProgress, type Progress } from './progress.ts';
import type { SourceReport, RunResult } from '../../results/source-report.ts';
import {
  type CheckEnvironment,
  type FoundSoFar,
  notRun,
  prepareCheck,
  type RunningCheck,
  runName,
} from './check-context.ts';

export interface RunOptions {
  /** Each check draws from its own fork of this, by its id. */
  readonly random: Random;
  /** Patterns that select checks; none selects all. */
  readonly only?: readonly string[];
  /** Part of the selected checks; all of them by default. */
  readonly shard?: Shard;
  /** All checks of the suite, if `checks` has only some of them. */
  readonly suiteChecks?: readonly Check[];
  /** Maximum number of calls in flight. A check that only waits takes no place. */
  readonly concurrency?: number;
  /** Target time that each check may use beyond the wait it announces. */
  readonly allowanceMs?: number;
  /** Target time to go on listening after the last check, so that its late events are heard. */
  readonly lingerMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Limit of the whole run. */
  readonly limit?: RunLimit;
}

export interface RunRequest {
  readonly target: Target;
  /** The whole suite, in its order. */
  readonly checks: readonly Check[];
  readonly rules: readonly Rule[];
  readonly options: RunOptions;
  readonly catalogue?: Catalogue;
}

const defaults = { allowanceMs: 120_000, lingerMs: 0 } as const;

/**
 * After its budget, a check may still be within one call, and that one within the call for its token. Calls end by
 * themselves, but a target may delay each of them for a minute.
 */
const graceMs = 240_000;

/**
 * Host milliseconds of an answer from which a target is slow. On a driven clock, the run ends sooner if more calls are
 * in flight at once and there are fewer moments.
 */
const slowFromMs = 10;

/** Maximum number of calls in flight. If a target is slow because it is far away, more calls make it no slower. */
const concurrencyOf = { usual: 32, slow: 64, verySlow: 128 } as const;
const verySlowFromMs = 100;

/** On a clock that is moved, checks begin in groups of this size, `startPauseMs` of target time apart. */
const startsAtOnce = { usual: 6, slow: Number.POSITIVE_INFINITY } as const;
const startPauseMs = 1_000;

type Pace = keyof typeof concurrencyOf;

/** Always `usual` unless time is driven over the wire: the pace matters only there. */
function paceOf({ timeline, usualAnswerMs }: Target): Pace {
  const ms = timeline.kind === 'controlled' ? (usualAnswerMs?.() ?? 0) : 0;
  if (ms < slowFromMs) return 'usual';
  return ms < verySlowFromMs ? 'slow' : 'verySlow';
}

const lengthOf = ({ check, waitMs }: PlannedCheck): number => Math.max(waitMs, check.takesMs ?? 0);

/** The longest first, so that the run costs its longest wait and no more; else the order of the suite. */
const startOrder = (planned: readonly PlannedCheck[]): PlannedCheck[] =>
  planned
    .filter((each) => each.outOfScope.length === 0)
    .toSorted((one, other) => lengthOf(other) - lengthOf(one));

/**
 * Runs the selected checks side by side on the target's timeline, then applies every rule to the whole history.
 * Never throws for an error of a target, a check or a rule.
 */
export async function runChecks(request: RunRequest): Promise<RunResult> {
  const { target, checks, options } = request;
  const { timeline } = target;
  const catalogue: Catalogue = request.catalogue ?? requirements;
  const planned = plan(checks, target, catalogue, options.only, options.shard);
  const pace = paceOf(target);
  const gate = createCallGate(timeline, {
    concurrency: options.concurrency ?? concurrencyOf[pace],
  });
  const progress = createProgress(timeline, options.onProgress);
  const judgedByRules = new Set(request.rules.flatMap(({ requirements: ids }) => ids));
  const disturbed = new Set<string>();
  const foundBy = new Map<Check, FoundSoFar>(
    planned.checks.map(({ check }) => [check, { findings: [] }]),
  );
  const context = (check: Check, age?: Age): CheckEnvironment => ({
    target,
    catalogue,
    gate,
    random: options.random.fork(runName(check, age)),
    age,
    found: foundBy.get(check) ?? { findings: [] },
    allowanceMs: options.allowanceMs ?? defaults.allowanceMs,
    judgedByRules,
    disturbed,
    limit: options.limit,
  });

  const started = timeline.now();
  /** On the system clock, repeated runs must not make the whole run longer. */
  const longestMs = timeline.kind === 'system' ? planned.longestWaitMs : target.clock.maxWaitMs;
  const endsInTime = (each: PlannedCheck, { at }: Age): boolean =>
    at - started + lengthOf(each) <= longestMs;
  const atOnce = pace === 'usual' ? startsAtOnce.usual : startsAtOnce.slow;
  const results = new Map<Check, SourceReport>();
  const running = new Map<Check, RunningCheck>();
  const one = async (check: Check, place: number, age?: Age): Promise<void> => {
    // If time stands still while anybody acts, a pause costs nothing, and keeps lists short while they are walked.
    if (timeline.kind !== 'system' || age) {
      await timeline.until((age?.at ?? started) + Math.floor(place / atOnce) * startPauseMs);
    }
    // Calls may take time on any timeline: a target that limits their rate lets time pass.
    await gate.whenFree(check.id);
    const t = prepareCheck(check, context(check, age));
    progress.started(t);
    running.set(check, t);
    const begun = timeline.now();
    const run = guarded(t, timeline);
    gate.checkBegun();
    const result = await run;
    const took_ms = results.get(check)?.took_ms ?? Math.round(timeline.now() - begun);
    results.set(check, { ...result, took_ms });
    progress.finished(t, result.verdict);
  };
  const runAll = (runs: readonly Run[]): Promise<unknown> =>
    timeline.together(
      runs.map(({ check, place, age }) => [runName(check, age), () => one(check, place, age)]),
    );
  const stopped = await stoppedBy(() =>
    timeline.act('run', async () => {
      const order = startOrder(planned.checks);
      // A run with a limit is meant to be short.
      const ages = options.limit ? [] : agesOf(target);
      const repeated = ages.map((age, n) => ({
        age,
        all: repeatedAt(order, n).filter((each) => endsInTime(each, age)),
      }));
      const runs = [{ age: undefined, all: order }, ...repeated].flatMap(({ age, all }) =>
        all.map(({ check }, place) => ({ check, place, age })),
      );
      progress.planned(countBy(runs, ({ check }) => check));
      await runAll(runs);
      const again = options.limit ? [] : repeatedAt(order, ages.length);
      const last = again.length > 0 && (await restarted(target));
      if (last) await runAll(again.map(({ check }, place) => ({ check, place, age: last })));
      const lingerMs = options.lingerMs ?? defaults.lingerMs;
      if (lingerMs > 0) await timeline.sleep(lingerMs);
    }),
  );
  if (stopped) await everythingRejected();
  for (const { check, outOfScope, lacks } of planned.checks) {
    if (results.has(check)) continue;
    const reason = outOfScope.join('; ');
    results.set(
      check,
      reason !== ''
        ? notRun(check, 'out_of_scope', reason, lacks)
        : cutShort(check, running.get(check), stopped),
    );
  }
  const found = concluded(
    request,
    planned,
    results,
    catalogue,
    disturbed,
    timeline.now() - started,
  );
  if (stopped instanceof RunEndedError) return { ...found, endedEarly: stopped.how };
  return stopped instanceof LostClockError
    ? { ...found, stopped: lostClockReason(stopped) }
    : found;
}

/** One run of a check, and its place among those that begin together. */
interface Run {
  readonly check: Check;
  readonly place: number;
  readonly age?: Age | undefined;
}

/** Before a restart, the last check's settlement may go on. After it, clients open their streams again. */
const restMs = { before: 20_000, after: 5_000 } as const;

/**
 * Restarts the target if it can be restarted and this makes no run longer; returns the age of the run after it. It
 * comes last, since a restart may rightly disturb operations that have not ended.
 */
async function restarted({ restart, timeline }: Target): Promise<Age | undefined> {
  if (!restart || timeline.kind === 'system') return undefined;
  await timeline.sleep(restMs.before);
  if (!succeeded(await restart())) return undefined;
  return { called: 'after a restart', at: timeline.now() + restMs.after };
}

const countBy = <T, K>(all: readonly T[], keyOf: (one: T) => K): ReadonlyMap<K, number> => {
  const counts = new Map<K, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
};

/** Report of a check that had not ended when the run did. Its earlier findings stand. */
function cutShort(check: Check, begun: RunningCheck | undefined, stopped: Error | undefined) {
  if (stopped instanceof RunEndedError) {
    return begun?.cutShort(stopped) ?? notRun(check, 'not_exercised', stopped.message);
  }
  if (stopped instanceof LostClockError)
    return notRun(check, 'not_exercised', lostClockReason(stopped));
  const why = stopped?.message ?? 'no reason known';
  return notRun(check, 'error', `the run stopped before it ended: ${why}`);
}

/** A timeline that gives up (somebody held time still) ends every check; the records by then are judged. */
async function stoppedBy(run: () => Promise<void>): Promise<Error | undefined> {
  try {
    await run();
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

/**
 * Guards against a check that waits for something that the timeline does not know. All other waits and calls of a
 * check are bounded by its budget. A discrete timeline has its own watchdog, so this acts only on the system clock.
 */
async function guarded(t: RunningCheck, timeline: Timeline): Promise<SourceReport> {
  if (timeline.kind !== 'system') return t.run();
  const done = createSignal();
  let result: SourceReport | undefined;
  const running = t.run().then((ended) => {
    result = ended;
    done.ring();
  });
  while (!result) {
    const last = t.budget.deadline() + graceMs;
    if (timeline.now() >= last) {
      return notRun(t.check, 'error', 'it waited for something outside of the timeline');
    }
    await timeline.wait(done, last);
  }
  await running;
  return result;
}

/** Combined circumstances and other conditions that the run tried; empty if the history cannot be read for them. */
function triedBy(view: HistoryView, target: Target): Pick<CoverageBasis, 'combinations' | 'tried'> {
  try {
    return {
      combinations: coverageOf(factorsOf(view).values(), livesInRuns, 2),
      tried: triedIn(view, target.answers.get('quote.rate_orientation')),
    };
  } catch {
    return {};
  }
}

function concluded(
  { target, checks, rules, options }: RunRequest,
  planned: Plan,
  results: ReadonlyMap<Check, SourceReport>,
  catalogue: Catalogue,
  disturbed: ReadonlySet<string>,
  targetMs: number,
): RunResult {
  const all = options.suiteChecks ?? checks;
  const ofChecks = planned.checks.flatMap(({ check }) => results.get(check) ?? []);
  let made: HistoryView | undefined;
  const view = (): HistoryView => (made ??= viewOf(target.history, ruleContext(target, disturbed)));
  const ofRules = applyRules(rules, view, catalogue);
  return {
    checks: ofChecks,
    rules: ofRules,
    requirements: requirementVerdicts(catalogue, target, { checks: all, rules }, ofChecks, ofRules),
    suiteDigest: suiteDigest(
      catalogue,
      all.map(({ id }) => id),
      rules.map(({ id }) => id),
    ),
    coverage: { all: all.length, ...(made && triedBy(made, target)) },
    targetMs,
  };
}
