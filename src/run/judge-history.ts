import { keyElsewhere } from '../client/token-signing.ts';
import { requirementVerdicts } from '../suite/engine/requirement-verdicts.ts';
import type { Scope } from '../suite/engine/plan.ts';
import type { RequirementReport } from '../results/run-report.ts';
import type { SourceReport } from '../results/source-report.ts';
import { applyRules } from '../suite/engine/apply-rules.ts';
import { groupBy } from '../history/group-by.ts';
import type { Exchange, History } from '../history/records.ts';
import { mergeRuleReports, type RunReport } from '../report/index.ts';
import type { Rule } from '../oracle/index.ts';
import { type OracleContext, viewOf } from '../oracle/trace/history-view.ts';
import type { GapId } from '../spec/gaps/index.ts';
import { cast, castNames, controls, requirements } from '../spec/requirements/index.ts';
import { offsetOfAll } from '../target/clock/clock-offset.ts';
import { createGapAnswers } from '../target/gap-answers.ts';
import { observeGaps } from '../discovery/observe/observe-gaps.ts';
import { referenceMemos } from '../target/embedded/create-reference.ts';

/** Facts of the target that a history was made with; what is not given is read from the history. */
export interface KnownOfTarget {
  /** Of the same run: its parties, the offset of its clock and its answers to gaps are taken from there. */
  readonly report?: Pick<RunReport, 'target' | 'gaps'>;
  /** Answers to gaps; they go before those of the report. */
  readonly gaps?: { readonly [id in GapId]?: string };
  /**
   * Orders that were pushed off their path on purpose, by their intent ids. By default those whose memo asks the
   * reference for it.
   */
  readonly disturbed?: readonly string[];
  /** Of a recording, the stretches of time in which all that a party did is in it (OracleContext.recorded). */
  readonly recorded?: OracleContext['recorded'];
}

/** What rules say of a history. */
export interface JudgedHistory {
  /** One for each rule, in their order, with its findings. */
  readonly rules: readonly SourceReport[];
  /** The verdict of every requirement of the catalogue, as far as these rules tell it. */
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

/** What rules say of several histories together. */
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

/** Nothing is out of a target's scope: what was not seen was not exercised. */
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
    (known.disturbed ?? disturbedIn(exchanges)).map((id) => id.toLowerCase()),
  );
  return {
    offset: offsetIn(exchanges, known),
    answers: (gap) => answers.get(gap),
    cast: castIn(exchanges, known),
    disturbed: (intentId) => disturbed.has(intentId.toLowerCase()),
    ...(known.recorded && { recorded: known.recorded }),
  };
}

/** As the run knew it; where its report does not say, the timestamps of the answers show more than a mean. */
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
  const parties = new Set(exchanges.map(({ party }) => party));
  return offsetOfAll([...parties].map((name) => exchanges.filter(({ party }) => party === name)));
}

function castIn(exchanges: readonly Exchange[], { report }: KnownOfTarget): OracleContext['cast'] {
  const participants = report?.target.participants ?? {};
  return Object.fromEntries(
    exchanges.map(({ party, role }) => {
      const baseUrl = participants[party]?.base_url;
      return [party, { role, ...(baseUrl !== undefined && { baseUrl }) }];
    }),
  );
}

const memos: readonly unknown[] = Object.values(referenceMemos);

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

function disturbedIn(exchanges: readonly Exchange[]): readonly string[] {
  return exchanges.flatMap(({ endpoint, request, response }) => {
    if (endpoint !== 'order.create' || !memos.includes(fieldOf(request.body, 'memo'))) return [];
    const id = fieldOf(fieldOf(response?.body, 'data'), 'intent_id');
    return typeof id === 'string' ? [id] : [];
  });
}
