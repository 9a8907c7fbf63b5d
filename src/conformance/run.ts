import type { Target } from '../client/contract.ts';
import type { Rule } from '../rules/rule.ts';
import { viewOf } from '../rules/view.ts';
import { createBell } from '../runtime/bell.ts';
import type { Random } from '../runtime/random.ts';
import { LostClockError } from '../runtime/stalls.ts';
import type { Timeline } from '../runtime/timeline.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { Check } from './check.ts';
import { suiteDigest } from './digest.ts';
import type { Catalogue } from './findings.ts';
import { createGate } from './gate.ts';
import { judgeRequirements } from './judge.ts';
import { judgeContext } from './judge-context.ts';
import { type Plan, plan, type PlannedCheck, type Shard } from './plan.ts';
import { createProgress, type Progress } from './progress.ts';
import type { JudgeResult, RunResult } from './result.ts';
import { applyRules } from './rules.ts';
import { lostClock, notRun, prepareTrial, type RunningTrial, type TrialContext } from './trial.ts';

export interface RunOptions {
  /** Each check draws from its own fork of this, by its id. */
  readonly random: Random;
  /** Patterns that select checks; none selects all. */
  readonly only?: readonly string[];
  /** The whole of what is selected unless told. */
  readonly shard?: Shard;
  /** Most calls in flight at once. A check that only waits takes no place. */
  readonly concurrency?: number;
  /** Target time that each check may use beyond the wait it announces. */
  readonly allowanceMs?: number;
  /** Target time to go on listening after the last check, so that what it set off is heard. */
  readonly lingerMs?: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface RunRequest {
  readonly target: Target;
  /** The whole suite, in its order. */
  readonly checks: readonly Check[];
  readonly rules: readonly Rule[];
  readonly options: RunOptions;
  readonly catalogue?: Catalogue;
}

const defaults = { concurrency: 32, allowanceMs: 120_000, lingerMs: 0 } as const;

/**
 * Beyond its budget, a check may still be within one call, and that within the call for its token: calls end by
 * themselves, though a target may have each of them wait for a minute.
 */
const graceMs = 240_000;

/** Under a clock that is moved, checks begin so many at a time, so far apart in target time. */
const startsAtOnce = 6;
const startPauseMs = 1_000;

/** Longest wait first, so that the run costs its longest wait and no more; else the order of the suite. */
const startOrder = (planned: readonly PlannedCheck[]): PlannedCheck[] =>
  planned
    .filter((each) => each.outOfScope.length === 0)
    .toSorted((one, other) => other.waitMs - one.waitMs);

/**
 * Runs the selected checks side by side on the target's timeline, then applies every rule to all that was recorded.
 * Never throws for what a target does, nor for what a check or a rule does.
 */
export async function runChecks(request: RunRequest): Promise<RunResult> {
  const { target, checks, options } = request;
  const { timeline } = target;
  const catalogue: Catalogue = request.catalogue ?? requirements;
  const planned = plan(checks, target, catalogue, options.only, options.shard);
  const gate = createGate(timeline, { concurrency: options.concurrency ?? defaults.concurrency });
  const progress = createProgress(timeline, options.onProgress);
  const disturbed = new Set<string>();
  const context = (check: Check): TrialContext => ({
    target,
    catalogue,
    gate,
    random: options.random.fork(check.id),
    allowanceMs: options.allowanceMs ?? defaults.allowanceMs,
    disturbed,
  });

  const started = timeline.now();
  const results = new Map<Check, JudgeResult>();
  const one = async (check: Check, place: number): Promise<void> => {
    // Where time stands still while anybody acts, a pause costs nothing, and keeps lists short while they are walked.
    if (timeline.kind !== 'system') {
      await timeline.until(started + Math.floor(place / startsAtOnce) * startPauseMs);
    }
    // On no timeline are calls free for certain: a target that limits their rate lets time pass on any.
    await gate.room(check.id);
    const trial = prepareTrial(check, context(check));
    progress.started(trial);
    const running = guarded(trial, timeline);
    gate.next();
    const result = await running;
    results.set(check, result);
    progress.finished(trial, result.verdict);
  };
  const stopped = await stoppedBy(() =>
    timeline.act('run', async () => {
      const order = startOrder(planned.checks);
      progress.planned(order.length);
      await timeline.together(order.map(({ check }, place) => [check.id, () => one(check, place)]));
      const lingerMs = options.lingerMs ?? defaults.lingerMs;
      if (lingerMs > 0) await timeline.sleep(lingerMs);
    }),
  );
  for (const { check, outOfScope } of planned.checks) {
    if (results.has(check)) continue;
    const reason = outOfScope.join('; ');
    results.set(
      check,
      reason !== '' ? notRun(check, 'out_of_scope', reason) : cutShort(check, stopped),
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
  return stopped instanceof LostClockError ? { ...found, stopped: lostClock(stopped) } : found;
}

/** A check that had not ended when the run did. */
function cutShort(check: Check, stopped: Error | undefined): JudgeResult {
  if (stopped instanceof LostClockError) return notRun(check, 'not_exercised', lostClock(stopped));
  const why = stopped?.message ?? 'no reason known';
  return notRun(check, 'error', `the run stopped before it ended: ${why}`);
}

/** A timeline that gives up (somebody held time still) ends every check; what was recorded by then is judged. */
async function stoppedBy(run: () => Promise<void>): Promise<Error | undefined> {
  try {
    await run();
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

/**
 * Every wait and call of a check is bounded by its budget. What is left is a check that waits for something that the
 * timeline does not know: a discrete timeline's own watchdog finds that, on the system clock this does.
 */
async function guarded(trial: RunningTrial, timeline: Timeline): Promise<JudgeResult> {
  if (timeline.kind !== 'system') return trial.run();
  const done = createBell();
  let result: JudgeResult | undefined;
  const running = trial.run().then((ended) => {
    result = ended;
    done.ring();
  });
  while (!result) {
    const last = trial.budget.deadline() + graceMs;
    if (timeline.now() >= last) {
      return notRun(trial.check, 'error', 'it waited for something outside of the timeline');
    }
    await timeline.wait(done, last);
  }
  await running;
  return result;
}

function concluded(
  { target, checks, rules }: RunRequest,
  planned: Plan,
  results: ReadonlyMap<Check, JudgeResult>,
  catalogue: Catalogue,
  disturbed: ReadonlySet<string>,
  targetMs: number,
): RunResult {
  const ofChecks = planned.checks.flatMap(({ check }) => results.get(check) ?? []);
  const view = () => viewOf(target.history, judgeContext(target, disturbed));
  const ofRules = applyRules(rules, view, catalogue);
  return {
    checks: ofChecks,
    rules: ofRules,
    requirements: judgeRequirements(catalogue, target, { checks, rules }, ofChecks, ofRules),
    suiteDigest: suiteDigest(
      catalogue,
      checks.map(({ id }) => id),
      rules.map(({ id }) => id),
    ),
    targetMs,
  };
}
