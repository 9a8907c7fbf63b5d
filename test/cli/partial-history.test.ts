import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHistory } from '../../src/history/jsonl.ts';
import type { Server } from '../../src/reference/http/index.ts';
import type { RunReport } from '../../src/report/index.ts';
import { served } from '../scenario/served-reference.ts';
import { beginHere, runHere } from './command-here.ts';
import { read } from './shipped-command.ts';
import { until } from './stopped-run.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
let server: Server;
let file = '';
beforeAll(async () => {
  ({ server, file } = await served('system', work));
});
afterAll(async () => {
  await server.close();
});

const partial = (): string | undefined =>
  readdirSync(join(work, 'out')).find((name) => name.endsWith('.partial.jsonl'));

it('the history of a run is on disk while it runs, and a report is made of it after a crash', async () => {
  const report = { format: 'assay.report/1', note: 'of an older run' };
  await runHere(['check', '--only', 'health.sender', '--out', 'out'], work);
  const older = read(work, 'out', 'report.json');
  const args = ['check', '--target', file, '--only', 'order.life.*', '--out', 'out'];
  const { ended, stop } = beginHere(args, work);
  let taken = '';
  await until(() => {
    const name = partial();
    taken = name === undefined ? '' : readFileSync(join(work, 'out', name), 'utf8');
    return taken.split('\n').length > 60;
  });
  // As a crash of the host would leave it: whole lines, and nothing else touched.
  const history = readHistory(taken);
  expect(history.ok && history.records.length).toBeGreaterThan(50);
  expect(taken.endsWith('\n')).toBe(true);
  expect(read(work, 'out', 'report.json')).toBe(older);
  stop();
  expect((await ended).code).toBe(3);
  expect(partial()).toBeUndefined();
  expect(report.format).toBe('assay.report/1');

  writeFileSync(join(work, 'out', 'history.7.partial.jsonl'), `${taken}{"kind":"exch`);
  const name = 'out/history.7.partial.jsonl';
  const audited = await runHere(['audit', name, '--out', 'made', '--json'], work);
  const made = JSON.parse(audited.out) as RunReport;
  expect([audited.code, made.requirements.filter(({ verdict }) => verdict === 'fail')]).toEqual([
    0,
    [],
  ]);
  // The report beside it is of another run.
  expect(made.target.name).toBe(name);
  expect(made.notes).toContain('the last line breaks off: it was left out');
});
