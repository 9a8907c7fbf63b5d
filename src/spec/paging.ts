import { parseTimestamp } from './forms.ts';

/** Whether a parameter, by its name, says how many items to leave out, in place of a page's number (gap `list.page_param`). */
export const isOffsetParam = (param: string): boolean => /offset|skip|start/i.test(param);

/** How the items of a list are sorted (gap `list.order`). */
export type ListOrder = 'newest-first' | 'oldest-first' | 'by something else than time';

/** Fewer different moments than this may rise or fall by chance, whatever a list is sorted by. */
const fewestDistinct = 6;

type Item = Readonly<Record<string, unknown>>;

/** When an item was created, by any of the names that resources have for it. */
export const cameAt = (item: Item): number | undefined =>
  parseTimestamp(item['created_at'] ?? item['submitted_at'] ?? item['settled_at']);

/**
 * In what order of time items stand; undefined where a moment cannot be read, or too few of them differ to tell.
 * @param fewest moments that must differ: two are enough where the answer is only noted
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
