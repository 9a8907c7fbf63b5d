import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { beginHere, runHere, wordsOf } from './command-here.ts';
import { read } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const mutation = 'expired-order-accepts';
const only = ['--only', 'order.expiry.quote-outlives-it.*'];

const work = testDirectory();

const againIn = (text: string): string =>
  /again: assay (replay .+)$/m.exec(text)?.[1]?.trim() ?? 'nothing to paste';

/** Does what comes of pasting what follows `assay` into a shell. */
const pasted = (line: string) => runHere(wordsOf(line, work), work);

const reportIn = (folder: string): RunReport =>
  JSON.parse(read(work, folder, 'report.json')) as RunReport;

it('the line after a failure meets the same target, by a file whose name needs quotes', async () => {
  mkdirSync(join(work, "our team's"));
  const file = "our team's/served reference.yaml";
  const args = ['serve', '--port', '0', '--clock', 'virtual', '--mutation', mutation];
  const server = beginHere([...args, '--write-target', file], work);
  await server.ready;
  try {
    const first = await runHere(['check', '--target', file, ...only, '--out', 'first'], work);
    expect(first.code).toBe(1);
    const line = againIn(first.out);
    expect(line).toContain(`--target 'our team'\\''s/served reference.yaml'`);
    const again = await pasted(`${line} --out again`);
    expect(again.code).toBe(1);
    const [one, other] = [reportIn('first'), reportIn('again')];
    expect(other.target).toEqual({
      ...one.target,
      clock: expect.objectContaining({ kind: 'controlled' }) as unknown,
    });
    // Another machine, or another day: the report tells the same.
    const shown = await runHere(['report', 'first/report.json'], work);
    expect(againIn(shown.out)).toBe(line);
  } finally {
    server.stop();
    await server.ended;
  }
});

it('the line after a failure of a reference that was broken on purpose breaks it again', async () => {
  const broken = ['--mutation', mutation, '--seed', '9'];
  const first = await runHere(['check', ...broken, ...only, '--out', 'embedded'], work);
  const again = await pasted(`${againIn(first.out)} --out embedded-again`);
  expect([first.code, again.code]).toEqual([1, 1]);
  expect(reportIn('embedded-again').run.seed).toBe('0x0000000000000009');
});
