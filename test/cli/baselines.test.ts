import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { runHere } from './command-here.ts';
import { read } from './shipped-command.ts';
import { readDataBlock } from '../../src/report/html/data-block.ts';
import { testDirectory } from '../support/test-directory.ts';

const known = 'acceptance-without-rate-to-makers';
const fresh = 'winner-told-that-it-lost';
/** One life of an order shows both. */
const only = ['--only', 'order.life.no-memo'];

const work = testDirectory();
const put = (name: string, text: string): string => {
  writeFileSync(join(work, name), text);
  return name;
};
const assay = (...args: readonly string[]) => runHere(args, work);
const reportIn = (folder: string): RunReport =>
  JSON.parse(read(work, folder, 'report.json')) as RunReport;
const failuresIn = (file: string): number =>
  Number(/<testsuites [^>]*failures="(\d+)"/.exec(read(work, file))?.[1]);

beforeAll(async () => {
  await assay('check', ...only, '--mutation', known, '--out', 'base');
});

describe('assay check --baseline', () => {
  const checked = (mutation: string, out: string, ...more: readonly string[]) =>
    assay('check', ...only, '--mutation', mutation, '--out', out, ...more);

  it('ends with 0 while nothing is new, and no test of JUnit fails', async () => {
    const { code, out } = await checked(known, 'same', '--baseline', 'base/report.json');
    expect(out).toContain('nothing is new since the baseline');
    expect([code, failuresIn('same/junit.xml')]).toEqual([0, 0]);
    expect(reportIn('same').outcome).toBe('nonconformant');
    // `assay report` ends with the same code when it reads the report again.
    expect((await assay('report', 'same/report.json')).code).toBe(0);
  });

  it('ends with 1 for what is new, and lists that and what is fixed', async () => {
    const { code, out } = await checked(fresh, 'other', '--baseline', 'base/report.json');
    expect([code, failuresIn('other/junit.xml')]).toEqual([1, 1]);
    const { baseline } = reportIn('other');
    expect([baseline?.new.length, baseline?.fixed.length]).toEqual([1, 1]);
    for (const text of [out, read(work, 'other/summary.md')]) {
      for (const cause of [...(baseline?.new ?? []), ...(baseline?.fixed ?? [])]) {
        expect(text).toContain(cause.id);
      }
    }
  });

  it.each([
    ['that is not there', () => 'none.json', 'there is no such file'],
    ['that is no JSON', () => put('x.json', '<testsuites/>'), 'not JSON'],
    ['of another kind', () => put('c.json', '{"results":{}}'), '"format" is not "assay.report/1"'],
    [
      'whose entries are none',
      () => put('n.json', JSON.stringify({ ...reportIn('base'), checks: [null] })),
      'checks[0] is not an object',
    ],
  ])('a file %s is a usage error, before anything is run', async (_, file, problem) => {
    const { code, err, out } = await assay('check', '--baseline', file());
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(problem);
    expect(err).toContain('next: ');
    expect(err).not.toMatch(/^\s+at /m);
  });
});

describe('assay report', () => {
  it('writes the formats that are asked for where it compares', async () => {
    const args = ['--diff', 'base/report.json', '--format', 'html,markdown,json', '--out', 'site'];
    const { code } = await assay('report', 'base/report.json', ...args);
    expect(code).toBe(1);
    for (const file of ['report.html', 'summary.md', 'report.json']) {
      const text = read(work, 'site', file);
      expect(readDataBlock(text, 'report') ?? text).toContain('base/report.json');
    }
  });

  it('judges what was merged by waivers and a baseline', async () => {
    const [cause] = reportIn('base').causes ?? [];
    const waivers = put('w.yaml', `waivers:\n  - { cause: "${cause?.id}", reason: ticket 7 }\n`);
    await assay('check', '--only', 'order.cancel.pending', '--out', 'cancels');
    const merging = ['report', 'base/report.json', 'cancels/report.json', '--merge'];
    expect((await assay(...merging)).code).toBe(1);
    expect((await assay(...merging, '--waivers', waivers)).code).toBe(0);
    expect((await assay(...merging, '--baseline', 'base/report.json')).code).toBe(0);
  });
});

describe('a waivers file', () => {
  it.each([
    ['- { cause: a }', 'a waiver lacks "reason"'],
    ['- { cause: a, reason: b, id: c }', 'nothing beside a cause but its reason'],
    ['- { id: a, reason: b }', 'a waiver without a cause lacks "message"'],
    ['- { id: a, reason: b, deviation: gone }', 'one of no answer, fault, refused'],
    ['- { id: a, message: b, reason: " " }', 'some words'],
    ['- { cuase: a, reason: b }', 'did you mean "cause"?'],
  ])('with %s is refused: %s', async (item, problem) => {
    const file = put('bad.yaml', `waivers:\n  ${item}\n`);
    const { code, err } = await assay('check', '--waivers', file);
    expect(code).toBe(2);
    expect(err).toContain(problem);
    expect(err).toContain('bad.yaml:2:');
  });
});
