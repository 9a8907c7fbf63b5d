import { inWorld, isBySelf } from '../history/worlds.ts';
import { random } from '../random/random.ts';
import { planOf } from '../scenario/plan.ts';
import type { Scenario } from '../scenario/language/load.ts';
import { isDiskFault, isNetworkFault } from '../faults/faults.ts';
import { play } from '../scenario/run/play.ts';
import { goesOnFromJournal } from '../simulation/run-plan.ts';
import type { GapId } from '../spec/gaps/index.ts';
import { endWithRun } from '../suite/engine/run-end.ts';
import { assign } from '../target/embedded/assignment.ts';
import { type PlayedScenario, applyAllRules, type PlayInputs } from './play-run.ts';
import { openWatched } from './watched-reference.ts';

/** Plays one scenario at a time, on this thread or on another. */
export type Player = (scenario: Scenario) => Promise<PlayedScenario>;

/**
 * Plays every scenario, each in a world of its own, so that the result depends neither on the player nor on the order.
 * Results are reported and returned in the order of the scenarios.
 */
export async function playEmbedded(
  scenarios: readonly Scenario[],
  inputs: PlayInputs,
  helpers: readonly Player[] = [],
): Promise<readonly PlayedScenario[]> {
  const { runEnd } = inputs;
  const results: (PlayedScenario | undefined)[] = scenarios.map(() => undefined);
  let reported = 0;
  const report = (): void => {
    for (let next = results[reported]; next; next = results[reported]) {
      inputs.onPlayed(next);
      reported += 1;
    }
  };
  const queue = scenarios.map((scenario, place) => ({ scenario, place, size: sizeOf(scenario) }));
  // The longest first: begun last, it would keep the other players waiting at the end.
  if (helpers.length > 0) queue.sort((one, other) => other.size - one.size);
  let isEnded = (): void => {};
  const ended = new Promise<undefined>((resolve) => (isEnded = () => resolve(undefined)));
  const forget = runEnd?.onEnd(isEnded);
  const work = async (player: Player): Promise<void> => {
    for (let next = queue.shift(); next && !runEnd?.ended(); next = queue.shift()) {
      const { place, scenario } = next;
      // If the run ends, scenarios still running in other threads are given up.
      results[place] = await Promise.race([player(scenario), ended]);
      report();
    }
  };
  await Promise.all([(one: Scenario) => playOnReference(one, inputs), ...helpers].map(work));
  forget?.();
  return results.filter((one) => one !== undefined);
}

/** Rough cost of a scenario: target time costs heartbeats, and repeated steps cost each time. */
const sizeOf = (scenario: Scenario): number => planOf(scenario).waitMs;

/** A flow may wait for the turn of a year, or for the next leap day; open streams make that cost a minute or two. */
const longestWaitMs = 800 * 86_400_000;

/** Plays one scenario on a fresh reference with the answers that the scenario asks for, unless others are given. */
export async function playOnReference(
  scenario: Scenario,
  inputs: Omit<PlayInputs, 'onPlayed'>,
): Promise<PlayedScenario> {
  const wanted = scenario.draft.gaps.map(({ key, value }) => [key, value.value]);
  const answers = inputs.answers ?? assign(Object.fromEntries(wanted));
  const tamper = inputs.tamper?.();
  const { reaches, faults } = planOf(scenario);
  const {
    target: opened,
    reference,
    inside,
  } = await openWatched(
    {
      seed: inputs.seed,
      assignment: answers,
      listening: false,
      // Values alone belong to no party: then all parties are present.
      ...(reaches.length > 0 && { reaches }),
      maxWaitMs: inputs.maxWaitMs ?? longestWaitMs,
      tamper,
    },
    {
      restarts: faults.some(({ fault }) => isDiskFault(fault)) && goesOnFromJournal(tamper),
      faulty: faults.some(({ fault }) => isNetworkFault(fault) || fault.fault === 'host pauses'),
    },
  );
  const forget = inputs.runEnd && endWithRun(opened.timeline, inputs.runEnd);
  try {
    // The answers of the reference are known: no discovery is needed.
    const target = { ...opened, answers: { get: (gap: GapId) => answers[gap] } };
    const played = await play(scenario, {
      target,
      random: random(inputs.seed, '', inputs.runId),
      reference,
    });
    const seen = opened.history.records;
    const rules = [...applyAllRules(target, seen, played.disturbed, inputs.rules), ...inside()];
    // Requests that a party sends by itself have the same id in every world. With the scenario's name the id is unique.
    const records = inputs.keepsRecords
      ? seen.map((record) =>
          inWorld(record, scenario.id, (id) => (isBySelf(record) ? `${scenario.id} ${id}` : id)),
        )
      : [];
    return { played, records, rules };
  } finally {
    forget?.();
    await opened.close();
  }
}
