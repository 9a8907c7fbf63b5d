import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { recordingTerminal } from './recording-terminal.ts';

const scenario = (status: string): string =>
  `scenario: watched\nsteps:\n  - sender: create order\n    expect: { status: ${status} }\n`;

it.each([
  ['elsewhere', []],
  ['beside the file', ['--out', '.']],
  ['in a folder beside it', ['--out', 'reports']],
])('--watch plays again when the file changes, once, with its output %s', async (_, out) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-watch-'));
  const file = join(folder, 'watched.yaml');
  writeFileSync(file, scenario('SETTLED'));
  const terminal = recordingTerminal(folder);
  const stops = new Set<() => void>();
  const text = (): string => terminal.text();
  const until = async (wanted: RegExp): Promise<void> => {
    for (let tries = 0; tries < 500 && !wanted.test(text()); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(text()).toMatch(wanted);
  };
  const ended = runProgram(['play', 'watched.yaml', '--watch', ...out], {
    ...terminal,
    onStop(given) {
      stops.add(given);
      return () => void stops.delete(given);
    },
  });
  await until(/1 scenario: 0 pass, 1 fail[\s\S]*watching; Ctrl-C ends it/);
  writeFileSync(file, scenario('PENDING'));
  await until(/1 scenario: 1 pass, 0 fail/);
  // Several times as long as a change is waited for.
  await new Promise((resolve) => setTimeout(resolve, 600));
  for (const stop of stops) stop();
  expect(await ended).toBe(0);
  expect(text().match(/1 scenario: /g)).toHaveLength(2);
  rmSync(folder, { recursive: true });
});
