import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { random } from '../../src/random/random.ts';
import type { RunReport } from '../../src/report/index.ts';
import { runHere } from '../cli/command-here.ts';
import { workDirectory } from '../cli/shipped-command.ts';
import { lantern } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';
import { startChaosProxy } from '../support/network/chaos-proxy.ts';
import { runThroughChaos } from './chaos-run.ts';

const lives = ['order.cancel.*', 'order.quotes.*'] as const;

test.each(['driven', 'system'] as const)(
  'a target that goes away in the middle of a run (%s clock) is blamed for nothing, and the run says since when',
  async (clock) => {
    const before = Date.now();
    const { exit, report, accusations, records } = await runThroughChaos({
      backend: 'lantern',
      clock,
      share: 0,
      seed: 1,
      only: lives,
      maxWaitMs: 1_000,
      goneAfter: 250,
    });
    expect([exit, accusations]).toEqual([3, []]);
    expect(records.length).toBeGreaterThan(200);
    const { ended_early: ended } = report?.run ?? {};
    expect(ended).toMatchObject({
      reason: 'target_gone',
      detail: expect.stringContaining(`the target has been gone since ${ended?.at}: `),
    });
    expect(Date.parse(ended?.at ?? '')).toBeGreaterThanOrEqual(before);
    expect(report?.outcome).toBe('incomplete');
    expect(report?.totals.requirements.fail).toBe(0);
    expect(report?.totals.requirements.pass).toBeGreaterThan(20);
  },
);

/** An order that is read `times` times. */
const reading = (name: string, times: number): string => `scenario: ${name}
steps:
  - sender: create order
    save: o
  - repeat: ${times}
    steps:
      - sender: read order
        of: $o
        expect: { status: PENDING }
`;

test.each([1, 4])(
  'a target that goes away in the middle of a play with flows left (%d) ends it: what was played by then stands',
  async (left) => {
    const work = workDirectory();
    const peer = await startPeer({ dialect: lantern, clock: 'host' });
    const proxy = await startChaosProxy({
      origin: peer.origin,
      random: random(1n),
      share: 0,
      goneAfter: 18,
    });
    const files = Array.from({ length: 1 + left }, (_, n) => `flow-${10 + n}.yaml`);
    for (const [n, file] of files.entries())
      writeFileSync(join(work.path, file), reading(file, n === 0 ? 2 : 20));
    const target = targetFile(peer, 'gone', 'host').replaceAll(peer.origin, proxy.origin);
    writeFileSync(join(work.path, 't.yaml'), target);
    const before = Date.now();
    const { code, out } = await runHere(
      ['play', ...files, '--target', 't.yaml', '--concurrency', '1', '--out', 'o'],
      work.path,
    );
    await proxy.close();
    await peer.close();
    const written = readFileSync(join(work.path, 'o', 'report.json'), 'utf8');
    work.remove();
    const report = JSON.parse(written) as RunReport;
    const { ended_early: ended } = report.run;
    const detail = `the target has been gone since ${ended?.at}: `;
    expect(ended).toMatchObject({
      reason: 'target_gone',
      detail: expect.stringContaining(detail),
    });
    expect(Date.parse(ended?.at ?? '')).toBeGreaterThanOrEqual(before);
    expect([code, report.outcome]).toEqual([3, 'incomplete']);
    expect(out).toContain(detail);
    const [first, ...others] = report.scenarios?.map(({ verdict }) => verdict) ?? [];
    expect([first, new Set(others)]).toEqual(['pass', new Set(['inconclusive'])]);
  },
);
