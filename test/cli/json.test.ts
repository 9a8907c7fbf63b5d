import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReport } from '../../src/report/index.ts';
import { root } from '../architecture/source.ts';
import { type RunningBackend, startSmallBackend } from '../support/network/small-backend.ts';
import { runProgram } from '../../src/cli/program.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';
import { runHere } from './command-here.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
let backend: RunningBackend;
beforeAll(async () => {
  backend = await startSmallBackend();
});
afterAll(async () => {
  await backend?.stop();
});

describe('--json', () => {
  it.each([
    ['check', ['check', '--only', 'order.cancel.again']],
    ['play', ['play', join(root, 'scenarios/happy/institution.yaml')]],
  ] as const)('of %s prints a report and nothing else', async (_, args) => {
    const { code, out, err } = await runHere([...args, '--json'], work);
    expect(code).toBe(0);
    expect(readReport(out)).toMatchObject({ ok: true, value: { outcome: 'conformant' } });
    expect(err).toContain('seed');
  });

  it('of probe prints what was found', async () => {
    const party = ['--base-url', `${backend.origin}/bank-a`];
    const { code, out } = await runHere(['probe', ...party, '--json'], work);
    expect(code).toBe(0);
    const found = JSON.parse(out) as { readonly gaps: readonly object[] };
    expect(found).toMatchObject({ parties: { sender: { role: 'institution' } } });
    expect(found.gaps).toContainEqual(
      expect.objectContaining({ gap: 'http.create_status', observed: '201' }),
    );
  });

  it.each([
    ['serve', ['serve', '--port', '0', '--clock', 'virtual', '--write-target', 'served.yaml']],
    ['serve with its page', ['serve', '--port', '0', '--ui']],
    ['cockpit', ['cockpit', '--seed', '7']],
  ] as const)('of %s prints its addresses on one line', async (_, args) => {
    const out: string[] = [];
    const code = await runProgram([...args, '--json'], {
      ...recordingTerminal(work),
      out: (text) => void out.push(text),
      onStop(stop) {
        stop();
        return () => undefined;
      },
    });
    expect([code, out.length]).toEqual([0, 1]);
    const {
      parties,
      cockpit,
      clock_url: clock,
    } = JSON.parse(out[0] ?? '') as {
      readonly parties?: readonly { readonly name: string; readonly base_url: string }[];
      readonly cockpit?: string;
      readonly clock_url?: string;
    };
    const maker = parties?.find(({ name }) => name === 'maker_a');
    const urls = [cockpit ?? clock, ...(args[0] === 'serve' ? [maker?.base_url] : [])];
    for (const url of urls) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
  });

  it('and --events cannot both write to standard output', async () => {
    const { code, err } = await runHere(['check', '--json', '--events', '-'], work);
    expect([code, err]).toEqual([2, expect.stringContaining('give events a file')]);
  });
});
