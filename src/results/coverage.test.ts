import { describe, expect, it } from 'vitest';
import { coverageOf, coverageSuffices } from './coverage.ts';
import type { Lack } from './coverage-report.ts';
import type { Verdict } from './verdicts.ts';

const check = (verdict: Verdict, ...lacks: readonly Lack[]) => ({
  requirements: ['a'],
  verdict,
  ...(lacks.length > 0 && { lacks }),
});
const out = (...lacks: readonly Lack[]) => check('out_of_scope', ...lacks);
const must = (id: string, verdict: Verdict) =>
  ({ id, level: 'must', verdict, reason: `${id} was not seen` }) as const;

describe('coverage', () => {
  it('counts every check of the suite once', () => {
    const checks = [
      check('pass'),
      check('fail'),
      check('warn'),
      check('inconclusive'),
      check('not_exercised'),
      out({ party: 'maker_b' }),
      out(),
    ];
    expect(coverageOf({ checks, requirements: [] }, { all: 10 }).checks).toEqual({
      all: 10,
      judged: 3,
      undecided: 2,
      not_applicable: 1,
      out_of_scope: 1,
      not_selected: 3,
    });
  });

  it('counts checks for each missing need, and for those that are missing together', () => {
    const [b, c] = [{ party: 'maker_b' }, { party: 'maker_c' }];
    const checks = [
      out(c),
      out(b, c),
      out(c, b),
      out(b, c),
      out(b),
      out(b),
      out(c, { signing: true }),
    ];
    expect(coverageOf({ checks, requirements: [] }, { all: 7 }).left_out).toEqual([
      { needs: [b, c], checks: 3 },
      { needs: [b], checks: 2 },
      { needs: [c], checks: 1 },
      { needs: [c, { signing: true }], checks: 1 },
    ]);
  });

  it('takes all waits for one cause, and says how many checks each span brings', () => {
    const checks = [out({ wait_ms: 9_000 }), out({ wait_ms: 70_000 }), out({ wait_ms: 3_605_000 })];
    expect(coverageOf({ checks, requirements: [] }, { all: 3 }).left_out).toEqual([
      {
        needs: [{ wait_ms: 3_605_000 }],
        checks: 3,
        waits: [
          { max_wait_ms: 15_000, checks: 1 },
          { max_wait_ms: 90_000, checks: 2 },
          { max_wait_ms: 3_605_000, checks: 3 },
        ],
      },
    ]);
  });

  it('lists requirements that stayed unexercised although their checks ran', () => {
    const ran = { requirements: ['a', 'b', 'v', 'passed'], verdict: 'pass' } as const;
    const left = {
      requirements: ['far'],
      verdict: 'out_of_scope',
      lacks: [{ party: 'maker_c' }],
    } as const;
    const requirements = [
      must('a', 'not_exercised'),
      must('b', 'inconclusive'),
      { ...must('v', 'not_exercised'), level: 'vague' as const },
      must('passed', 'pass'),
      must('far', 'not_exercised'),
    ];
    const checks = [ran, left];
    expect(coverageOf({ checks, requirements }, { all: 2 }).unexercised).toEqual([
      { id: 'a', reason: 'a was not seen' },
    ]);
    // A run of a part lists none.
    expect(coverageOf({ checks, requirements }, { all: 3 }).unexercised).toBeUndefined();
  });

  it('names the part that was asked for, unless it is everything', () => {
    const checks = [check('pass')];
    const part = { only: ['order.*'] };
    expect(coverageOf({ checks, requirements: [] }, { all: 2, part }).part).toEqual(part);
    expect(coverageOf({ checks, requirements: [] }, { all: 1, part }).part).toBeUndefined();
  });
});

describe('enough', () => {
  const of = (...verdicts: readonly Verdict[]) =>
    coverageOf({ checks: verdicts.map((one) => check(one)), requirements: [] }, { all: 4 });
  const percent = (value: number) => ({ kind: 'percent', percent: value }) as const;

  it('is a share of the checks that apply to the target', () => {
    expect(coverageSuffices(of('pass', 'pass', 'pass', 'inconclusive'), percent(75))).toBe(true);
    expect(coverageSuffices(of('pass', 'pass', 'pass', 'inconclusive'), percent(76))).toBe(false);
    expect(coverageSuffices(of('pass', 'pass', 'pass', 'out_of_scope'), percent(100))).toBe(true);
    expect(coverageSuffices(of('pass', 'pass', 'pass'), percent(100))).toBe(false);
  });

  it('is in full where nothing is lacking, left out or silently unexercised', () => {
    const full = { kind: 'full' } as const;
    expect(coverageSuffices(of('pass', 'pass', 'pass', 'out_of_scope'), full)).toBe(true);
    expect(coverageSuffices(of('pass', 'pass', 'pass'), full)).toBe(false);
    const lacking = [out({ control: 'stall_settlement' })];
    expect(
      coverageSuffices(coverageOf({ checks: lacking, requirements: [] }, { all: 1 }), full),
    ).toBe(false);
    const silent = { checks: [check('pass')], requirements: [must('a', 'not_exercised')] };
    expect(coverageSuffices(coverageOf(silent, { all: 1 }), full)).toBe(false);
  });
});
