import { accessGaps } from './access.ts';
import { validationGaps } from './validation.ts';
import { listGaps } from './lists.ts';
import { interpretationGaps } from './interpretation.ts';
import { orderGaps } from './orders.ts';
import { quoteGaps } from './quotes.ts';
import { wireGaps } from './wire.ts';

export type { Gap } from './gap.ts';

/** Every question that the document leaves open, by a stable name. */
export const gaps = {
  ...listGaps,
  ...orderGaps,
  ...quoteGaps,
  ...accessGaps,
  ...wireGaps,
  ...validationGaps,
  ...interpretationGaps,
} as const;
export type GapId = keyof typeof gaps;
export const gapIds = Object.keys(gaps) as GapId[];

/** One answer to every gap; a reference is built with it. */
export type Assignment = { readonly [Id in GapId]: (typeof gaps)[Id]['values'][number] };

export const referenceAnswers = Object.fromEntries(
  gapIds.map((id) => [id, gaps[id].values[0]]),
) as Assignment;
