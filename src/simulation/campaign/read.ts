import { parseSeed } from '../../random/seed.ts';
import {
  count,
  counts,
  duration,
  type Forms,
  isFields,
  list,
  oneOf,
  optional,
  seed,
  text,
  texts,
  wrongAmong,
  wrongIn,
} from '../forms.ts';
import type { CampaignSummary } from '../outcome.ts';
import { rangeOf } from './merge.ts';
import { endOf, seedRange } from './seed-range.ts';

const campaignFormat = 'assay.campaign/1' satisfies CampaignSummary['format'];

export type ReadSummary =
  | { readonly ok: true; readonly summary: CampaignSummary }
  | { readonly ok: false; readonly problem: string };

const summaryForms: Forms = {
  seeds: list,
  worlds: count,
  steps: count,
  effective: count,
  exchanges: count,
  target_ms: duration,
  host_ms: duration,
  causes: list,
  reached: counts,
  met: texts,
};
const optionForms: Forms = {
  depth: oneOf('core', 'process', 'http'),
  faults: optional(texts),
  mutation: optional(text),
  steps: optional(count),
  target: optional(text),
};
const seedsForms: Forms = { first: seed, count, host_ms: duration };
const causeForms: Forms = {
  cause: text,
  rule: text,
  requirements: texts,
  message: text,
  blame: oneOf('defect', 'harness'),
  first_seed: seed,
  seeds: count,
  found_after_ms: duration,
};

/** Seeds that overlap, or more worlds than seeds, would make every figure of what is merged wrong. */
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

/** Reads a summary back; what is none is answered, not thrown. */
export function readCampaign(written: string): ReadSummary {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return { ok: false, problem: 'not JSON' };
  }
  if (!isFields(value) || value['format'] !== campaignFormat) {
    return { ok: false, problem: `not a campaign: "format" is not "${campaignFormat}"` };
  }
  const summary = value as unknown as CampaignSummary;
  const problem =
    wrongIn('', value, summaryForms) ??
    wrongIn('suite', value['suite'], { version: text, digest: text }) ??
    wrongIn('options', value['options'], optionForms) ??
    wrongAmong('seeds', value['seeds'], seedsForms) ??
    wrongAmong('causes', value['causes'], causeForms) ??
    wrongSeeds(summary);
  return problem === undefined
    ? { ok: true, summary }
    : { ok: false, problem: `not a campaign: ${problem}` };
}

/** Whether a text says that it is the summary of a campaign, sound or not. */
export function isCampaign(written: string): boolean {
  // Reports of runs may be large: they are not parsed for this.
  if (!written.includes(campaignFormat)) return false;
  try {
    const value: unknown = JSON.parse(written);
    return isFields(value) && value['format'] === campaignFormat;
  } catch {
    return false;
  }
}
