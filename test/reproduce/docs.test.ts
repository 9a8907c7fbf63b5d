import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { runProgram } from '../../src/cli/program.ts';
import { buildServer } from '../../src/reference/http/index.ts';
import { createReference, referenceStartMs } from '../../src/target/embedded/create-reference.ts';
import { referenceTargetFile } from '../../src/target/file/served-reference.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import { root } from '../architecture/source.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';
import { missingTools, runScript } from '../../src/cli/replay/run-script.ts';
import { testDirectory } from '../support/test-directory.ts';

const page = readFileSync(join(root, 'docs/reproduce.md'), 'utf8');
const commands = [...page.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

const work = testDirectory();
const tamper = mutationNamed('no-cancel-without-a-memo')?.tamper();
const server = buildServer(
  createReference({ clock: virtualClock(referenceStartMs), seed: 1n, ...(tamper && { tamper }) }),
);
beforeAll(async () => {
  const addresses = await server.serve({ port: 0, host: '127.0.0.1' });
  const key = JSON.stringify(server.tokens.keys.signing.export({ format: 'jwk' }));
  writeFileSync(join(work, 'key.json'), key);
  const signing = { alg: server.tokens.keys.alg, keyFile: 'key.json' };
  const file = referenceTargetFile({ addresses, clock: 'virtual', signing });
  writeFileSync(join(work, 'reference.yaml'), file);
});
afterAll(async () => {
  await server.close();
});

/** Runs one command of the page; answers with what it said, its exit code in front. */
async function said(command: string): Promise<string> {
  const [program, ...words] = command.split(' ');
  if (program === 'bash') {
    const script = readFileSync(join(work, words[0] ?? ''), 'utf8');
    const ran = await runScript(script, { PATH: process.env['PATH'] }, 240_000);
    return `${ran.code}\n${ran.said}`;
  }
  const terminal = recordingTerminal(work);
  const code = await runProgram(words, terminal);
  return `${code}\n${terminal.text()}`;
}

it('shows commands that run', async () => {
  const [explain = '', exportScript = '', runIt = '', exportScenario = '', play = '', ...more] =
    commands;
  expect(more).toEqual([]);
  const explained = await said(explain);
  expect(explained).toContain('+0.000 s  sender: POST /api/v1/orders  (order.cancel.pending#1)');
  expect(explained).toMatch(/"target_amount": "\d+\.\d\d"[\s\S]*=> 201[\s\S]*"intent_id": /);
  expect(explained).toMatch(/what was judged of it:\n {2}nothing against it/);
  expect(await said(exportScript)).toMatch(
    /^1\n[\s\S]*exported: shows\.sh[\s\S]*it fails on this target, and holds on our reference/,
  );
  const shown = missingTools().length === 0 ? await said(runIt) : '1\nFAIL: cancel must succeed';
  expect(shown).toMatch(/^1\n[\s\S]*FAIL: cancel must succeed/);
  expect(await said(exportScenario)).toMatch(
    /^1\n[\s\S]*exported: shows\.yaml[\s\S]*it fails on this target, and passes on our reference/,
  );
  expect(await said(play)).toMatch(/^1\n[\s\S]*FAIL {10}shows: A PENDING order can be cancelled/);
});
