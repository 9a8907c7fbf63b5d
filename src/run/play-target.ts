import { FaultyNetworks } from '../client/faulty-network.ts';
import { type Random, random } from '../random/random.ts';
import type { EndedEarly } from '../results/run-report.ts';
import type { SourceReport } from '../results/source-report.ts';
import { type Plan, planOf } from '../scenario/plan.ts';
import { isNetworkFault } from '../faults/faults.ts';
import type { Scenario } from '../scenario/language/load.ts';
import { play, type Played, unplayed } from '../scenario/run/play.ts';
import { systemClock } from '../timeline/clock/system-clock.ts';
import { LostClockError, lostClockReason } from '../timeline/timeline-errors.ts';
import { type GapId, gapIds } from '../spec/gaps/index.ts';
import { createRunEnd, everythingRejected, RunEndedError } from '../suite/engine/run-end.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import type { RemoteTarget } from './open.ts';
import { confirmClock, endWithTarget } from './end-with-target.ts';
import { applyAllRules, type PlayInputs } from './play-run.ts';

/** Number of scenarios that run at the same time on a target. */
export const playersAtOnce = 16;
/**
 * Options for playing: only parties with a stream in a scenario listen; a short flow may exceed the rate of long runs;
 * a clock that the first answers show to within 50 ms is not read again.
 */
export const transportFor = (scenarios: readonly Scenario[]) => ({
  listening: false,
  burst: 40,
  clockWithinMs: 50,
  ...(scenarios.some(hasNetworkFault) && { networks: new FaultyNetworks() }),
});

/**
 * Reduces a target to the parties that these scenarios need, so that no other is asked for a token. Keeps all parties
 * if an answer to a gap must be found first: its probe may need other parties than the scenario.
 */
export function onlyNeededParties(
  chosen: RemoteTarget,
  scenarios: readonly Scenario[],
): RemoteTarget {
  if (chosen.kind !== 'file') return chosen;
  const { participants: all, gaps, clock } = chosen.file;
  const isDriven = clock.kind === 'controlled';
  if (isDriven && namedGaps(scenarios).some((gap) => gaps[gap] === undefined)) return chosen;
  const needed = new Set(scenarios.flatMap((scenario) => planOf(scenario).reaches));
  const participants = all.filter(({ name }) => needed.has(name));
  if (participants.length === 0) return chosen;
  return { ...chosen, file: { ...chosen.file, participants } };
}

export interface PlayedTogether {
  readonly played: readonly Played[];
  readonly rules: readonly SourceReport[];
  /** Early end of the run. If the clock was lost, no failure is a verdict. */
  readonly endedEarly?: EndedEarly;
}

/**
 * Plays all scenarios concurrently on one target, so that they cost only their longest wait. Scenarios that must be
 * alone run first, one at a time. Rules judge all of it together.
 */
export async function playTogether(
  scenarios: readonly Scenario[],
  target: OpenedTarget,
  inputs: PlayInputs & {
    readonly concurrency: number;
    readonly onBegun?: (scenario: Scenario) => void;
  },
): Promise<PlayedTogether> {
  const draws = random(inputs.seed, '', target.runId);
  const plans = new Map(scenarios.map((scenario) => [scenario, planOf(scenario)]));
  const run = endWithTarget(target, inputs.runEnd ?? createRunEnd(), hostDate);
  const played: Played[] = [];
  let lost: string | undefined;
  // The longest waits first.
  const queue = scenarios
    .filter((scenario) => !isAlone(scenario))
    .toSorted((a, b) => expected(plans.get(b)) - expected(plans.get(a)));
  const playOne = async (scenario: Scenario): Promise<void> => {
    inputs.onBegun?.(scenario);
    const one = await play(scenario, { target, random: draws });
    played.push(one);
    inputs.onPlayed({ played: one, rules: [], records: [] });
  };
  const runner = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await playOne(next);
  };
  const runners = Array.from(
    { length: Math.min(inputs.concurrency, scenarios.length) },
    (_, index) => [`player ${index + 1}`, runner] as const,
  );
  const playAll = async (): Promise<void> => {
    for (const scenario of scenarios) if (isAlone(scenario)) await playOne(scenario);
    await target.timeline.together(runners);
  };
  try {
    await findAnswers(scenarios, target, draws).catch(endOfRunOnly);
    await target.timeline.act('play', playAll);
    await confirmClock(target);
  } catch (thrown) {
    if (thrown instanceof LostClockError) lost = lostClockReason(thrown);
    else endOfRunOnly(thrown);
    // Lets the running scenarios end first.
    await everythingRejected();
    // Scenarios that waited on a lost clock, or did not begin, are inconclusive: they say nothing against the target.
    const reason = lost ?? (thrown as RunEndedError).message;
    for (const scenario of scenarios) {
      if (played.some((one) => one.scenario === scenario)) continue;
      const one = unplayed(scenario, 'inconclusive', reason);
      played.push(one);
      inputs.onPlayed({ played: one, rules: [], records: [] });
    }
  }
  const endedEarly = await run.over(lost);
  const disturbed = played.flatMap((one) => one.disturbed);
  return {
    played: inOrder(scenarios, played),
    rules: applyAllRules(target, target.history.records, disturbed, inputs.rules),
    ...(endedEarly && { endedEarly }),
  };
}

const hasNetworkFault = (scenario: Scenario): boolean =>
  planOf(scenario).faults.some(({ fault }) => isNetworkFault(fault));

/** A fault of a party's network, or a restart, would strike all scenarios that play at the same time. */
const isAlone = (scenario: Scenario): boolean =>
  scenario.draft.alone ||
  planOf(scenario).faults.some(({ fault }) => isNetworkFault(fault) || fault.fault === 'restart');

const hostDate = (): string => new Date(systemClock().now()).toISOString();

/** Ignores the end of the run: results of the scenarios played by then stay valid. */
function endOfRunOnly(thrown: unknown): void {
  if (!(thrown instanceof RunEndedError)) throw thrown;
}

const expected = (plan: Plan | undefined): number =>
  plan ? plan.waitMs + 60_000 * plan.openWaits.length : 0;

const inOrder = (scenarios: readonly Scenario[], played: readonly Played[]): readonly Played[] =>
  scenarios.flatMap((scenario) => played.filter((one) => one.scenario === scenario));

/**
 * Discovery costs requests, so it runs only if a scenario depends on an answer that the target file does not declare.
 */
const needsUnknownAnswer = (scenario: Scenario, target: OpenedTarget): boolean =>
  answersFor(scenario).some((gap) => target.answers.get(gap) === undefined);

/** Gaps that the scenarios name in their own `gaps`. */
function namedGaps(scenarios: readonly Scenario[]): readonly GapId[] {
  const named = new Set(scenarios.flatMap(({ draft }) => draft.gaps.map(({ key }) => key)));
  return gapIds.filter((id) => named.has(id));
}

/** Finds undeclared answers that these scenarios depend on. Waits only if waiting costs no host time. */
async function findAnswers(
  scenarios: readonly Scenario[],
  target: OpenedTarget,
  draws: Random,
): Promise<void> {
  if (!scenarios.some((scenario) => needsUnknownAnswer(scenario, target))) return;
  const { answers, observations } = target;
  const { discover } = await import('../discovery/discover.ts');
  await discover(target, answers, draws.fork('discovery'), observations);
  if (target.clock.kind === 'system') return;
  const { discoverOverTime, gapsOverTime } = await import('../discovery/over-time.ts');
  const wanted = namedGaps(scenarios).filter(
    (gap) => gapsOverTime.includes(gap) && answers.declared[gap] === undefined,
  );
  await discoverOverTime(target, answers, draws.fork('over time'), wanted, observations);
}

function answersFor(scenario: Scenario): readonly GapId[] {
  const { draft, templates } = scenario;
  const words = new Set<unknown>();
  JSON.stringify([draft.setup, draft.steps, draft.always, ...templates.values()], (key, value) => {
    words.add(key).add(value);
    return value as unknown;
  });
  const used = (word: string, ...gaps: readonly GapId[]): readonly GapId[] =>
    words.has(word) ? gaps : [];
  return [
    ...namedGaps([scenario]),
    ...used('page', 'list.page_param', 'list.first_page'),
    ...used('page_size', 'list.page_size_param'),
    ...used('failure_reason', 'order.failure_reason_field'),
    ...used('submit quote', 'proposal.effect', 'quote.target_amount'),
  ];
}
