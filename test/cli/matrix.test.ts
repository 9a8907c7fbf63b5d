import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report } from '../support/report/check-run.ts';
import { runHere } from './command-here.ts';

const directory = mkdtempSync(join(tmpdir(), 'assay-matrix-'));
const names = ['acme', 'nova', 'orbit'];
for (const name of names) {
  const one = report();
  const text = JSON.stringify({ ...one, target: { ...one.target, name } });
  writeFileSync(join(directory, `${name}.json`), text);
}
const files = names.map((name) => `${name}.json`);

test('report --matrix writes three targets side by side', async () => {
  const words = ['--matrix', '--format', 'html,markdown,json', '--out', 'site'];
  const { code, out } = await runHere(['report', ...files, ...words], directory);
  expect([code, out]).toEqual([0, 'site: matrix.html, matrix.md, matrix.json\n']);
  const page = readFileSync(join(directory, 'site/matrix.html'), 'utf8');
  for (const name of names) expect(page).toContain(`<th scope="col">${name}</th>`);
  const { out: shown } = await runHere(['report', ...files, '--matrix'], directory);
  expect(shown).toContain('| Part | acme | nova | orbit |');
});

test.each([
  [['acme.json', '--matrix'], 'a matrix takes two reports at least'],
  [[...files, '--matrix', '--merge'], '--matrix goes with none of merge'],
  [[...files, '--matrix', '--format', 'junit'], 'there is no format "junit"'],
  [['acme.json', 'none.json', '--matrix'], 'none.json'],
])('report %j is refused', async (words, problem) => {
  const { code, err } = await runHere(['report', ...words], directory);
  expect(code).toBe(2);
  expect(err).toContain(problem);
  expect(existsSync(join(directory, 'matrix.md'))).toBe(false);
});
