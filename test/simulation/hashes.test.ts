import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from '../architecture/source.ts';

const hashes = (...flags: readonly string[]): string =>
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/world-hashes.ts', ...flags], {
    cwd: root,
    encoding: 'utf8',
  });

it('the hashes of worlds are the same in every process, and other worlds have others', () => {
  const run = hashes('--seeds', '2', '--twice', '--each');
  expect(run).toContain('played twice 2: 0 differ\n');
  const [one, two, digest] = run.split('\n');
  const again = hashes('--seeds', '1', '--from', '2', '--each').split('\n');
  expect(again[0]).toBe(two);
  expect(new Set([one, two].map((line) => line?.split(' ')[1])).size).toBe(2);
  expect(again[1]).not.toBe(digest);
});
