import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { type RunningBackend, startSmallBackend } from '../support/network/small-backend.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';
import { runHere } from './command-here.ts';
import { read } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
let backend: RunningBackend;
beforeAll(async () => {
  backend = await startSmallBackend();
});
afterAll(async () => {
  await backend?.stop();
});

const urls = (...paths: readonly string[]) =>
  paths.flatMap((path) => ['--base-url', `${backend.origin}/${path}`]);

describe('assay init', () => {
  it('tries each party, writes a file that a run can begin with, and says the next command', async () => {
    const args = [...urls('mm-1', 'bank-a'), '--name', 'acme', '--max-wait', '20s'];
    const { code, out } = await runHere(['init', ...args, '--out', 'acme.yaml'], work);
    expect(code).toBe(0);
    expect(out).toMatch(/sender +institution .*BankA::01, health 200\n.*maker_a +market-maker /);
    expect(out).toContain('next: assay probe --target acme.yaml --write');
    const text = read(work, 'acme.yaml');
    expect(text).toMatch(/^name: "acme"$/m);
    expect(text).toMatch(/^ {2}max_wait: 20s$/m);
    const plan = await runHere(['check', '--target', 'acme.yaml', '--dry-run'], work);
    expect(plan.code).toBe(0);
  });

  it('prints nothing with --quiet, and shows how a clock that can be moved is declared', async () => {
    const args = ['init', ...urls('mm-1', 'bank-a'), '--out', 'quiet.yaml', '--quiet'];
    expect(await runHere(args, work)).toMatchObject({ code: 0, out: '', err: '' });
    const driven = read(work, 'quiet.yaml')
      .replace(/^clock:\n.*\n.*\n/m, '')
      .replaceAll(/^# (clock:| {2}(?:kind|now|advance):)/gm, '$1');
    expect(driven).toMatch(/^clock:\n {2}kind: controlled$/m);
    writeFileSync(join(work, 'driven.yaml'), driven);
    const plan = await runHere(['check', '--target', 'driven.yaml', '--dry-run'], work);
    expect(plan.code).toBe(0);
  });

  it('asks a person who gives no flags', async () => {
    const answers = [` sender=${backend.origin}/bank-a `, ''];
    const terminal = { ...recordingTerminal(work), ask: async () => answers.shift() };
    expect(await runProgram(['init', '--out', 'asked.yaml', '--json'], terminal)).toBe(0);
    expect(terminal.text()).toContain('"party_id": "BankA::01"');
    expect(read(work, 'asked.yaml')).toContain('sender: { role: institution');
  });

  it.each([
    ['nobody is there to ask', [], 2, 'no address to ask'],
    ['nobody answers', ['--base-url', 'sender=http://127.0.0.1:1'], 3, 'is the backend running'],
  ] as const)('writes nothing where %s', async (_, args, code, why) => {
    const ended = await runHere(['init', ...args, '--out', 'none.yaml'], work);
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(why)]);
    expect(existsSync(join(work, 'none.yaml'))).toBe(false);
  });

  it('writes nothing where a party is not what it is named', async () => {
    const args = ['init', '--base-url', `maker_a=${backend.origin}/bank-a`, '--out', 'none.yaml'];
    const { code, err } = await runHere(args, work);
    expect(code).toBe(2);
    expect(err).toContain('maker_a calls itself institution');
    expect(existsSync(join(work, 'none.yaml'))).toBe(false);
  });
});
