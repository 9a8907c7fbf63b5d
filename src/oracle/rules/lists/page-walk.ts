import { terminalOrderStates, terminalQuoteStates } from '../../../spec/states.ts';
import { cameAt } from '../../../spec/paging.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { isObject, textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { firstPage, itemIdOf, listKeys, type Page, pagesOf, statusAsked } from './pages.ts';
import { type ListStability, listStability } from './stable-list.ts';

/** Pages of one list, fetched one after the other by one driver. */
export interface Walk {
  readonly pages: readonly Page[];
  readonly first: Call;
  readonly last: Call;
  /** It began with the first page. */
  readonly fromStart: boolean;
  /** From the first page to the last. */
  readonly whole: boolean;
  /** Whole; or, for a list in order of time, back to items that are older than all that the history created. */
  readonly holdsOwn: boolean;
  /** Nothing that anybody did, or that time brought, can have moved an item meanwhile. */
  readonly stable: boolean;
  /**
   * A list of ended things, which no item leaves. Since each page counts as many, none should have come to it either.
   */
  readonly ended: boolean;
  readonly ids: readonly string[];
  /** True if every item has an id, so that `ids` stands for all of them. */
  readonly named: boolean;
}

const isNextPage = (page: Page, last: Page): boolean =>
  page.page === last.page + 1 &&
  page.size === last.size &&
  page.total === last.total &&
  last.call.close < page.call.open;

const terminal: ReadonlySet<string> = new Set([...terminalOrderStates, ...terminalQuoteStates]);

/** Items stay in such a list. The next page of a walk shows that each page counts as many. */
const isOfEnded = (call: Call): boolean => terminal.has(statusAsked(call) ?? '');

/** On the target's clock, a moment before the history created its first order. */
function firstCreation(view: HistoryView): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { creation } of view.orders.values()) {
    const shown = parseTimestamp(textOf(creation?.data, 'created_at'));
    const at = shown ?? (creation && creation.exchange.sent + view.context.offset.least);
    if (at !== undefined) first = Math.min(first, at);
  }
  return first - tolerance.stamp;
}

/** True if pages of a list in order of time reach from its new end to items that are older than the moment. */
function reachesBack(
  pages: readonly Page[],
  start: number | undefined,
  moment: number,
  orderOf: ListStability['orderOf'],
): boolean {
  const items = pages.flatMap((page) => page.items.filter(isObject));
  const order = orderOf(pages);
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last || start === undefined) return false;
  const isAtNewEnd =
    order === 'newest-first' ? first.page === start : last.page === start + last.pages - 1;
  const oldest = order === 'newest-first' ? items.at(-1) : items[0];
  return (
    order !== undefined && isAtNewEnd && oldest !== undefined && (cameAt(oldest) ?? moment) < moment
  );
}

export function walksOf(view: HistoryView): Walk[] {
  const start = firstPage(view);
  const created = firstCreation(view);
  const { oneSize } = listKeys(view);
  const { isStill, orderOf } = view.once(listStability);
  const open = new Map<string, Page[]>();
  const walks: Page[][] = [];
  for (const page of view.once(pagesOf)) {
    const key = `${page.call.exchange.by} ${oneSize(page.call)}`;
    const walk = open.get(key);
    const last = walk?.at(-1);
    if (walk && last && isNextPage(page, last)) walk.push(page);
    else {
      const fresh = [page];
      open.set(key, fresh);
      walks.push(fresh);
    }
  }
  return walks.flatMap((pages) => {
    const [first, last] = [pages[0], pages.at(-1)];
    if (!first || !last) return [];
    const items = pages.flatMap((page) => page.items.map((item) => itemIdOf(page.call, item)));
    const ids = items.filter((id) => id !== undefined);
    const fromStart = first.page === start;
    const whole = fromStart && pages.length >= first.pages;
    return {
      pages,
      first: first.call,
      last: last.call,
      fromStart,
      whole,
      holdsOwn: whole || reachesBack(pages, start, created, orderOf),
      stable: pages.length === 1 || isStill(pages),
      ended: isOfEnded(first.call),
      ids,
      named: ids.length === items.length,
    };
  });
}
