import { expect, it } from 'vitest';
import { createSecrets } from '../../src/history/secrets/secrets.ts';
import {
  applyBaseline,
  applyWaivers,
  diffText,
  exitCodeOfReport,
  mergeReports,
  readReport,
  type RunReport,
  toAnnotations,
  toBadge,
  toCtrf,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  toText,
} from '../../src/report/index.ts';
import { history, report } from '../support/report/check-run.ts';
import { settledScenario } from '../support/report/scenario-run.ts';
import { bentJson } from './bend-json.ts';

/** A report in which each member has a value. */
function fullReport(): RunReport {
  const ended = { reason: 'signal', at: '2026-01-01T00:00:40.000Z', detail: 'stopped' } as const;
  const waivers = [
    { id: 'order.flow', reason: 'ticket 12', message: 'The rate was a number.' },
    { id: 'order.read', reason: 'ticket 13', message: 'was refused' },
  ];
  const one = applyBaseline(applyWaivers(report(), waivers), {
    file: 'before.json',
    report: { ...report(), causes: [] },
  });
  const { totals } = one;
  return {
    ...one,
    run: { ...one.run, id: 'abcdefghij', ended_early: ended },
    target: { ...one.target, clock: { ...one.target.clock, offset_range_ms: [1, 2] } },
    preflight: ['maker_c is out of reach'],
    notes: ['streams open late'],
    coverage: {
      checks: {
        all: 6,
        judged: 1,
        undecided: 1,
        not_applicable: 1,
        out_of_scope: 2,
        not_selected: 1,
      },
      part: { profile: 'smoke', only: ['order.*'], shard: { of: 2, parts: [1] } },
      left_out: [
        {
          needs: [{ party: 'maker_c' }, { wait_ms: 1 }, { control: 'x' }, { signing: true }],
          checks: 2,
          waits: [{ max_wait_ms: 1, checks: 1 }],
        },
      ],
      unexercised: [{ id: 'event.told', reason: 'nobody quoted' }],
      combinations: { admissible: 3, met: 1, unmet: ['a=1 & b=2'] },
    },
    play: { scenarios: totals.checks, interface: 'nonconformant' },
    scenarios: [
      {
        ...settledScenario,
        failures: [
          {
            after: 1,
            at: 'a.yaml:3:1',
            message: 'not SETTLED',
            exchanges: ['flows/settled#2'],
            mismatches: [{ path: 'data.status', expected: 'SETTLED', actual: 'FAILED' }],
          },
        ],
      },
    ],
  };
}

/** All that commands make of reports that they were given. */
function useReport(one: RunReport): void {
  const sound = report();
  const records = createSecrets().maskHistory(history());
  toText(one, records, { colour: 'plain' });
  toJunit(one);
  toCtrf(one);
  toMarkdown(one);
  toBadge(one);
  toAnnotations(one);
  toHtml(one, {
    shell: '<!--data-->',
    history: undefined,
    earlier: [{ file: 'a', report: sound }],
  });
  diffText(one, sound);
  diffText(sound, one);
  applyBaseline(one, { file: 'sound.json', report: sound });
  applyBaseline(sound, { file: 'bent.json', report: one });
  mergeReports([one, sound]);
  exitCodeOfReport(applyWaivers(one, [{ id: 'order.flow', reason: 'x', message: 'y' }]));
}

/** Names of members on the way to a place. */
const namesIn = (place: string): readonly string[] =>
  place.split('.').filter((name) => !/^\d+$/.test(name));

/** Bends a report in every so-manyth of all ways. */
export function tryBentReport(every: number): void {
  it('a report.json that is bent is refused, and the place is named, or it is used like any other', () => {
    const full = fullReport();
    expect(readReport(toJson(full))).toEqual({ ok: true, report: full });
    const faults: string[] = [];
    const counts = { read: 0, refused: 0 };
    for (const [nth, { place, how, bent }] of [...bentJson(full)].entries()) {
      if (nth % every > 0) continue;
      const result = readReport(JSON.stringify(bent));
      if (result.ok) {
        counts.read += 1;
        try {
          useReport(result.report);
        } catch (error) {
          faults.push(`${place}: ${how}: ${error instanceof Error ? error.stack : ''}`);
        }
        continue;
      }
      counts.refused += 1;
      const { problem } = result;
      const isNamed = namesIn(place).some((name) => problem.includes(name));
      if (!isNamed && !problem.includes('levels deep')) faults.push(`${place}: ${how}: ${problem}`);
    }
    expect(faults).toEqual([]);
    expect(counts.read * every).toBeGreaterThan(500);
    expect(counts.refused * every).toBeGreaterThan(1_000);
  });
}
