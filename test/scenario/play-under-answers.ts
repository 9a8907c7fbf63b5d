import { expect } from 'vitest';
import { findScenarios, loadScenarios } from '../../src/cli/play/scenario-files.ts';
import { random } from '../../src/random/random.ts';
import { planOf } from '../../src/scenario/plan.ts';
import { play } from '../../src/scenario/run/play.ts';
import { type GapId, gapIds, gaps } from '../../src/spec/gaps/index.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { recordingTerminal } from './recording-terminal.ts';

/** Every other answer to every gap, one at a time. */
const others = gapIds.flatMap((id) =>
  gaps[id].values.slice(1).map((value) => [id, value] as const),
);

/**
 * Checks that no flow fails a target for an allowed answer to a gap.
 * @param words files and folders of scenarios
 * @param every so-manieth answer is tried
 */
export async function playUnderAnswers(words: readonly string[], every = 1): Promise<void> {
  const terminal = recordingTerminal();
  const files = findScenarios(words, terminal) ?? [];
  const scenarios = (loadScenarios(files, terminal)?.scenarios ?? []).filter(
    ({ draft, id }) =>
      !draft.tags.some(({ value }) => value === 'long') && !id.endsWith('two-days-later'),
  );
  expect(scenarios.length).toBeGreaterThanOrEqual(words.length);
  const wrong: string[] = [];
  let passed = 0;
  const tried = others.filter((_, place) => place % every === 0);
  for (const [gap, answer] of tried) {
    const answers = assign({ [gap]: answer });
    for (const scenario of scenarios) {
      const { reaches } = planOf(scenario);
      const opened = await openEmbedded({
        seed: 1n,
        assignment: answers,
        listening: false,
        reaches,
      });
      try {
        const target = { ...opened, answers: { get: (id: GapId) => answers[id] } };
        const { verdict, reason, failures } = await play(scenario, { target, random: random(1n) });
        if (verdict === 'pass') passed += 1;
        else if (verdict !== 'out_of_scope' && verdict !== 'inconclusive') {
          wrong.push(
            `${gap} ${answer}: ${scenario.id}: ${reason ?? failures[0]?.message ?? verdict}`,
          );
        }
      } finally {
        await opened.close();
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(passed).toBeGreaterThan((tried.length * scenarios.length) / 3);
}
