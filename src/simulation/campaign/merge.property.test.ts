import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CampaignSummary, WorldOutcome } from '../outcome.ts';
import { mergeSummaries } from './merge.ts';
import { finding, outcome, summaryOf } from './testing.ts';

const causes = ['hold.left', 'event.twice', 'deadline.forgotten'];
const situations = ['order settled', 'order expired', 'quote refused'];

const drawn = fc.record({
  steps: fc.nat(50),
  effective: fc.nat(50),
  exchanges: fc.nat(100),
  target_ms: fc.nat(100_000),
  // Fractions, as host clocks give: their sum shows the order in which they were added.
  host_ms: fc.double({ min: 0, max: 5_000, noNaN: true }),
  findings: fc.subarray(causes).map((some) => some.map(finding)),
  reached: fc.dictionary(fc.constantFrom(...situations), fc.integer({ min: 1, max: 9 })),
  met: fc.subarray(['a=1 & b=1', 'a=1 & b=2', 'a=2 & b=1']),
});

interface Campaign {
  readonly first: bigint;
  readonly outcomes: readonly WorldOutcome[];
  /** Indexes of worlds at which the seeds are cut into ranges. */
  readonly cuts: readonly number[];
  /** Picks the ranges that are merged next. */
  readonly order: readonly number[];
}

const campaigns: fc.Arbitrary<Campaign> = fc
  .tuple(
    fc.bigInt({ min: 0n, max: (1n << 64n) - 60n }),
    fc.array(drawn, { minLength: 1, maxLength: 40 }),
  )
  .chain(([first, worlds]) =>
    fc.record({
      first: fc.constant(first),
      outcomes: fc.constant(worlds.map((one, index) => outcome(first + BigInt(index), one))),
      cuts: fc.uniqueArray(fc.integer({ min: 1, max: Math.max(1, worlds.length - 1) })),
      order: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
    }),
  );

function rangesOf({ first, outcomes, cuts }: Campaign): CampaignSummary[] {
  const bounds = [0, ...cuts.filter((cut) => cut < outcomes.length), outcomes.length];
  const sorted = [...new Set(bounds)].toSorted((a, b) => a - b);
  return sorted
    .slice(1)
    .map((end, index) => [sorted[index] ?? 0, end] as const)
    .map(([begin, end]) => summaryOf(first + BigInt(begin), outcomes.slice(begin, end)));
}

function merge(...summaries: readonly CampaignSummary[]): CampaignSummary {
  const [first, ...others] = summaries.map((summary, n) => ({ name: `file ${n}`, summary }));
  if (!first) throw new Error('nothing to merge');
  const result = mergeSummaries([first, ...others]);
  if (!result.ok) throw new Error(result.problem);
  return result.summary;
}

/** Merges two at a time, whichever were drawn, until one is left. */
function mergedInDrawnOrder(ranges: readonly CampaignSummary[], order: readonly number[]) {
  const left = [...ranges];
  for (let n = 0; left.length > 1; n += 1) {
    const take = (): CampaignSummary =>
      left.splice((order[n % order.length] ?? 0) % left.length, 1)[0] as CampaignSummary;
    left.push(merge(take(), take()));
  }
  return left[0];
}

it('gives the result of one machine for any division, grouping and order of the seeds', () => {
  fc.assert(
    fc.property(campaigns, (campaign) => {
      const whole = summaryOf(campaign.first, campaign.outcomes);
      const ranges = rangesOf(campaign);
      expect(merge(...ranges)).toEqual(whole);
      expect(merge(...ranges.toReversed())).toEqual(whole);
      expect(mergedInDrawnOrder(ranges, campaign.order)).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

it('gives the same result in any order and grouping if seeds are missing', () => {
  fc.assert(
    fc.property(campaigns, fc.array(fc.boolean(), { minLength: 40 }), (campaign, kept) => {
      const ranges = rangesOf(campaign).filter((_, index) => kept[index]);
      fc.pre(ranges.length > 0);
      const merged = merge(...ranges);
      expect(merge(...ranges.toReversed())).toEqual(merged);
      expect(mergedInDrawnOrder(ranges, campaign.order)).toEqual(merged);
      expect(merged.worlds).toBe(ranges.reduce((sum, { worlds }) => sum + worlds, 0));
    }),
    { numRuns: 60 },
  );
});

it('merges nothing that shares a seed', () => {
  fc.assert(
    fc.property(campaigns, fc.nat(), fc.nat(), (campaign, from, to) => {
      const { first, outcomes } = campaign;
      const [begin, end] = [from % outcomes.length, to % outcomes.length].toSorted((a, b) => a - b);
      const part = summaryOf(first + BigInt(begin ?? 0), outcomes.slice(begin, (end ?? 0) + 1));
      const ranges = [...rangesOf(campaign), part];
      expect(() => merge(...ranges)).toThrow(/file \d+ has seed.*, file \d+ has seed/);
    }),
    { numRuns: 40 },
  );
});
