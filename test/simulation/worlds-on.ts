import { afterEach } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import type { ChosenTarget } from '../../src/run/open.ts';
import { openWorlds, type TargetWorlds } from '../../src/run/target-worlds.ts';
import { servedReference, targetOf } from '../support/network/served-reference.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

export const options = { seed: 1n, hostMs: () => 0 };

/** Worlds on a reference over HTTP whose clock is driven, closed after the test. */
export async function worldsOn(
  mutation?: string,
): Promise<{ readonly chosen: ChosenTarget; readonly worlds: TargetWorlds }> {
  const tamper = mutation === undefined ? undefined : mutationNamed(mutation)?.tamper();
  const { text, key, close } = await servedReference({ tamper });
  closing.push(close);
  const file = targetOf(text, { file: 'served.yaml', readText: () => key });
  const chosen: ChosenTarget = { kind: 'file', file, path: 'served.yaml', text };
  const opened = await openWorlds(chosen, options);
  if (!opened.ok) throw new Error(opened.problems.join('\n'));
  closing.push(() => opened.worlds.release());
  return { chosen, worlds: opened.worlds };
}
