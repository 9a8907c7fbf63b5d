import { expect, test } from 'vitest';
import { checks } from '../../conformance/index.ts';
import type { Tamper } from '../reference/http/index.ts';
import { exitCodeOfReport } from '../report/index.ts';
import type { EndedEarly } from '../results/run-report.ts';
import { createRunEnd } from '../suite/engine/run-end.ts';
import { withEmbedded } from '../../test/support/tampered.ts';
import type { EmbeddedOptions } from '../target/embedded/embedded.ts';
import { runTarget, silentObserver } from './run-target.ts';

const run = (options: Partial<EmbeddedOptions>, more: Partial<Parameters<typeof runTarget>[1]>) =>
  withEmbedded(options, (target) =>
    runTarget(target, { checks, seed: 1n, ...silentObserver, ...more }),
  );

test('what is odd of a target stands in the report and decides nothing', async () => {
  const report = await withEmbedded({}, (target) => {
    const odd = { ...target, notes: ['its streams open late'] };
    return runTarget(odd, { checks, seed: 1n, only: ['health.*'], ...silentObserver });
  });
  expect(report.totals.checks.pass).toBeGreaterThan(0);
  expect([report.outcome, report.notes, report.preflight]).toEqual([
    'conformant',
    ['its streams open late'],
    undefined,
  ]);
});

test('what must hold and could never be exercised stands in the report with its reason', async () => {
  // A permanent 429 is no refusal, so the requirements behind it stay unexercised.
  const response: Tamper['response'] = (wire, { endpoint }) =>
    endpoint === 'stats.read' ? { ...wire, status: 429, body: {} } : wire;
  const suite = checks.filter(({ id }) => /^(auth\.self\.|order\.life\.plain)/.test(id));
  const report = await run({ tamper: { response } }, { checks: suite });
  const { checks: counts, unexercised = [] } = report.coverage ?? {};
  expect(counts).toMatchObject({ all: suite.length, out_of_scope: 0, not_selected: 0 });
  expect(unexercised.map(({ id }) => id)).toContain('stats.read.returns-object');
  expect(unexercised.every(({ reason }) => reason !== '')).toBe(true);
  expect([report.outcome, exitCodeOfReport(report)]).toEqual(['conformant', 0]);
  expect(exitCodeOfReport(report, 'lenient', { kind: 'full' })).toBe(3);
});

/** Ends a run of the whole suite at its `count`-th record. */
const endedAfter = (count: number, tamper: Tamper = {}) =>
  withEmbedded({ tamper }, async (target) => {
    const how = { reason: 'signal', at: '2026-01-01T00:00:00.000Z', detail: 'stopped by SIGINT' };
    const runEnd = createRunEnd();
    target.history.watch(() => {
      if (target.history.records.length === count) runEnd.end(how as EndedEarly);
    });
    const report = await runTarget(target, { checks, seed: 1n, runEnd, ...silentObserver });
    return { report, records: [...target.history.records], how };
  });

/** Odd ones end it within the work of a request, early ones while the gaps are found. */
test.each([40, 333])(
  'a run that is ended after %i records judges what was seen by then, and no more',
  async (count) => {
    const { report, records, how } = await endedAfter(count);
    expect(report.run.ended_early).toEqual(how);
    expect([report.outcome, exitCodeOfReport(report)]).toEqual(['incomplete', 3]);
    const ids = report.checks.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
    const { fail, error, not_exercised } = report.totals.checks;
    expect([fail, error, report.totals.requirements.fail]).toEqual([0, 0, 0]);
    expect(not_exercised).toBeGreaterThan(0);
    // Calls in flight at the end are recorded as given up. No call is made after it.
    const late = records.slice(count).filter((one) => one.kind === 'exchange' && !one.error);
    expect(late).toEqual([]);
  },
);

test('what had failed by the end of a run stays in its report', async () => {
  const response: Tamper['response'] = (wire, { endpoint }) =>
    endpoint === 'identity.read' ? { ...wire, body: { party: 7 } } : wire;
  const { report } = await endedAfter(401, { response });
  expect(report.totals.requirements.fail).toBeGreaterThan(0);
  expect([report.outcome, exitCodeOfReport(report)]).toEqual(['incomplete', 3]);
  expect(report.causes?.length).toBeGreaterThan(0);
});
