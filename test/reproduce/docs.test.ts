import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { runProgram } from '../../src/cli/program.ts';
import { buildServer } from '../../src/reference/http/index.ts';
import { createReference, referenceStartMs } from '../../src/target/embedded/create-reference.ts';
import { referenceTargetFile } from '../../src/target/file/served-reference.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import { writeWhole } from '../../src/cli/files.ts';
import { root } from '../architecture/source.ts';
import { workDirectory } from '../cli/shipped-command.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';
import { bash, hasTools } from './run-script.ts';

const page = readFileSync(join(root, 'docs/reproduce.md'), 'utf8');
const commands = [...page.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

const work = workDirectory();
const tamper = mutationNamed('no-cancel-without-a-memo')?.tamper();
const server = buildServer(
  createReference({ clock: virtualClock(referenceStartMs), seed: 1n, ...(tamper && { tamper }) }),
);
beforeAll(async () => {
  const addresses = await server.serve({ port: 0, host: '127.0.0.1' });
  const key = JSON.stringify(server.tokens.keys.signing.export({ format: 'jwk' }));
  writeWhole(join(work.path, 'key.json'), key, 'secret');
  const signing = { alg: server.tokens.keys.alg, keyFile: 'key.json' };
  const file = referenceTargetFile({ addresses, clock: 'virtual', signing });
  writeWhole(join(work.path, 'reference.yaml'), file);
});
afterAll(async () => {
  await server.close();
  work.remove();
});

it('shows commands that run', { timeout: 120_000 }, async () => {
  expect(commands).toHaveLength(5);
  for (const command of commands) {
    const [program, ...words] = command.split(' ');
    if (program === 'bash') {
      if (!hasTools) continue;
      const { code, said } = await bash(words[0] ?? '', { PATH: process.env['PATH'] }, work.path);
      expect(`${code} ${said}`).toMatch(/^1 [\s\S]*FAIL: cancel must succeed/);
      continue;
    }
    const terminal = recordingTerminal(work.path);
    const code = await runProgram(words, terminal);
    const isExplained = words.includes('--explain');
    expect(`${command}: ${code}\n${terminal.text()}`).toMatch(`${command}: ${isExplained ? 0 : 1}`);
    if (isExplained) {
      expect(terminal.text()).toMatch(
        /\+0\.000 s {2}sender: POST \/api\/v1\/orders {2}\(order\.cancel\.pending#1\)/,
      );
      expect(terminal.text()).toMatch(
        /"target_amount": "1000\.00"[\s\S]*=> 201[\s\S]*"intent_id": /,
      );
      expect(terminal.text()).toMatch(/what was judged of it:\n {2}nothing against it/);
    }
  }
});
