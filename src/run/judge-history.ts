import { keyElsewhere } from '../client/token-signing.ts';
import { requirementVerdicts, applyRules } from '../suite/engine/apply-rules.ts';
import type { Scope } from '../suite/engine/plan.ts';
import type { RequirementReport } from '../results/run-report.ts';
import type { SourceReport } from '../results/source-report.ts';
import { groupBy } from '../history/group-by.ts';
import type { Exchange, History, HistoryRecord } from '../history/records.ts';
import { fieldsOf, textOf } from '../protocol/answers.ts';
import { type ControlFields, controlOf } from '../reproduce/steps-of-history.ts';
import { mergeRuleReports, type RunReport } from '../report/index.ts';
import type { Rule } from '../oracle/index.ts';
import { type OracleContext, viewOf } from '../oracle/trace/history-view.ts';
import type { GapId } from '../spec/gaps/index.ts';
import { cast, castNames, controls, requirements } from '../spec/requirements/index.ts';
import { offsetOfAll } from '../target/clock/clock-offset.ts';
import { createGapAnswers } from '../target/gap-answers.ts';
import { observeGaps } from '../discovery/observe/observe-gaps.ts';
import { referenceMemos } from '../target/embedded/create-reference.ts';

/** Known facts about the target of a history. Absent facts are read from the history. */
export interface KnownOfTarget {
  /** Report of the same run: source of the parties, the clock offset and the answers to gaps. */
  readonly report?: Pick<RunReport, 'target' | 'gaps'>;
  /** Answers to gaps. They take precedence over those of the report. */
  readonly gaps?: { readonly [id in GapId]?: string };
  /**
   * Intent ids of orders with a deliberate fault. By default the orders with a memo that asks the reference for a
   * fault.
   */
  readonly disturbed?: readonly string[];
  /** Periods in which a recording has all requests of a party (OracleContext.recorded). */
  readonly recorded?: OracleContext['recorded'];
}

/** Results of the rules on a history. */
export interface JudgedHistory {
  /** One report per rule, in the order of the rules. */
  readonly rules: readonly SourceReport[];
  /** Verdict on every requirement of the catalogue, from these rules only. */
  readonly requirements: readonly RequirementReport[];
}

/**
 * Applies rules to a history. A file may hold several worlds one after the other (decision 13): each is judged alone,
 * since in each the same time begins anew.
 */
export function judgeHistory(
  history: History,
  rules: readonly Rule[],
  known: KnownOfTarget,
): JudgedHistory {
  const judged = worldsIn(history).map((world) =>
    applyRules(rules, () => viewOf(world, contextOf(world, known)), requirements),
  );
  return mergeJudged(rules, judged);
}

/** Merges the results of the rules on several histories. */
export function mergeJudged(
  rules: readonly Rule[],
  judged: readonly (readonly SourceReport[])[],
): JudgedHistory {
  const merged = mergeRuleReports(judged);
  return {
    rules: merged,
    requirements: requirementVerdicts(requirements, anywhere, { checks: [], rules }, [], merged),
  };
}

/** A scope with everything in it: an unseen requirement is not exercised, never out of scope. */
const anywhere: Scope = {
  parties: Object.fromEntries(castNames.map((name) => [name, { role: cast[name], baseUrl: '' }])),
  clock: { kind: 'virtual', maxWaitMs: Number.POSITIVE_INFINITY, offset: { least: 0, most: 0 } },
  controls: Object.fromEntries(controls.map((name) => [name, {}])),
  signing: keyElsewhere('', 'a history mints nothing'),
};

/** The records of each world, in their order. A history without records is one world. */
function worldsIn(history: History): readonly History[] {
  const worlds = groupBy(history.records, ({ world = '' }) => world);
  return worlds.size < 2 ? [history] : [...worlds.values()].map((records) => ({ records }));
}

function contextOf(world: History, known: KnownOfTarget): OracleContext {
  const exchanges = world.records.filter((record) => record.kind === 'exchange');
  const reported = Object.fromEntries(
    (known.report?.gaps ?? []).flatMap(({ id, declared, observed }) => {
      const answer = declared ?? observed;
      return answer === undefined ? [] : [[id, answer]];
    }),
  );
  const answers = createGapAnswers({ ...reported, ...known.gaps });
  answers.learn(observeGaps(world, answers.declared));
  const disturbed = new Set(
    (known.disturbed ?? disturbedBy(memoControls, exchanges)).map((id) => id.toLowerCase()),
  );
  return {
    offset: offsetIn(exchanges, known),
    answers: (gap) => answers.get(gap),
    cast: castIn(exchanges, known),
    disturbed: (intentId) => disturbed.has(intentId.toLowerCase()),
    ...(known.recorded && { recorded: known.recorded }),
  };
}

/** Clock offset as the run knew it. If its report has no range, the timestamps of the answers show more than a mean. */
function offsetIn(exchanges: readonly Exchange[], { report }: KnownOfTarget) {
  const range = report?.target.clock.offset_range_ms;
  if (range) return { least: range[0], most: range[1] };
  const kind = report?.target.clock.kind;
  // The clocks that runs drive are as exact as the report says.
  if (
    kind === 'virtual' ||
    (kind === 'controlled' && report?.target.clock.offset_ms !== undefined)
  ) {
    const ms = report?.target.clock.offset_ms ?? 0;
    return { least: ms, most: ms };
  }
  return offsetSeen(exchanges);
}

/** Clock offset by the timestamps of the answers. */
export const offsetSeen = (exchanges: readonly Exchange[]) =>
  offsetOfAll([...groupBy(exchanges, ({ party }) => party).values()]);

function castIn(exchanges: readonly Exchange[], { report }: KnownOfTarget): OracleContext['cast'] {
  const participants = report?.target.participants ?? {};
  return Object.fromEntries(
    exchanges.map(({ party, role }) => {
      const baseUrl = participants[party]?.base_url;
      return [party, { role, ...(baseUrl !== undefined && { baseUrl }) }];
    }),
  );
}

/** Controls of the reference: memos of an order. */
export const memoControls: readonly ControlFields[] = controls.map((name) => ({
  name,
  fields: { memo: referenceMemos[name] },
}));

/** Orders with a deliberate fault: those that were created with the fields of a control. */
export const disturbedBy = (
  asked: readonly ControlFields[],
  records: readonly HistoryRecord[],
): readonly string[] =>
  records.flatMap((record) => {
    if (record.kind !== 'exchange' || controlOf(record, asked) === undefined) return [];
    return textOf(fieldsOf(record), 'intent_id') ?? [];
  });
