import { parseSeed } from '../../random/seed.ts';
import type { CampaignSummary } from '../outcome.ts';
import { rangeOf } from './merge.ts';
import { endOf, seedRange } from './seed-range.ts';

const campaignFormat = 'assay.campaign/1' satisfies CampaignSummary['format'];

export type ReadSummary =
  | { readonly ok: true; readonly summary: CampaignSummary }
  | { readonly ok: false; readonly problem: string };

interface Form {
  readonly what: string;
  readonly holds: (value: unknown) => boolean;
}
type Fields = Readonly<Record<string, unknown>>;
type Forms = Readonly<Record<string, Form>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const text: Form = { what: 'a text', holds: isText };
const texts: Form = {
  what: 'a list of texts',
  holds: (value) => Array.isArray(value) && value.every(isText),
};
const count: Form = { what: 'a count', holds: isCount };
const counts: Form = {
  what: 'an object of counts',
  holds: (value) => isFields(value) && Object.values(value).every(isCount),
};
const duration: Form = {
  what: 'a duration in milliseconds',
  holds: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
};
const seed: Form = {
  what: 'a seed, 0x and sixteen digits',
  holds: (value) => isText(value) && /^0x[0-9a-f]{16}$/.test(value),
};
const list: Form = { what: 'a list', holds: Array.isArray };
const oneOf = (...all: readonly unknown[]): Form => ({
  what: `one of ${all.join(', ')}`,
  holds: (value) => all.includes(value),
});
const optional = ({ what, holds }: Form): Form => ({
  what,
  holds: (value) => value === undefined || holds(value),
});

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

function wrongIn(place: string, value: unknown, forms: Forms): string | undefined {
  if (!isFields(value)) return `${place} is no object`;
  const wrong = Object.entries(forms).find(([key, { holds }]) => !holds(value[key]));
  return wrong && `${place === '' ? '' : `${place}.`}${wrong[0]} is not ${wrong[1].what}`;
}

const wrongAmong = (place: string, values: unknown, forms: Forms): string | undefined =>
  (values as readonly unknown[])
    .map((value, index) => wrongIn(`${place}[${index}]`, value, forms))
    .find((problem) => problem !== undefined);

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
