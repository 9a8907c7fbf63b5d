import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { root } from '../architecture/source.ts';
import { recordingTerminal } from './recording-terminal.ts';

/** Files that must fail, each beside its exact output. `UPDATE_GOLDEN=1` writes the outputs. */
const folder = 'scenarios/failing';
const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .toSorted();

describe('scenarios that must fail', () => {
  it('are many', () => {
    expect(names.length).toBeGreaterThanOrEqual(25);
  });

  it.each(names)('%s', async (name) => {
    const file = `${folder}/${name.replaceAll('\\', '/')}`;
    const terminal = recordingTerminal();
    const code = await runProgram(['play', file], terminal);
    const text = `${terminal.text()}\nexit ${code}\n`;
    const golden = join(root, file.replace(/\.yaml$/, '.out'));
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, 'utf8'));
    expect(code).toBe(file.includes('/files/') ? 2 : 1);
  });
});
