import { expect, test } from 'vitest';
import { checks } from '../../conformance/index.ts';
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
