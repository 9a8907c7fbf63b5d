import { describe, expect, it } from 'vitest';
import { report } from '../../../test/support/report/check-run.ts';
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

  it('fails once for the cause, not for its failures', () => {
    const failed = document.results.tests.filter(({ status }) => status === 'failed');
    expect(failed.map(({ suite }) => suite)).toEqual([['causes']]);
    expect(named(document, 'order.form', 'part 2: Resources and fields')).toMatchObject({
      status: 'other',
      rawStatus: 'fail',
    });
  });
});
