import { describe, expect, it } from 'vitest';
import { createSecrets } from '../history/secrets/secrets.ts';
import { history, report } from '../../test/support/report/check-run.ts';
import type { Failure, Moment, RunReport } from '../results/run-report.ts';
import { causesIn, firstSeenText } from './causes.ts';
import { readReport, toJson } from './formats/json.ts';
import { toMarkdown } from './formats/markdown.ts';
import { toText } from './formats/text.ts';
import { mergeReports } from './merge.ts';

/** The sample run with another moment of each failure; undefined as in an old report. */
function seenAt(moment: Moment | undefined): RunReport {
  const moved = (given: Failure): Failure => {
    const { moment: _, ...failure } = given;
    return { ...failure, ...(moment && { moment }) };
  };
  const all = <T extends RunReport['checks'][number]>(some: readonly T[]): T[] =>
    some.map((one) => ({ ...one, failures: one.failures.map(moved) }));
  const given = report();
  return { ...given, checks: all(given.checks), rules: all(given.rules) };
}

const firstOf = (some: RunReport): (string | undefined)[] =>
  causesIn(some).map((cause) => firstSeenText(some, cause));

describe('when a cause was first seen', () => {
  const early = { at: '2026-01-01T12:00:41.250Z', after_ms: 41_250 };
  const late = { at: '2026-01-01T13:00:00.000Z', after_ms: 7 };

  it('is a time of day, and the time since the beginning of the run', () => {
    expect(firstOf(seenAt(early))[0]).toBe('12:00:41.250 UTC, 41.25 s into the run');
  });

  it('is the earliest of all merged reports', () => {
    for (const some of [
      [early, late],
      [late, early],
      [undefined, early],
    ]) {
      const merged = mergeReports(some.map(seenAt));
      expect(merged.ok && firstOf(merged.report)[0]).toBe('12:00:41.250 UTC, 41.25 s into the run');
    }
  });

  it('is not said of an old report, or of a time that cannot be read', () => {
    for (const moment of [undefined, { at: 'noon', after_ms: 0 }]) {
      const given = seenAt(moment);
      expect(readReport(toJson(given))).toEqual({ ok: true, value: given });
      expect(firstOf(given)).toEqual([undefined, undefined]);
      const masked = createSecrets().maskHistory(history());
      for (const written of [toText(given, masked, { colour: 'plain' }), toMarkdown(given)]) {
        expect(written).toContain('does not have its form');
        expect(written).not.toMatch(/first seen/i);
      }
    }
  });
});
