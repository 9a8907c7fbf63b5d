import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import type { RunReport } from '../../src/report/index.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';
import { testDirectory } from '../support/test-directory.ts';

const folder = testDirectory();

async function run(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const terminal = recordingTerminal(folder);
  const code = await runProgram([...args, '--out', 'out'], terminal);
  return { code, text: terminal.text() };
}

const partial =
  /^outcome {6}conformant as far as judged: 1 of \d+ checks, .* only health\.sender$/m;

it('a run of one check, or its replay, says that it judged no more than this', async () => {
  for (const args of [
    ['check', '--only', 'health.sender'],
    ['replay', 'health.sender'],
  ]) {
    const { code, text } = await run(...args);
    expect(text).toMatch(partial);
    expect(code).toBe(0);
  }
  const report = JSON.parse(readFileSync(join(folder, 'out', 'report.json'), 'utf8')) as RunReport;
  expect(report.outcome).toBe('conformant');
  expect(report.coverage).toMatchObject({
    checks: { judged: 1, out_of_scope: 0 },
    part: { only: ['health.sender'] },
  });
});

it.each([
  ['1%', 0, 'enough'],
  ['2%', 3, 'too little'],
  ['full', 3, 'too little'],
])('--require-coverage %s makes an exit code of it', async (share, expected, words) => {
  const { code, text } = await run('check', '--only', 'health.*', '--require-coverage', share);
  expect(text).toMatch(
    new RegExp(`^coverage: 8 of \\d+ checks were judged \\(1%\\).*${words}$`, 'm'),
  );
  expect(code).toBe(expected);
});
