import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatches, expectedWallMs, plan } from './plan.ts';
import { aCatalogue, aCheck, fakeTarget } from './testing.ts';

const nothing = () => Promise.resolve();
const checks = [
  aCheck('order.create', nothing, { requirements: ['a.one'] }),
  aCheck('quote.late', nothing, {
    requirements: ['a.two'],
    needs: { parties: ['sender', 'maker_a'], waitMs: 65_000 },
  }),
  aCheck('token.expired', nothing, {
    requirements: ['a.signed'],
    needs: { parties: ['outsider'], waitMs: 3_605_000, signing: true },
  }),
];
const chosen = (...only: string[]) =>
  plan(checks, fakeTarget(), aCatalogue, only).checks.map(({ check }) => check.id);

describe('a plan', () => {
  it('selects by id, part, requirement and party', () => {
    expect(chosen()).toHaveLength(3);
    expect(chosen('order.*')).toEqual(['order.create']);
    expect(chosen('2')).toEqual(['quote.late']);
    expect(chosen('2.2')).toEqual(['quote.late']);
    expect(chosen('a.signed')).toEqual(['token.expired']);
    expect(chosen('maker_?')).toEqual(['quote.late']);
    expect(chosen('order.create, token.*', '2')).toHaveLength(3);
  });

  it('names patterns that select nothing', () => {
    expect(plan(checks, fakeTarget(), aCatalogue, ['ordre.*,2']).unmatched).toEqual(['ordre.*']);
  });

  it('knows the longest wait of the checks that can run, and why others cannot', () => {
    const planned = plan(checks, fakeTarget(), aCatalogue);
    expect(planned.longestWaitMs).toBe(65_000);
    expect(planned.longestWaitOf).toBe('quote.late');
    expect(planned.checks[2]?.outOfScope).toEqual([
      'it waits 3605 s, longer than max_wait (90 s)',
      'no signing key is offered',
    ]);
  });

  it('expects a run on the system clock to take its longest wait, or what its requests need at their rate', () => {
    const clock = { kind: 'system', maxWaitMs: 90_000, offset: { least: 0, most: 0 } } as const;
    const planned = plan(checks, { ...fakeTarget(), clock }, aCatalogue);
    const usually = expectedWallMs(planned, 'system', 100);
    expect(usually).toBeGreaterThanOrEqual(65_000);
    expect(usually).toBeLessThan(66_000);
    expect(expectedWallMs(planned, 'system', 0.1)).toBeGreaterThan(100_000);
    expect(expectedWallMs(planned, 'virtual')).toBeLessThan(1_000);
  });
});

describe('a glob', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 12 });
  it('agrees with the same pattern as a regular expression', () => {
    fc.assert(
      fc.property(text, text, (pattern, subject) => {
        const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
        expect(globMatches(pattern, subject)).toBe(new RegExp(`^${source}$`).test(subject));
      }),
    );
  });
});
