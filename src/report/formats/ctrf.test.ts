import { describe, expect, it } from 'vitest';
import { report } from '../../../test/support/report/check-run.ts';
import { applyWaivers } from '../waivers.ts';
import { toCtrf } from './ctrf.ts';

interface Test {
  readonly name: string;
  readonly status: string;
  readonly duration: number;
  readonly suite: readonly string[];
  readonly rawStatus: string;
}

interface Document {
  readonly reportFormat: string;
  readonly specVersion: string;
  readonly results: {
    readonly summary: Readonly<Record<string, number>>;
    readonly tests: readonly Test[];
  };
}

const read = (text: string): Document => JSON.parse(text) as Document;
const named = (document: Document, name: string, suite: string): Test | undefined =>
  document.results.tests.find((test) => test.name.startsWith(name) && test.suite[0] === suite);

describe('CTRF', () => {
  const document = read(toCtrf(report()));

  it('is of a version that there is', () => {
    expect([document.reportFormat, document.specVersion]).toEqual(['CTRF', '1.0.0']);
  });

  it('counts each test once, by its status', () => {
    const { summary, tests } = document.results;
    const statuses = ['passed', 'failed', 'skipped', 'pending', 'other'];
    const counts = statuses.map((status) => tests.filter((test) => test.status === status).length);
    expect(statuses.map((status) => summary[status])).toEqual(counts);
    expect(summary['tests']).toBe(tests.length);
  });

  it('fails for the cause, and for nothing that shows it', () => {
    const failed = document.results.tests.filter(({ status }) => status === 'failed');
    expect(failed.map(({ suite }) => suite)).toEqual([['causes']]);
    expect(named(document, 'order.form', 'part 2: Resources and fields')).toMatchObject({
      status: 'other',
      rawStatus: 'fail',
    });
  });

  it('has every check and rule', () => {
    const { checks, rules } = report();
    const shown = document.results.tests.flatMap(({ suite: [suite] }) =>
      suite === 'checks' || suite === 'rules' ? [suite] : [],
    );
    expect(shown).toHaveLength(checks.length + rules.length);
  });

  it('takes a warning for no pass', () => {
    const warned = document.results.tests.filter(({ rawStatus }) => rawStatus === 'warn');
    expect(warned.map(({ status }) => status)).toEqual(['other', 'other']);
  });

  it('skips what was waived', () => {
    const cause = report().causes?.find(({ outcome }) => outcome === 'fail')?.id ?? '';
    const waived = applyWaivers(report(), [{ cause, reason: 'ticket 12' }]);
    expect(named(read(toCtrf(waived)), cause, 'causes')?.status).toBe('skipped');
  });

  it('has whole milliseconds, and only keys that the schema knows', () => {
    const known = [
      'name',
      'status',
      'duration',
      'suite',
      'message',
      'trace',
      'rawStatus',
      'tags',
      'type',
    ];
    for (const test of document.results.tests) {
      expect(Object.keys(test).filter((key) => !known.includes(key))).toEqual([]);
      expect(Number.isInteger(test.duration)).toBe(true);
    }
  });
});
