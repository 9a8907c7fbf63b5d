import { describe, expect, it } from 'vitest';
import type { RunReport } from '../results/run-report.ts';
import { report } from '../../test/support/report/check-run.ts';
import { mergeReports } from './merge.ts';
import { checkCommand } from './replay-words.ts';
import { shardText } from './shards.ts';

const counts = {
  all: 9,
  judged: 3,
  undecided: 0,
  not_applicable: 0,
  out_of_scope: 0,
  not_selected: 6,
};

/** The sample run without its failures, as a part of a suite. */
function part(
  parts: readonly number[],
  of: number,
  more: { readonly only?: readonly string[]; readonly profile?: string } = {},
): RunReport {
  const base = report();
  const sound = base.requirements.map((one) => ({
    ...one,
    verdict: 'pass' as const,
    exercised: 1,
  }));
  return {
    ...base,
    requirements: sound,
    causes: [],
    checks: base.checks.map((one) => ({ ...one, verdict: 'pass', failures: [] })),
    rules: base.rules.map((one) => ({ ...one, verdict: 'pass', failures: [] })),
    coverage: { checks: counts, part: { ...more, shard: { of, parts } }, left_out: [] },
  };
}

function merged(...reports: readonly RunReport[]): RunReport {
  const result = mergeReports(reports);
  if (!result.ok) throw new Error(result.problem);
  return result.report;
}

const problemOf = (...reports: readonly RunReport[]): string | undefined => {
  const result = mergeReports(reports);
  return result.ok ? undefined : result.problem;
};

describe('merging the parts of a suite', () => {
  it('comes to a whole, in whatever order they are given', () => {
    const { outcome, coverage, preflight } = merged(part([3], 3), part([1], 3), part([2], 3));
    expect([outcome, coverage?.part, preflight]).toEqual(['conformant', undefined, undefined]);
  });

  it.each([
    [[part([1], 2)], 'part 2 of 2 is missing'],
    [[part([2], 4), part([4], 4)], 'parts 1, 3 of 4 are missing'],
    [[part([1], 9_999)], 'parts 2 to 9999 of 9999 are missing'],
    [[part([1], 1e15)], `parts 2 to ${1e15} of ${1e15} are missing`],
  ])('is incomplete while parts are missing', (reports, text) => {
    const { outcome, preflight, coverage } = merged(...reports);
    expect(outcome).toBe('incomplete');
    expect(preflight?.[0]).toContain(text);
    expect(coverage?.part?.shard?.parts).toEqual(
      reports.flatMap((one) => one.coverage?.part?.shard?.parts ?? []),
    );
  });

  it('still says that a part is violated while others are missing', () => {
    const broken = report();
    const coverage = part([1], 2).coverage;
    expect(merged({ ...broken, ...(coverage && { coverage }) }).outcome).toBe('nonconformant');
  });

  it.each([
    [[part([1], 2), part([1], 2)], 'part 1 of 2 is given twice'],
    [[part([1], 2), part([2], 2), part([2], 2)], 'part 2 of 2 is given twice'],
    [[part([1], 2), part([2], 3)], 'one is part 1 of 2, another is part 2 of 3'],
    [[part([1], 2), report()], 'one is part 1 of 2, another is no part'],
    [
      [part([1], 2), { ...part([2], 2), run: { ...report().run, seed: '0x0000000000000009' } }],
      'they are parts of runs with different seeds: 0x0000000000000007; 0x0000000000000009',
    ],
    [
      [part([1], 2, { profile: 'smoke' }), part([2], 2)],
      'they are parts of runs with different profiles: smoke; none',
    ],
    [
      [part([1], 2, { only: ['order.*'] }), part([2], 2, { only: ['quote.*'] })],
      'they are parts of runs with different patterns of --only: order.*; quote.*',
    ],
    [
      [part([1], 2), { ...part([2], 2), target: { ...report().target, clock: { kind: 'odd' } } }],
      'they are parts of runs with different clocks: system; odd',
    ],
  ])('refuses reports that are not the parts of one run, each once', (reports, problem) => {
    expect(problemOf(...reports)).toBe(problem);
  });

  it('merges whole runs with different seeds as before', () => {
    const other = { ...report(), run: { ...report().run, seed: '0x0000000000000009' } };
    expect(problemOf(report(), other)).toBeUndefined();
  });
});

it('gives the words that run one part again', () => {
  expect(checkCommand(part([2], 4))).toContain('assay check --shard 2/4 ');
  expect(checkCommand(part([2, 3], 4))).not.toContain('--shard');
});

it('names parts that follow one another as a range', () => {
  expect(shardText({ of: 9, parts: [1, 2, 3, 5, 7, 8] })).toBe('1 to 3, 5, 7 to 8 of 9');
});
