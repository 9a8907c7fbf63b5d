import { formatSeed } from '../../random/seed.ts';
import type { CampaignSummary, CauseSummary, SimulationOptions, WorldOutcome } from '../outcome.ts';
import { canonicalOptions, type Suite } from './options.ts';

/**
 * Summary of the worlds of one range, added one by one. Its memory grows with the number of different findings, not
 * with the number of worlds.
 */
export interface RangeFold {
  /** The worlds of the range in the order of their seeds, none left out. */
  add(outcome: WorldOutcome): void;
  summary(): CampaignSummary;
}

/** Counts by name, sorted by name. */
export const sortedCounts = (counts: ReadonlyMap<string, number>): WorldOutcome['reached'] =>
  Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));

export function addCounts(counts: Map<string, number>, more: WorldOutcome['reached']): void {
  for (const [name, times] of Object.entries(more))
    counts.set(name, (counts.get(name) ?? 0) + times);
}

/** Host times are kept in 64ths of a millisecond: sums of them are exact, so the order of merging changes nothing. */
const exact = (ms: number): number => Math.round(ms * 64) / 64;

export function rangeFold(suite: Suite, options: SimulationOptions, first: bigint): RangeFold {
  const totals = { worlds: 0, steps: 0, effective: 0, exchanges: 0, target_ms: 0, host_ms: 0 };
  const causes = new Map<string, CauseSummary>();
  const reached = new Map<string, number>();
  const met = new Set<string>();

  function addFindings({ seed, findings }: WorldOutcome): void {
    const seen = new Set<string>();
    for (const { exchanges: _, ...finding } of findings) {
      const { cause } = finding;
      if (seen.has(cause)) continue;
      seen.add(cause);
      const known = causes.get(cause);
      causes.set(
        cause,
        known
          ? { ...known, seeds: known.seeds + 1 }
          : { ...finding, first_seed: seed, seeds: 1, found_after_ms: totals.host_ms },
      );
    }
  }

  return {
    add(outcome) {
      const due = formatSeed(first + BigInt(totals.worlds));
      if (outcome.seed !== due) throw new RangeError(`seed ${outcome.seed} came for ${due}`);
      totals.worlds += 1;
      for (const of of ['steps', 'effective', 'exchanges', 'target_ms'] as const)
        totals[of] += outcome[of];
      totals.host_ms += exact(outcome.host_ms);
      addFindings(outcome);
      addCounts(reached, outcome.reached);
      for (const factors of outcome.met) met.add(factors);
    },
    summary: () => ({
      format: 'assay.campaign/1',
      suite,
      options: canonicalOptions(options),
      seeds:
        totals.worlds === 0
          ? []
          : [{ first: formatSeed(first), count: totals.worlds, host_ms: totals.host_ms }],
      ...totals,
      causes: [...causes.values()].toSorted(byFirstSeed),
      reached: sortedCounts(reached),
      met: [...met].toSorted(),
    }),
  };
}

/**
 * Sorts causes by their first seed, as one machine would find them. Seeds have all their digits, so they sort as text.
 * Of one seed, a broken requirement says more than a look at the inside.
 */
export function byFirstSeed(one: CauseSummary, other: CauseSummary): number {
  const [left, right] = [one, other].map(
    ({ first_seed, requirements, cause }) =>
      `${first_seed} ${requirements.length > 0 ? 0 : 1} ${cause}`,
  ) as [string, string];
  return left < right ? -1 : left > right ? 1 : 0;
}
