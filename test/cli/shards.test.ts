import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from './command-here.ts';
import { expectSameInShards } from './sharded-runs.ts';
import type { RunReport } from '../../src/report/index.ts';
import { read } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();

describe('assay check --shard', () => {
  it('comes to the verdicts of the whole run, once its parts are merged', async () => {
    const args = [
      '--only',
      'order.life.no-memo,order.life.plain',
      '--mutation',
      'winner-told-that-it-lost',
    ];
    const { outcome, coverage } = await expectSameInShards(work, args, 2, 'part');
    expect(outcome).toBe('nonconformant');
    expect(coverage?.part).toEqual({ only: ['order.life.no-memo', 'order.life.plain'] });
  });

  it('judges nothing whole of some of its parts, and refuses one that is given twice', async () => {
    const only = ['--only', 'order.life.no-memo,order.life.plain'];
    for (const part of [1, 2]) {
      const args = ['check', ...only, '--shard', `${part}/2`, '--out', `half-${part}`];
      expect((await runHere(args, work)).code).toBe(0);
    }
    const merge = (...files: readonly string[]) => runHere(['report', ...files, '--merge'], work);
    const [one, two] = ['half-1/report.json', 'half-2/report.json'];

    const alone = await merge(one);
    expect(alone.code).toBe(3);
    expect(alone.out).toContain('part 2 of 2 is missing: what only its checks judge is not judged');
    const twice = await merge(one, one);
    expect(twice.code).toBe(2);
    expect(twice.err).toBe(
      [
        'assay: the reports cannot be merged: half-1/report.json is given twice',
        '  next: give each part of one run once',
        '',
      ].join('\n'),
    );
    // The same part of a second run: other moments, and yet not the part that is missing.
    await runHere(['check', ...only, '--shard', '1/2', '--out', 'again'], work);
    const again = JSON.parse(read(work, 'again', 'report.json')) as RunReport;
    writeFileSync(
      join(work, 'again', 'report.json'),
      JSON.stringify({ ...again, run: { ...again.run, wall_ms: again.run.wall_ms + 1 } }),
    );
    const repeated = await merge(one, 'again/report.json', two);
    expect(repeated.code).toBe(2);
    expect(repeated.err).toContain('part 1 of 2 is given twice');
    expect((await merge(one, two)).code).toBe(0);
  });

  it('shows beforehand which checks are in a part', async () => {
    const checksIn = async (...more: readonly string[]) => {
      const { out } = await runHere(['check', '--dry-run', ...more], work);
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
    const { code, err } = await runHere(['check', '--shard', text], work);
    expect(code).toBe(2);
    expect(err).toContain('1/4, 2/4, ...');
  });
});
