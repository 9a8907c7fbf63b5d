import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, sourcesIn } from './source.ts';

/** The files that vitest itself would run, relative to the root. */
function chosenBy(...args: readonly string[]): readonly string[] {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'list', '--filesOnly', '--json', ...args],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const files = JSON.parse(stdout) as readonly { readonly file: string }[];
  return files.map(({ file }) => file.slice(root.length)).toSorted();
}

it('each test is run by one tier, and by one only', () => {
  const [quick, long] = [chosenBy(), chosenBy('--mode', 'long')];
  expect(long.length).toBeGreaterThan(5);
  expect(quick.filter((path) => long.includes(path))).toEqual([]);
  const all = ['src', 'conformance', 'mutants', 'test']
    .flatMap(sourcesIn)
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.test.ts'));
  expect([...quick, ...long].toSorted()).toEqual(all.toSorted());
});
