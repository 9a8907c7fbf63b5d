import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { runHere } from './command-here.ts';
import { read } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();

const run = (...args: readonly string[]) => runHere(args, work);
const reportIn = (folder: string): RunReport =>
  JSON.parse(read(work, folder, 'report.json')) as RunReport;

/** Only rules tell this one: no check fails by itself. */
const mutation = ['--mutation', 'winner-told-that-it-lost'];
const only = ['--only', 'order.life.no-memo,order.life.plain,health.*'];

it('runs the checks that failed, also those of failed rules, and keeps the old report', async () => {
  expect((await run('check', ...only, ...mutation)).code).toBe(1);
  const before = read(work, 'reports', 'report.json');
  expect(reportIn('reports').checks.some(({ verdict }) => verdict === 'fail')).toBe(false);
  const { code, out } = await run('check', '--only-failed', 'reports/report.json', ...mutation);
  expect([code, out.includes('reports: reports/only-failed/report.html')]).toEqual([1, true]);
  const ran = reportIn('reports/only-failed').checks.map(({ id }) => id);
  expect(ran.length).toBeGreaterThan(0);
  for (const id of ran) expect(id).toMatch(/^order\.life\./);
  expect(read(work, 'reports', 'report.json')).toBe(before);
  // Mended: the same checks, and nothing fails any more.
  const again = ['check', '--only-failed', 'reports/report.json', '--out', 'mended'];
  expect((await run(...again)).code).toBe(0);
  expect(reportIn('mended').checks.map(({ id }) => id)).toEqual(ran);
});

it('says so if nothing failed, and exits as that run did', async () => {
  await run('check', '--only', 'health.sender', '--out', 'green');
  const { code, out } = await run('check', '--only-failed', 'green/report.json');
  expect([code, out]).toEqual([0, 'nothing failed in green/report.json: nothing was run\n']);
  const { run: of, ...rest } = reportIn('green');
  const ended_early = { reason: 'signal', at: of.finished_at, detail: 'stopped by SIGINT' };
  const cut = { ...rest, outcome: 'incomplete', run: { ...of, ended_early } };
  writeFileSync(join(work, 'cut.json'), JSON.stringify(cut));
  expect((await run('check', '--only-failed', 'cut.json')).code).toBe(3);
});

it('is refused beside --only, and without a report', async () => {
  const both = await run('check', '--only', 'health.*', '--only-failed', 'green/report.json');
  expect([both.code, both.err]).toEqual([
    2,
    'assay: --only and --only-failed exclude each other\n  next: leave out one of both\n',
  ]);
  const none = await run('check', '--only-failed', 'none.json');
  expect([none.code, none.err]).toEqual([
    2,
    'assay: --only-failed none.json: there is no such file\n  next: assay check writes reports/report.json\n',
  ]);
});

it('plays only the scenarios that failed', async () => {
  const flow = (expected: string): string =>
    `scenario: A ${expected} order\nsteps:\n  - sender: create order\n    expect: { status: ${expected} }\n`;
  writeFileSync(join(work, 'good.yaml'), flow('PENDING'));
  writeFileSync(join(work, 'bad.yaml'), flow('SETTLED'));
  const files = ['good.yaml', 'bad.yaml'];
  const first = await run('play', ...files, '--out', 'played');
  expect([first.code, first.err]).toEqual([1, '']);
  const { out } = await run('play', ...files, '--only-failed', 'played/report.json');
  expect(out).toContain('1 scenario: 0 pass, 1 fail');
});

it('a replay is written beside the report that is being read, and says where', async () => {
  await run('check', '--only', 'health.maker_a');
  const before = read(work, 'reports', 'report.json');
  const { out } = await run('replay', 'health.sender');
  expect(out).toContain('reports: reports/replay/health.sender/report.html');
  expect(reportIn('reports/replay/health.sender').checks).toHaveLength(1);
  expect(read(work, 'reports', 'report.json')).toBe(before);
});
