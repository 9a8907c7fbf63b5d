import { parseTimestamp } from './forms.ts';

/** True if a parameter, by its name, is a number of items to skip, not a page number (gap `list.page_param`). */
export const isOffsetParam = (param: string): boolean => /offset|skip|start/i.test(param);

/** Sort order of a list (gap `list.order`). */
export type ListOrder = 'newest-first' | 'oldest-first' | 'by something else than time';

/** Minimum number of different moments: fewer may rise or fall by chance, in a list sorted by anything. */
const fewestDistinct = 6;

type Item = Readonly<Record<string, unknown>>;

/** Creation moment of an item, by any of the names that resources have for it. */
export const cameAt = (item: Item): number | undefined =>
  parseTimestamp(item['created_at'] ?? item['submitted_at'] ?? item['settled_at']);

/**
 * Order of items in time; undefined if a moment cannot be read, or if too few of them differ to tell.
 * @param fewest minimum number of different moments: two are enough if the answer is only noted
 */
export function listOrderOf(
  items: readonly Item[],
  fewest = fewestDistinct,
): ListOrder | undefined {
  const moments = items.flatMap((item) => cameAt(item) ?? []);
  if (moments.length < items.length || new Set(moments).size < fewest) return undefined;
  const steps = moments.slice(1).map((moment, at) => moment - (moments[at] ?? moment));
  if (steps.every((step) => step <= 0)) return 'newest-first';
  return steps.every((step) => step >= 0) ? 'oldest-first' : 'by something else than time';
}
