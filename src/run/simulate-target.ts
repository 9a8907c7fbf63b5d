import type { HistoryRecord } from '../history/records.ts';
import { fieldsOf, itemsOf, textOf } from '../protocol/answers.ts';
import { isObject } from '../protocol/json.ts';
import { isPartOf, type WorldFinding } from '../simulation/outcome.ts';
import type { Plan } from '../simulation/plan.ts';
import type { WorldRun } from '../simulation/run-plan.ts';
import { shrinkPlan } from '../simulation/shrink/shrink-plan.ts';
import { referenceStartMs } from '../target/embedded/create-reference.ts';
import type { TargetWorlds } from './target-worlds.ts';
import type { TrialTarget } from './try-reproduction.ts';
import { type WorldScenario, worldScenario } from './world-scenario.ts';

export interface TargetShrinkBounds {
  /** Maximum number of plays on the target. */
  readonly mostRuns: number;
  readonly isSpent: () => boolean;
}

/** The smallest world found that shows a finding on its target. */
export interface ShrunkOnTarget {
  readonly plan: Plan;
  /** Its last run that showed it. */
  readonly run: WorldRun;
  readonly finding: WorldFinding;
  readonly runs: number;
  readonly isLeast: boolean;
  /** The target never showed it again: it may rest on what had happened before. */
  readonly isFlaky: boolean;
}

/** Shrinks a world by playing it on the target. The result shows the same violation there. */
export async function shrinkOnTarget(
  worlds: TargetWorlds,
  first: { readonly run: WorldRun; readonly finding: WorldFinding },
  bounds: TargetShrinkBounds,
): Promise<ShrunkOnTarget> {
  const isSame = (finding: WorldFinding): boolean => isPartOf(finding, first.finding);
  let shown = first;
  let times = 0;
  const shows = async (plan: Plan): Promise<boolean> => {
    const { run, outcome } = await worlds.play(plan);
    if (!outcome.findings.some(isSame)) return false;
    // Lists hold orders of earlier worlds: findings on those rest on no step of this world.
    const own = withOwnItems(run);
    const finding = worlds.judge(own).find(isSame);
    if (!finding) return false;
    times += 1;
    shown = { run: own, finding };
    return true;
  };
  const { plan } = first.run;
  // The target has its own time and its own answers: these cannot be simplified.
  const bare = { ...plan, startMs: referenceStartMs, assignment: {} };
  const { plan: least, runs, isLeast } = await shrinkPlan(bare, shows, bounds);
  const whole = { ...least, startMs: plan.startMs, assignment: plan.assignment };
  return { plan: whole, ...shown, runs, isLeast, isFlaky: runs > 0 && times === 0 };
}

/**
 * A finding as a scenario that fails on the target for the same reason and passes on the reference. The search plays
 * many trials on the target, so the worlds release it first.
 */
export async function scenarioOnTarget(
  worlds: TargetWorlds,
  target: TrialTarget,
  { run, finding }: Pick<ShrunkOnTarget, 'run' | 'finding'>,
): Promise<WorldScenario> {
  const { clock, controls } = await worlds.known();
  await worlds.release();
  const origin = `the world of seed ${run.plan.seed}`;
  return worldScenario(run, finding, target, origin, { clock, controls });
}

/**
 * Removes the orders of others from the lists of a run on a shared target. The world brought about everything that is
 * still shown.
 */
function withOwnItems(run: WorldRun): WorldRun {
  const { records } = run.history;
  const own = new Set(
    records.flatMap((record) => {
      if (record.kind !== 'exchange' || record.endpoint !== 'order.create') return [];
      return textOf(fieldsOf(record), 'intent_id')?.toLowerCase() ?? [];
    }),
  );
  return { ...run, history: { records: records.map((record) => withoutForeign(record, own)) } };
}

function withoutForeign(record: HistoryRecord, own: ReadonlySet<string>): HistoryRecord {
  if (record.kind !== 'exchange' || !record.response) return record;
  const items = itemsOf(record);
  const { body } = record.response;
  if (items.length === 0 || !isObject(body)) return record;
  const kept = items.filter((item) => {
    const id = textOf(item, 'intent_id')?.toLowerCase();
    return id === undefined || own.has(id);
  });
  if (kept.length === items.length) return record;
  return { ...record, response: { ...record.response, body: { ...body, data: kept } } };
}
