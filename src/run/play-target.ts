import { random } from '../random/random.ts';
import type { SourceReport } from '../results/source-report.ts';
import { type Plan, planOf } from '../scenario/plan.ts';
import type { Scenario } from '../scenario/language/load.ts';
import { play, type Played } from '../scenario/run/play.ts';
import { type GapId, gapIds } from '../spec/gaps/index.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import type { ChosenTarget } from './open.ts';
import { applyAllRules, type PlayInputs } from './play-run.ts';

/** Scenarios side by side on a target. */
export const playersAtOnce = 16;
/**
 * Only parties that a scenario lets listen do so, a short flow may exceed the rate of long runs, and a clock that the
 * first answers show to within 50 ms is not asked once more.
 */
export const playTransport = { listening: false, burst: 40, clockWithinMs: 50 } as const;

/** Only the parties that these scenarios need, so that no other is asked for a token. */
export function onlyNeededParties(
  chosen: Exclude<ChosenTarget, { readonly kind: 'embedded' }>,
  scenarios: readonly Scenario[],
): Exclude<ChosenTarget, { readonly kind: 'embedded' }> {
  if (chosen.kind !== 'file') return chosen;
  const needed = new Set(scenarios.flatMap((scenario) => planOf(scenario).reaches));
  const participants = chosen.file.participants.filter(({ name }) => needed.has(name));
  if (participants.length === 0) return chosen;
  return { ...chosen, file: { ...chosen.file, participants } };
}

/** All scenarios side by side on one target, so that they cost their longest wait. Rules judge all of it at once. */
export async function playTogether(
  scenarios: readonly Scenario[],
  target: OpenedTarget,
  inputs: PlayInputs & { readonly concurrency: number },
): Promise<{ readonly played: readonly Played[]; readonly rules: readonly SourceReport[] }> {
  const draws = random(inputs.seed);
  const plans = new Map(scenarios.map((scenario) => [scenario, planOf(scenario)]));
  if (scenarios.some((scenario) => needsUnknownAnswer(scenario, target))) {
    const { discover } = await import('../discovery/discover.ts');
    await discover(target, target.answers, draws.fork('discovery'), target.observations);
  }
  const played: Played[] = [];
  // The longest waits first.
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
    rules: applyAllRules(target, target.history.records, disturbed),
  };
}

const expected = (plan: Plan | undefined): number =>
  plan ? plan.waitMs + 60_000 * plan.openWaits.length : 0;

const inOrder = (scenarios: readonly Scenario[], played: readonly Played[]): readonly Played[] =>
  scenarios.flatMap((scenario) => played.filter((one) => one.scenario === scenario));

/** Answers cost requests to find, so only where a scenario leans on one that the target's file does not declare. */
const needsUnknownAnswer = (scenario: Scenario, target: OpenedTarget): boolean =>
  answersFor(scenario).some((gap) => target.answers.get(gap) === undefined);

function answersFor({ draft, templates }: Scenario): readonly GapId[] {
  const text = JSON.stringify([draft.setup, draft.steps, draft.always, ...templates.values()]);
  const used = (words: RegExp, ...gaps: readonly GapId[]): readonly GapId[] =>
    words.test(text) ? gaps : [];
  return [
    ...gapIds.filter((id) => draft.gaps.some(({ key }) => key === id)),
    ...used(/"page"/, 'list.page_param', 'list.first_page'),
    ...used(/"page_size"/, 'list.page_size_param'),
    ...used(/"failure_reason"/, 'order.failure_reason_field'),
    ...used(/"submit quote"/, 'proposal.effect', 'quote.target_amount'),
  ];
}
