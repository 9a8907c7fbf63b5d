import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capped,
  combine,
  isDecisive,
  type Judgement,
  type ObservedOutcome,
  type Verdict,
  verdicts,
  verdictOfSightings,
  worst,
} from './verdicts.ts';

const verdict = fc.constantFrom<Verdict>(...verdicts);
const judgement: fc.Arbitrary<Judgement> = fc.record({
  judge: fc.constantFrom('one', 'two', 'three'),
  verdict,
  reason: fc.constantFrom('because', 'so it is'),
  exercised: fc.nat(5),
});
const outcome = fc.constantFrom<ObservedOutcome>('pass', 'fail', 'warn', 'inconclusive');

describe('the worst of some verdicts', () => {
  it('is one of them, whatever their order and however they are grouped', () => {
    fc.assert(
      fc.property(fc.array(verdict, { minLength: 1 }), fc.array(verdict), (some, more) => {
        const found = worst(some);
        expect(some).toContain(found);
        expect(worst(some.toReversed())).toBe(found);
        expect(worst([...some, ...more])).toBe(
          worst([found, worst(more)].filter((each) => each !== undefined)),
        );
      }),
    );
  });
});

describe('a requirement', () => {
  it('passes only when somebody judged it and nobody saw worse', () => {
    fc.assert(
      fc.property(fc.array(judgement), (judgements) => {
        const said = judgements.filter((each) => isDecisive(each.verdict));
        const expected = said.length > 0 && said.every((each) => each.verdict === 'pass');
        expect(combine(judgements).verdict === 'pass').toBe(expected);
      }),
    );
  });

  it('is never made better by one more judge that judges', () => {
    fc.assert(
      fc.property(fc.array(judgement), judgement, (judgements, one) => {
        const before = combine(judgements).verdict;
        const after = combine([...judgements, one]).verdict;
        // A judge that judges takes the place of any number that did not.
        const least = isDecisive(before) ? before : isDecisive(one.verdict) ? one.verdict : 'pass';
        expect(verdicts.indexOf(after)).toBeGreaterThanOrEqual(verdicts.indexOf(least));
      }),
    );
  });

  it('is out of scope only when all of its judges are, and says why', () => {
    fc.assert(
      fc.property(fc.array(judgement), (judgements) => {
        const combined = combine(judgements);
        const all = judgements.length > 0 && judgements.every((j) => j.verdict === 'out_of_scope');
        expect(combined.verdict === 'out_of_scope').toBe(all);
        expect(combined.reason === undefined).toBe(combined.verdict === 'pass');
      }),
    );
  });
});

describe('chance sightings', () => {
  it('are inconclusive only when nothing clear was seen', () => {
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        const clear = outcomes.filter((each) => each !== 'inconclusive');
        const expected: Verdict =
          outcomes.length === 0 ? 'not_exercised' : (worst<Verdict>(clear) ?? 'inconclusive');
        expect(verdictOfSightings(outcomes)).toBe(expected);
      }),
    );
  });

  it('of vague words are warnings at most', () => {
    fc.assert(
      fc.property(outcome, (each) => {
        expect(capped('vague', each)).toBe(each === 'fail' ? 'warn' : each);
      }),
    );
    expect(capped('must', 'fail')).toBe('fail');
  });
});
