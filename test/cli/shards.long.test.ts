import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectSameInShards } from './sharded-runs.ts';
import { workDirectory } from './shipped-command.ts';

let work: ReturnType<typeof workDirectory>;
beforeEach(() => {
  work = workDirectory();
});
afterEach(() => work.remove());

describe('the whole suite in parts', () => {
  it.each([
    ['of the sound reference', [], 3],
    ['of one with a defect', ['--mutation', 'winner-told-that-it-lost'], 4],
  ] as const)(
    '%s comes to the verdicts of the whole run',
    async (_, args, of) => {
      const { coverage } = await expectSameInShards(work.path, args, of);
      expect([coverage?.part, coverage?.checks.not_selected]).toEqual([undefined, 0]);
    },
    600_000,
  );
});
