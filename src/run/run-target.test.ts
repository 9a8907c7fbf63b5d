import { expect, test } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { exitCodeOfReport } from '../report/index.ts';
import { openEmbedded } from '../target/embedded/embedded.ts';
import { runTarget } from './run-target.ts';

const silentObserver = { onStage: () => {}, onProgress: () => {}, date: () => '', wallMs: () => 0 };

test('what is odd of a target stands in the report and decides nothing', async () => {
  const target = await openEmbedded({ seed: 1n });
  try {
    const odd = { ...target, notes: ['its streams open late'] };
    const report = await runTarget(odd, {
      checks,
      seed: 1n,
      only: ['health.*'],
      ...silentObserver,
    });
    expect(report.totals.checks.pass).toBeGreaterThan(0);
    expect([report.outcome, report.notes, report.preflight]).toEqual([
      'conformant',
      ['its streams open late'],
      undefined,
    ]);
  } finally {
    await target.close();
  }
});

test('what must hold and could never be exercised stands in the report with its reason', async () => {
  const target = await openEmbedded({
    seed: 1n,
    // A limit that is never lifted is no refusal, so nothing can be said of what it keeps from being seen.
    tamper: {
      response: (wire, { endpoint }) =>
        endpoint === 'stats.read' ? { ...wire, status: 429, body: {} } : wire,
    },
  });
  try {
    const suite = checks.filter(({ id }) => /^(auth\.self\.|order\.life\.plain)/.test(id));
    const report = await runTarget(target, { checks: suite, seed: 1n, ...silentObserver });
    const { checks: counts, unexercised = [] } = report.coverage ?? {};
    expect(counts).toMatchObject({ all: suite.length, out_of_scope: 0, not_selected: 0 });
    expect(unexercised.map(({ id }) => id)).toContain('stats.read.returns-object');
    expect(unexercised.every(({ reason }) => reason !== '')).toBe(true);
    expect([report.outcome, exitCodeOfReport(report)]).toEqual(['conformant', 0]);
    expect(exitCodeOfReport(report, 'lenient', { kind: 'full' })).toBe(3);
  } finally {
    await target.close();
  }
});
