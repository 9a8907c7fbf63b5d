import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from './command-here.ts';
import { expectSameInShards } from './sharded-runs.ts';
import { workDirectory } from './shipped-command.ts';

let work: ReturnType<typeof workDirectory>;
beforeAll(() => {
  work = workDirectory();
});
afterAll(() => work.remove());

describe('assay check --shard', () => {
  it('comes to the verdicts of the whole run, once its parts are merged', async () => {
    const args = [
      '--only',
      'order.life.no-memo,order.life.plain',
      '--mutation',
      'winner-told-that-it-lost',
    ];
    const { outcome, coverage } = await expectSameInShards(work.path, args, 2, 'part');
    expect(outcome).toBe('nonconformant');
    expect(coverage?.part).toEqual({ only: ['order.life.no-memo', 'order.life.plain'] });
  });

  it('shows beforehand which checks are in a part', async () => {
    const checksIn = async (...more: readonly string[]) => {
      const { out } = await runHere(['check', '--dry-run', ...more], work.path);
      return out.split('\n').flatMap((line) => /^([a-z]\S*\.\S+) {2}/.exec(line)?.[1] ?? []);
    };
    const whole = await checksIn();
    expect(whole.length).toBeGreaterThan(100);
    const parts = [
      await checksIn('--shard', '1/3'),
      await checksIn('--shard', '2/3'),
      await checksIn('--shard', '3/3'),
    ];
    expect(parts.flat().toSorted()).toEqual(whole.toSorted());
  });

  it.each(['0/2', '3/2', '1', '1/0', 'a/b'])('refuses %s', async (text) => {
    const { code, err } = await runHere(['check', '--shard', text], work.path);
    expect(code).toBe(2);
    expect(err).toContain('1/4, 2/4, ...');
  });
});
