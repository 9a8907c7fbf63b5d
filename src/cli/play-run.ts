import type { JudgeResult } from '../conformance/result.ts';
import { applyRules } from '../conformance/rules.ts';
import { isDecisive, worst } from '../conformance/verdicts.ts';
import type { HistoryRecord } from '../history/records.ts';
import { allRules } from '../rules/index.ts';
import { viewOf } from '../rules/view.ts';
import { random } from '../runtime/random.ts';
import { type Plan, planOf } from '../scenario/plan.ts';
import type { Scenario } from '../scenario/language/load.ts';
import { play, type Played } from '../scenario/run/play.ts';
import type { GapId } from '../spec/gaps/index.ts';
import { castNames, requirements } from '../spec/requirements/index.ts';
import { assign } from '../target/assignment.ts';
import { discover } from '../target/discovery/discover.ts';
import { openEmbedded } from '../target/embedded.ts';
import type { OpenedTarget } from '../target/opened.ts';

/** One scenario played, and what all rules say of its history. */
export interface Judged {
  readonly played: Played;
  readonly rules: readonly JudgeResult[];
  readonly records: readonly HistoryRecord[];
}

export interface PlayInputs {
  readonly seed: bigint;
  readonly maxWaitMs?: number;
  /** Whether the history is wanted afterwards; a day of it is large. */
  readonly keepsRecords: boolean;
  readonly onPlayed: (judged: Judged) => void;
}

/** Each scenario in a world of its own, one after another: a fresh reference with the answers that it asks for. */
export async function playEmbedded(
  scenarios: readonly Scenario[],
  inputs: PlayInputs,
): Promise<readonly Judged[]> {
  const results: Judged[] = [];
  for (const scenario of scenarios) {
    const answers = assign(
      Object.fromEntries(scenario.draft.gaps.map(({ key, value }) => [key, value.value])),
    );
    const opened = await openEmbedded({
      seed: inputs.seed,
      assignment: answers,
      listening: false,
      ...(inputs.maxWaitMs !== undefined && { maxWaitMs: inputs.maxWaitMs }),
    });
    try {
      // What a reference was built with need not be found out.
      const target = { ...opened, answers: { get: (gap: GapId) => answers[gap] } };
      const played = await play(scenario, {
        target,
        random: random(inputs.seed),
        reference: opened.hooks,
      });
      const seen = opened.history.records;
      const records = inputs.keepsRecords
        ? seen.map((record) => renamed(record, scenario.id))
        : seen;
      const judged = { played, records, rules: judgeByRules(target, records, played.disturbed) };
      inputs.onPlayed(judged);
      results.push(inputs.keepsRecords ? judged : { ...judged, records: [] });
    } finally {
      await opened.close();
    }
  }
  return results;
}

/** What a party does by itself has the same id in every world; under the scenario's name it is told apart. */
function renamed(record: HistoryRecord, scenario: string): HistoryRecord {
  const own = (id: string): string => (id.startsWith('party.') ? `${scenario} ${id}` : id);
  switch (record.kind) {
    case 'exchange':
      return { ...record, id: own(record.id) };
    case 'frame':
      return { ...record, id: own(record.id), stream: own(record.stream) };
    case 'end':
      return { ...record, stream: own(record.stream) };
  }
}

function judgeByRules(
  target: Pick<OpenedTarget, 'clock' | 'party' | 'parties'> & {
    readonly answers: { get(gap: GapId): string | undefined };
  },
  records: readonly HistoryRecord[],
  disturbed: readonly string[],
): readonly JudgeResult[] {
  const fate = new Set(disturbed);
  const cast = castNames.flatMap((name) => {
    const declared = target.parties[name];
    if (!declared) return [];
    return [[name, { role: declared.role, partyId: target.party(name, 'judge').partyId }] as const];
  });
  const context = {
    offset: target.clock.offset,
    answers: (gap: GapId) => target.answers.get(gap),
    cast: Object.fromEntries(cast),
    disturbed: (intentId: string) => fate.has(intentId),
  };
  return applyRules(allRules, () => viewOf({ records }, context), requirements);
}

/** All scenarios side by side on one target, so that they cost their longest wait. Rules judge all of it at once. */
export async function playTogether(
  scenarios: readonly Scenario[],
  target: OpenedTarget,
  inputs: PlayInputs & { readonly concurrency: number },
): Promise<{ readonly played: readonly Played[]; readonly rules: readonly JudgeResult[] }> {
  const draws = random(inputs.seed);
  const plans = new Map(scenarios.map((scenario) => [scenario, planOf(scenario)]));
  if (scenarios.some(dependsOnAnswers)) {
    await discover(target, target.answers, draws.fork('discovery'), target.sights);
  }
  const played: Played[] = [];
  // The longest waits first, and no more at a time than asked for.
  const queue = scenarios.toSorted((a, b) => expected(plans.get(b)) - expected(plans.get(a)));
  const runner = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const one = await play(next, { target, random: draws });
      played.push(one);
      inputs.onPlayed({ played: one, rules: [], records: [] });
    }
  };
  const runners = Array.from(
    { length: Math.min(inputs.concurrency, scenarios.length) },
    (_, index) => [`player ${index + 1}`, runner] as const,
  );
  await target.timeline.act('play', () => target.timeline.together(runners));
  const disturbed = played.flatMap((one) => one.disturbed);
  return {
    played: inOrder(scenarios, played),
    rules: judgeByRules(target, target.history.records, disturbed),
  };
}

const expected = (plan: Plan | undefined): number =>
  plan ? plan.waitMs + 60_000 * plan.openWaits.length : 0;

const inOrder = (scenarios: readonly Scenario[], played: readonly Played[]): readonly Played[] =>
  scenarios.flatMap((scenario) => played.filter((one) => one.scenario === scenario));

/** Answers to gaps cost requests to find, so only where a scenario leans on them. */
function dependsOnAnswers({ draft }: Scenario): boolean {
  const text = JSON.stringify([draft.setup, draft.steps, draft.always]);
  return draft.gaps.length > 0 || /"(page|page_size|failure_reason)"/.test(text);
}

/** What each rule came to over several histories. */
export function mergeRules(runs: readonly (readonly JudgeResult[])[]): readonly JudgeResult[] {
  const [first = []] = runs;
  return first.map((rule, index) => {
    const all = runs.flatMap((run) => run[index] ?? []);
    const judged = rule.requirements.map((requirement) => {
      const said = all.flatMap((one) =>
        one.judged.filter((each) => each.requirement === requirement),
      );
      const decisive = said.filter(({ verdict }) => isDecisive(verdict));
      const verdict = worst(decisive.map((each) => each.verdict)) ?? 'not_exercised';
      const reason = said.find((each) => each.verdict === verdict)?.reason;
      const exercised = said.reduce((sum, each) => sum + each.exercised, 0);
      return { requirement, verdict, exercised, ...(reason !== undefined && { reason }) };
    });
    const verdict =
      worst(judged.filter(({ exercised }) => exercised > 0).map((each) => each.verdict)) ??
      'not_exercised';
    const reason = all.find((one) => one.verdict === verdict)?.reason;
    const { reason: _, ...rest } = rule;
    return {
      ...rest,
      verdict: all.some((one) => one.verdict === 'error') ? 'error' : verdict,
      ...(reason !== undefined && verdict !== 'pass' && { reason }),
      judged,
      findings: all.flatMap((one) => one.findings).slice(0, 20),
      omitted: all.reduce((sum, one) => sum + one.omitted, 0),
    };
  });
}
