import type { RunReport } from '../results/run-report.ts';

type Shard = NonNullable<NonNullable<RunReport['coverage']>['part']>['shard'];

/** Parts of a suite that several reports form together, or the reason why they are not parts of one run. */
export type JoinedShards =
  | { readonly ok: true; readonly shard?: NonNullable<Shard> }
  | { readonly ok: false; readonly problem: string };

export const shardText = ({ of, parts }: NonNullable<Shard>): string =>
  `${rangesText(parts)} of ${of}`;

/** Value of `--shard`. Undefined for a merged report: the option cannot select several parts. */
export const shardOption = ({ of, parts }: NonNullable<Shard>): string | undefined =>
  parts.length === 1 ? `${parts[0]}/${of}` : undefined;

/** Joins the parts of one suite that several jobs judged. Reports without a shard are ignored here. */
export function joinShards(reports: readonly RunReport[]): JoinedShards {
  const shards = reports.flatMap((report) => shardOf(report) ?? []);
  const [first] = shards;
  if (!first) return { ok: true };
  const problem = differenceIn(reports, shards) ?? repetitionIn(shards);
  if (problem !== undefined) return { ok: false, problem };
  const { of } = first;
  const parts = shards.flatMap((one) => one.parts).toSorted((a, b) => a - b);
  return { ok: true, ...(parts.length < of && { shard: { of, parts } }) };
}

/** Preflight lines of the joined reports, and a line on parts that are still missing. */
export function joinPreflight(
  reports: readonly RunReport[],
  joined: NonNullable<Shard> | undefined,
): readonly string[] {
  const lines = reports.flatMap((report) => {
    const shard = shardOf(report);
    // Parts that were missing when some of these were joined may be here now.
    const outdated = shard && missingText(shard);
    return (report.preflight ?? []).filter((line) => line !== outdated);
  });
  return [...new Set([...(joined ? [missingText(joined)] : []), ...lines])];
}

function missingText({ of, parts }: NonNullable<Shard>): string {
  const ranges = missingRanges(parts, of);
  const [first] = ranges;
  const isOne = ranges.length === 1 && first?.[0] === first?.[1];
  const which = ranges.map(rangeText).join(', ');
  return isOne
    ? `part ${which} of ${of} is missing: what only its checks judge is not judged`
    : `parts ${which} of ${of} are missing: what only their checks judge is not judged`;
}

const shardOf = ({ coverage }: RunReport): Shard => coverage?.part?.shard;

function differenceIn(
  reports: readonly RunReport[],
  shards: readonly NonNullable<Shard>[],
): string | undefined {
  const [first] = shards;
  if (!first) return undefined;
  if (shards.length < reports.length) return `one is part ${shardText(first)}, another is no part`;
  const other = shards.find(({ of }) => of !== first.of);
  if (other) return `one is part ${shardText(first)}, another is part ${shardText(other)}`;
  for (const [what, of] of comparedOfShards) {
    const values = new Set(reports.map(of));
    if (values.size > 1)
      return `they are parts of runs with different ${what}: ${[...values].join('; ')}`;
  }
  return undefined;
}

/** Facts in which all parts of one run agree, as text. */
const comparedOfShards: readonly (readonly [string, (report: RunReport) => string])[] = [
  ['seeds', ({ run }) => run.seed],
  ['clocks', ({ target }) => target.clock.kind],
  ['profiles', ({ coverage }) => coverage?.part?.profile ?? 'none'],
  ['patterns of --only', ({ coverage }) => (coverage?.part?.only ?? ['none']).join(', ')],
];

function repetitionIn(shards: readonly NonNullable<Shard>[]): string | undefined {
  const seen = new Set<number>();
  for (const { of, parts } of shards) {
    for (const part of parts) {
      if (seen.has(part)) return `part ${part} of ${of} is given twice`;
      seen.add(part);
    }
  }
  return undefined;
}

type Range = readonly [first: number, last: number];

const rangeText = ([first, last]: Range): string =>
  first === last ? `${first}` : `${first} to ${last}`;

/** Ranges instead of numbers: a report that claims one part of a million then costs nothing. */
function missingRanges(sorted: readonly number[], of: number): Range[] {
  const bounds = [0, ...sorted, of + 1];
  return bounds.slice(1).flatMap((next, index) => {
    const first = (bounds[index] ?? 0) + 1;
    return first < next ? [[first, next - 1] as const] : [];
  });
}

function rangesText(sorted: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const part of sorted) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === part) last[1] = part;
    else ranges.push([part, part]);
  }
  return ranges.map(rangeText).join(', ');
}
