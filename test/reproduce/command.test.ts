import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingTools, runScript } from '../../src/cli/replay/run-script.ts';
import { runProgram } from '../../src/cli/program.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();

async function said(...words: readonly string[]): Promise<string> {
  const terminal = recordingTerminal(work);
  const code = await runProgram(words, terminal);
  return `${code}\n${terminal.text()}`;
}

const broken = ['order.life.no-memo', '--mutation', 'no-cancel-without-a-memo'] as const;

describe('assay replay', () => {
  it('writes nothing where nothing failed', async () => {
    const text = await said('replay', 'order.life.no-memo', '--export', 'sh');
    expect(text).toMatch(/^0\n[\s\S]*nothing to export: no failure was found/);
    expect(existsSync(join(work, 'order.life.no-memo.sh'))).toBe(false);
  });

  it('runs one check, also where a requirement goes by its name', async () => {
    expect(await said('replay', 'order.cancel.pending')).toMatch(/^checks {7}1 pass$/m);
  });

  it('names what it cannot use', async () => {
    expect(await said('replay', 'flow.yaml', '--explain')).toMatch(/^2\n.*are for checks/);
    const unknown = await said(
      'replay',
      ...broken,
      '--export',
      'sh',
      '--requirement',
      'order.cancel.pendin',
    );
    expect(unknown).toMatch(/^2\n[\s\S]*none of the catalogue[\s\S]*order\.cancel\.pending/);
    expect(await said('replay', ...broken, '--export', 'bash')).toMatch(/^2\n[\s\S]*sh, scenario/);
  });

  it('says why a failure is not to be had', async () => {
    const only = ['--requirement', 'order.list.complete'];
    const text = await said('replay', ...broken, '--export', 'scenario', ...only);
    expect(text).toContain('nothing to export');
  });

  it.skipIf(missingTools().length > 0)('ends with a script that outlasts its time', async () => {
    const { code, said: pid } = await runScript('sleep 600 & echo $!; wait', process.env, 500);
    process.kill(Number(pid));
    expect(code).toBeNull();
  });

  it('plays a mutation on the embedded reference only', async () => {
    writeFileSync(
      join(work, 'x.yaml'),
      'scenario: x\nsteps:\n  - sender: who am I\n    answered: 200\n',
    );
    expect(await said('play', 'x.yaml', '--mutation', 'no-such')).toMatch(
      /^2\n.*no mutation is named/,
    );
    const remote = ['--base-url', 'sender=http://127.0.0.1:1'];
    expect(await said('play', 'x.yaml', '--mutation', 'no-such', ...remote)).toMatch(
      /^2\n.*embedded/,
    );
  });
});
