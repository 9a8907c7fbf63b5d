import { parseSeed } from '../../random/seed.ts';
import { isObject } from '../../history/json.ts';
import {
  anything,
  count,
  duration,
  every,
  listOf,
  misfitIn,
  oneOf,
  optional,
  seed,
  text,
  texts,
  tooDeep,
  valuesOf,
} from '../../history/shape.ts';
import { endedEarly } from '../../report/index.ts';
import type { CampaignSummary, CauseSummary, SeedsSummary, SimulationOptions } from '../outcome.ts';
import { rangeOf } from './merge.ts';
import { endOf, seedRange } from './seed-range.ts';

const campaignFormat = 'assay.campaign/1' satisfies CampaignSummary['format'];

export type ReadSummary =
  | { readonly ok: true; readonly summary: CampaignSummary }
  | { readonly ok: false; readonly problem: string };

const summary = every<CampaignSummary>({
  format: oneOf(campaignFormat),
  suite: every<CampaignSummary['suite']>({ version: text, digest: text }),
  options: every<SimulationOptions>({
    depth: oneOf('core', 'process', 'http'),
    faults: optional(texts),
    mutation: optional(text),
    steps: optional(count),
    target: optional(text),
    checks: optional(texts),
  }),
  ended_early: optional(endedEarly),
  seeds: listOf(every<SeedsSummary>({ first: seed, count, host_ms: duration })),
  worlds: count,
  steps: count,
  effective: count,
  exchanges: count,
  target_ms: duration,
  host_ms: duration,
  causes: listOf(
    every<CauseSummary>({
      cause: text,
      rule: text,
      requirements: texts,
      message: text,
      expected: anything,
      blame: oneOf('defect', 'harness'),
      first_seed: seed,
      seeds: count,
      found_after_ms: duration,
    }),
  ),
  reached: valuesOf(count),
  met: texts,
});

/** Checks the seed ranges. Ranges that overlap, or more worlds than seeds, would make every merged figure wrong. */
function wrongSeeds({ seeds, worlds }: CampaignSummary): string | undefined {
  let [total, end] = [0, 0n];
  for (const [index, each] of seeds.entries()) {
    const range = seedRange(parseSeed(each.first) ?? 0n, each.count);
    if (!range) return `seeds[${index}] is no range of seeds`;
    if (index > 0 && range.first < end)
      return `seeds[${index}] does not follow the range before it`;
    total += each.count;
    end = endOf(rangeOf(each));
  }
  return total === worlds ? undefined : `worlds is ${worlds}, but there are ${total} seeds`;
}

/** Reads a summary back. Returns a problem, and does not throw, if the text is not a summary. */
export function readCampaign(written: string): ReadSummary {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return { ok: false, problem: 'not JSON' };
  }
  if (!isObject(value) || value['format'] !== campaignFormat) {
    return { ok: false, problem: `not a campaign: "format" is not "${campaignFormat}"` };
  }
  const read = value as unknown as CampaignSummary;
  const problem = tooDeep(value) ?? misfitIn(summary, value) ?? wrongSeeds(read);
  return problem === undefined
    ? { ok: true, summary: read }
    : { ok: false, problem: `not a campaign: ${problem}` };
}

/** True if the text has the format name of a campaign summary, even if the rest of it is not valid. */
export function isCampaign(written: string): boolean {
  // Reports of runs may be large: they are not parsed for this.
  if (!written.includes(campaignFormat)) return false;
  try {
    const value: unknown = JSON.parse(written);
    return isObject(value) && value['format'] === campaignFormat;
  } catch {
    return false;
  }
}
