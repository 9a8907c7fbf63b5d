import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectSameInShards } from './sharded-runs.ts';
import { workDirectory } from './shipped-command.ts';

let work: ReturnType<typeof workDirectory>;
beforeEach(() => {
  work = workDirectory();
});
afterEach(() => work.remove());

describe('the whole suite in parts', () => {
  it('of a reference with a defect comes to the verdicts of the whole run', async () => {
    const args = ['--mutation', 'winner-told-that-it-lost'];
    const { outcome, coverage } = await expectSameInShards(work.path, args, 2);
    expect(outcome).toBe('nonconformant');
    expect([coverage?.part, coverage?.checks.not_selected]).toEqual([undefined, 0]);
  });
});
