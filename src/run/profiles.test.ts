import { describe, expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { withEmbedded } from '../../test/support/tampered.ts';
import { profiles } from './profiles.ts';
import { type ProfiledRun, runTarget, silentObserver } from './run-target.ts';

/** Runs a profile on the embedded reference, on which waiting takes no time. */
const run = (profile: ProfiledRun, wallMs = (): number => 0) =>
  withEmbedded({}, async (target) => {
    const how = { checks, seed: 1n, profile, ...silentObserver, wallMs };
    const report = await runTarget(target, how);
    const sent = target.history.records.filter(({ kind }) => kind === 'exchange').length;
    return { report, sent };
  });

const { only = [], probes = [], limits } = profiles.smoke;
const smoke = { name: 'smoke', only, probes };

describe('the profile smoke', () => {
  it('names checks that there are', () => {
    const ids = checks.map(({ id }) => id);
    expect(only.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('judges the life of an order within half of its requests, and reports only that', async () => {
    const { report, sent } = await run(smoke);
    expect(report.outcome).toBe('conformant');
    expect(report.coverage?.checks).toMatchObject({ all: checks.length, judged: only.length });
    expect(report.coverage?.part?.profile).toBe('smoke');
    expect(sent).toBeLessThan((limits?.requests ?? 0) / 2);
  });

  it('stops at the last request that it may send', async () => {
    const { report, sent } = await run({
      ...smoke,
      limits: { requests: 50, wallMs: 15_000, since: 0 },
    });
    expect(sent).toBeLessThanOrEqual(50);
    const left = report.checks.filter(({ verdict }) => verdict === 'not_exercised');
    expect(left.map(({ reason }) => reason)).toContain(
      'the run ended early: the 50 requests of profile smoke were used up',
    );
    expect(report.checks.some(({ verdict }) => verdict === 'error')).toBe(false);
  });

  it('stops when its time is over', async () => {
    let now = 0;
    // Each reading of the clock moves it on by half a second.
    const { report } = await run(
      { ...smoke, limits: { requests: 300, wallMs: 15_000, since: 0 } },
      () => (now += 500),
    );
    expect(report.checks.map(({ reason }) => reason)).toContain(
      'the run ended early: the 15 s of profile smoke were used up',
    );
    expect(report.outcome).toBe('incomplete');
    expect(report.run.ended_early).toMatchObject({
      reason: 'budget',
      detail: 'the 15 s of profile smoke were used up',
    });
  });
});
