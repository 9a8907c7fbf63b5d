import { parseSeed } from '../../random/seed.ts';
import { isObject } from '../../history/json.ts';
import { type JsonReading, misfitIn, readJsonFile } from '../../history/shape.ts';
import { type CampaignSummary, campaignSummary } from '../outcome.ts';
import { rangeOf } from './merge.ts';
import { endOf, seedRange } from './seed-range.ts';

const campaignFormat = 'assay.campaign/1' satisfies CampaignSummary['format'];

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

/** Reads a summary back. */
export const readCampaign = (written: string): JsonReading<CampaignSummary> =>
  readJsonFile(
    written,
    'a campaign',
    campaignFormat,
    (value) => misfitIn(campaignSummary, value) ?? wrongSeeds(value as unknown as CampaignSummary),
  );

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
