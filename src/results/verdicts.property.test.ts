import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cappedByLevel,
  combineVerdicts,
  isDecisive,
  type StatedVerdict,
  type FindingOutcome,
  type Verdict,
  verdicts,
  verdictOfRuleFindings,
  worstVerdict,
} from './verdicts.ts';

const verdict = fc.constantFrom<Verdict>(...verdicts);
const stated: fc.Arbitrary<StatedVerdict> = fc.record({
  verdict,
  reason: fc.constantFrom('because', 'so it is'),
  exercised: fc.nat(5),
});
const outcome = fc.constantFrom<FindingOutcome>('pass', 'fail', 'warn', 'inconclusive');

describe('the worst of some verdicts', () => {
  it('is one of them, whatever their order and however they are grouped', () => {
    fc.assert(
      fc.property(fc.array(verdict, { minLength: 1 }), fc.array(verdict), (some, more) => {
        const found = worstVerdict(some);
        expect(some).toContain(found);
        expect(worstVerdict(some.toReversed())).toBe(found);
        expect(worstVerdict([...some, ...more])).toBe(
          worstVerdict([found, worstVerdict(more)].filter((each) => each !== undefined)),
        );
      }),
    );
  });
});

describe('a requirement', () => {
  it('passes only if it was judged and nothing worse was seen', () => {
    fc.assert(
      fc.property(fc.array(stated), (all) => {
        const said = all.filter((each) => isDecisive(each.verdict));
        const expected = said.length > 0 && said.every((each) => each.verdict === 'pass');
        expect(combineVerdicts(all).verdict === 'pass').toBe(expected);
      }),
    );
  });

  it('is never better after one more verdict', () => {
    fc.assert(
      fc.property(fc.array(stated), stated, (all, one) => {
        const before = combineVerdicts(all).verdict;
        const after = combineVerdicts([...all, one]).verdict;
        // One that judges takes the place of any number that did not.
        const least = isDecisive(before) ? before : isDecisive(one.verdict) ? one.verdict : 'pass';
        expect(verdicts.indexOf(after)).toBeGreaterThanOrEqual(verdicts.indexOf(least));
      }),
    );
  });

  it('is out of scope only when all that could judge it are, and says why', () => {
    fc.assert(
      fc.property(fc.array(stated), (all) => {
        const combined = combineVerdicts(all);
        const isAll = all.length > 0 && all.every((j) => j.verdict === 'out_of_scope');
        expect(combined.verdict === 'out_of_scope').toBe(isAll);
        expect(combined.reason === undefined).toBe(combined.verdict === 'pass');
      }),
    );
  });
});

describe("a rule's findings", () => {
  it('are inconclusive only when nothing clear was seen', () => {
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        const clear = outcomes.filter((each) => each !== 'inconclusive');
        const expected: Verdict =
          outcomes.length === 0
            ? 'not_exercised'
            : (worstVerdict<Verdict>(clear) ?? 'inconclusive');
        expect(verdictOfRuleFindings(outcomes)).toBe(expected);
      }),
    );
  });

  it('of vague requirements are warnings at most', () => {
    fc.assert(
      fc.property(outcome, (each) => {
        expect(cappedByLevel('vague', each)).toBe(each === 'fail' ? 'warn' : each);
      }),
    );
    expect(cappedByLevel('must', 'fail')).toBe('fail');
  });
});
