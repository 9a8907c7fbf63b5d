import { parseSeed } from '../../random/seed.ts';
import { isObject } from '../../history/json.ts';
import { misfitIn, tooDeep } from '../../history/shape.ts';
import { type CampaignSummary, campaignSummary } from '../outcome.ts';
import { rangeOf } from './merge.ts';
import { endOf, seedRange } from './seed-range.ts';

const campaignFormat = 'assay.campaign/1' satisfies CampaignSummary['format'];

export type ReadSummary =
  | { readonly ok: true; readonly summary: CampaignSummary }
  | { readonly ok: false; readonly problem: string };

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
  const problem = tooDeep(value) ?? misfitIn(campaignSummary, value) ?? wrongSeeds(read);
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
