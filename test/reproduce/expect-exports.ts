import { assign } from '../../src/target/embedded/assignment.ts';
import { expect } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { scenarioText } from '../../src/reproduce/scenario.ts';
import { reproducedBy, scriptOf, trialsOf, underAnswers } from './drawn.ts';
import { noScript } from '../../src/reproduce/script/script.ts';
import { missingTools, runOnReference } from '../../src/cli/replay/run-script.ts';

async function shownOf(id: string, check: string) {
  const mutation = mutationNamed(id);
  if (!mutation) throw new Error(`no mutation is named ${id}`);
  const search = await reproducedBy(mutation, check);
  if (!search.ok) throw new Error(search.reasons.join('; '));
  return { mutation, found: search.found };
}

/** Expects an export with these words that fails on the mutated reference and on no sound one. */
export async function expectExports(id: string, check: string, words: string) {
  const { mutation, found } = await shownOf(id, check);
  expect(scenarioText(found.reproduction)).toContain(words);
  const { broken, sound } = await trialsOf(found.reproduction, mutation);
  expect({ broken: broken.failed, sound: sound.failed }).toEqual({
    broken: 'steps',
    sound: 'no',
  });
  const { accused, judged } = await underAnswers(found.reproduction);
  expect(accused).toEqual([]);
  expect(judged).toBeGreaterThan(0);
  return { mutation, found };
}

/** The script of it does the same, if a script can show the failure. */
export async function expectScript({
  mutation,
  found,
}: Awaited<ReturnType<typeof shownOf>>): Promise<void> {
  if (missingTools().length > 0) return;
  const script = scriptOf(found.reproduction);
  if (script === undefined) {
    expect(noScript(found.reproduction)).toContain('a script holds no key');
    return;
  }
  const run = (options: Parameters<typeof runOnReference>[3]) =>
    runOnReference(script, process.env, 240_000, options);
  const onBroken = await run({ tamper: mutation.tamper() });
  expect(`${onBroken.code}\n${onBroken.said}`).toMatch(
    /^1\n[\s\S]*^FAIL: .* must .*\n[\s\S]*^seen: ./m,
  );
  const onSound = await run({ assignment: assign(found.reproduction.answers ?? {}) });
  expect(`${onSound.code}\n${onSound.said}`).toMatch(/^0\n[\s\S]*^holds: /m);
}
