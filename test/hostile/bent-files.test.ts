import { expect, it } from 'vitest';
import { readWaivers } from '../../src/cli/waivers.ts';
import { mergeSummaries } from '../../src/simulation/campaign/merge.ts';
import { readCampaign } from '../../src/simulation/campaign/read.ts';
import { finding, outcome, summaryOf } from '../../src/simulation/campaign/testing.ts';
import { toCampaignText } from '../../src/simulation/campaign/text.ts';
import { drawPlan } from '../../src/simulation/draw/draw-plan.ts';
import type { CampaignSummary } from '../../src/simulation/outcome.ts';
import { readPlan } from '../../src/simulation/plan.ts';
import { renderSourceErrors } from '../../src/yaml/index.ts';
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

/** Tries every n-th change; returns the faults, and the number of changed values that were used. */
function tryWays(
  sound: unknown,
  every: number,
  use: (bent: unknown) => string | undefined,
): { readonly faults: readonly string[]; readonly used: number } {
  const faults: string[] = [];
  let used = 0;
  for (const [nth, { place, how, bent }] of [...bentJson(sound)].entries()) {
    if (nth % every > 0) continue;
    try {
      const problem = use(bent);
      if (problem === undefined) used += 1;
      else if (!isNamed(place, problem)) faults.push(`${place}: ${how}: ${problem}`);
    } catch (error) {
      faults.push(`${place}: ${how}: ${error instanceof Error ? error.stack : ''}`);
    }
  }
  return { faults, used };
}

const isNamed = (place: string, problem: string): boolean =>
  problem.includes('levels deep') || namesIn(place).some((name) => problem.includes(name));

type Tried = readonly [sound: unknown, use: (bent: unknown) => string | undefined];

/**
 * Files that commands read, each with its reader. A problem must name its place; an exception is a
 * fault of ours.
 */
async function files(): Promise<Readonly<Record<string, Tried>>> {
  const summary = summaryOf(7n, [outcome(7n, { findings: [finding('a')], reached: { x: 1 } })]);
  const ended = { reason: 'signal', at: '2026-01-01T00:00:40.000Z', detail: 'stopped' } as const;
  const whole: CampaignSummary = {
    ...summary,
    options: { depth: 'http', faults: ['partition'], mutation: 'm', steps: 3, target: 't.yaml' },
    ended_early: ended,
  };
  return {
    'report.json': [
      fullReport(),
      (bent) => {
        const result = readReport(JSON.stringify(bent));
        if (!result.ok) return result.problem;
        useReport(result.value);
        return undefined;
      },
    ],
    'simulation.json': [
      whole,
      (bent) => {
        const result = readCampaign(JSON.stringify(bent));
        if (!result.ok) return result.problem;
        toCampaignText(result.value);
        mergeSummaries([
          { name: 'bent', summary: result.value },
          { name: 'sound', summary: summaryOf(100n, [outcome(100n)], whole.options) },
        ]);
        return undefined;
      },
    ],
    'a plan': [
      drawPlan('0x0000000000000007'),
      (bent) => {
        const result = readPlan(JSON.stringify(bent));
        return result.ok ? undefined : result.problem;
      },
    ],
    waivers: [
      {
        waivers: [
          { id: 'a', reason: 'b', message: 'c' },
          { cause: 'd', reason: 'e' },
        ],
      },
      (bent) => {
        const text = JSON.stringify(bent);
        const result = readWaivers({ file: 'w.yaml', text });
        if (!result.ok) return renderSourceErrors(result.errors, text);
        useReport(applyWaivers(report(), result.value));
        return undefined;
      },
    ],
  };
}

const names = ['report.json', 'simulation.json', 'a plan', 'waivers'] as const;

it.each(names)('a changed %s is used, or is refused with the place', async (name) => {
  const [sound, use] = (await files())[name] as Tried;
  expect(use(sound)).toBeUndefined();
  // Another share of the ways meets each place: 14 ways and 11 have no common divisor.
  const { faults, used } = tryWays(sound, 11, use);
  expect(faults).toEqual([]);
  expect(used).toBeGreaterThan(0);
});
