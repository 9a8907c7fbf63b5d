import { formatSeed, parseSeed } from '../../random/seed.ts';
import type { CampaignSummary, CauseSummary, SeedsSummary } from '../outcome.ts';
import { addCounts, byFirstSeed, sortedCounts } from './fold.ts';
import { canonicalOptions, optionWords, sameOptions, sameSuite, showSuite } from './options.ts';
import { byFirst, endOf, type SeedRange, showRange } from './seed-range.ts';

/** A summary and its name in messages: its file, or its range. */
export interface NamedSummary {
  readonly name: string;
  readonly summary: CampaignSummary;
}

export type MergedSummary =
  | { readonly ok: true; readonly summary: CampaignSummary }
  | { readonly ok: false; readonly problem: string };

type Total = 'worlds' | 'steps' | 'effective' | 'exchanges' | 'target_ms' | 'host_ms';

/** A range of seeds, the host time of its worlds, and the summary that has it. */
interface Segment extends SeedRange {
  readonly hostMs: number;
  readonly owner: NamedSummary;
}

export const rangeOf = ({ first, count }: SeedsSummary): SeedRange => ({
  first: parseSeed(first) ?? 0n,
  count,
});

/**
 * Merges the summaries into one of all their seeds. The order and the grouping of the summaries do not change the
 * result. Refused if seeds would be counted twice, or if other code or other options played them.
 */
export function mergeSummaries(given: readonly [NamedSummary, ...NamedSummary[]]): MergedSummary {
  const [first, ...others] = given;
  for (const other of others) {
    const problem = differenceOf(first, other);
    if (problem !== undefined) return { ok: false, problem };
  }
  const segments = given
    .flatMap((owner) => owner.summary.seeds.map((seeds) => segmentOf(owner, seeds)))
    .toSorted(byFirst);
  const problem = overlapIn(segments);
  if (problem !== undefined) return { ok: false, problem };
  const sum = (of: Total): number => given.reduce((total, { summary }) => total + summary[of], 0);
  const reached = new Map<string, number>();
  for (const { summary } of given) addCounts(reached, summary.reached);
  const { format, suite, options } = first.summary;
  const [ended_early] = given.flatMap(({ summary }) => summary.ended_early ?? []);
  return {
    ok: true,
    summary: {
      format,
      suite: { version: suite.version, digest: suite.digest },
      options: canonicalOptions(options),
      seeds: joined(segments),
      worlds: sum('worlds'),
      steps: sum('steps'),
      effective: sum('effective'),
      exchanges: sum('exchanges'),
      target_ms: sum('target_ms'),
      host_ms: sum('host_ms'),
      ...(ended_early && { ended_early }),
      causes: mergeCauses(given, segments),
      reached: sortedCounts(reached),
      met: [...new Set(given.flatMap(({ summary }) => summary.met))].toSorted(),
    },
  };
}

const segmentOf = (owner: NamedSummary, seeds: SeedsSummary): Segment => ({
  ...rangeOf(seeds),
  hostMs: seeds.host_ms,
  owner,
});

function differenceOf(one: NamedSummary, other: NamedSummary): string | undefined {
  const [left, right] = [one.summary, other.summary];
  if (!sameSuite(left.suite, right.suite)) {
    return `${one.name} was played by suite ${showSuite(left.suite)}, ${other.name} by ${showSuite(right.suite)}`;
  }
  if (sameOptions(left.options, right.options)) return undefined;
  const [words, otherWords] = [left, right].map(({ options }) => optionWords(options) || 'none');
  return `${one.name} was played with other options than ${other.name}: ${words}; ${otherWords}`;
}

function overlapIn(sorted: readonly Segment[]): string | undefined {
  for (const [index, segment] of sorted.entries()) {
    const before = sorted[index - 1];
    if (!before || segment.first >= endOf(before)) continue;
    const [one, other] = [before, segment].map(
      (each) => `${each.owner.name} has ${showRange(each)}`,
    );
    return `${one}, ${other}: the same seeds would count twice`;
  }
  return undefined;
}

function joined(sorted: readonly Segment[]): SeedsSummary[] {
  const ranges: { first: bigint; count: number; hostMs: number }[] = [];
  for (const { first, count, hostMs } of sorted) {
    const last = ranges.at(-1);
    if (last && endOf(last) === first) {
      last.count += count;
      last.hostMs += hostMs;
    } else ranges.push({ first, count, hostMs });
  }
  return ranges.map(({ first, count, hostMs }) => ({
    first: formatSeed(first),
    count,
    host_ms: hostMs,
  }));
}

/** Segments are whole and never overlap, so those of others lie wholly before a seed or wholly after it. */
function hostMsBefore(
  { first_seed }: CauseSummary,
  owner: NamedSummary,
  segments: readonly Segment[],
): number {
  const seed = parseSeed(first_seed) ?? 0n;
  return segments
    .filter((segment) => segment.owner !== owner && segment.first < seed)
    .reduce((total, { hostMs }) => total + hostMs, 0);
}

function mergeCauses(given: readonly NamedSummary[], segments: readonly Segment[]): CauseSummary[] {
  const first = new Map<string, { readonly cause: CauseSummary; readonly owner: NamedSummary }>();
  const seeds = new Map<string, number>();
  for (const owner of given) {
    for (const cause of owner.summary.causes) {
      const known = first.get(cause.cause);
      if (!known || cause.first_seed < known.cause.first_seed) {
        first.set(cause.cause, { cause, owner });
      }
      seeds.set(cause.cause, (seeds.get(cause.cause) ?? 0) + cause.seeds);
    }
  }
  return [...first.values()]
    .map(({ cause, owner }) => ({
      ...cause,
      seeds: seeds.get(cause.cause) ?? cause.seeds,
      found_after_ms: cause.found_after_ms + hostMsBefore(cause, owner, segments),
    }))
    .toSorted(byFirstSeed);
}
