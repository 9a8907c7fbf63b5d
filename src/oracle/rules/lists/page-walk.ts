import { terminalOrderStates, terminalQuoteStates } from '../../../spec/states.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { firstPage, itemIdOf, listKeys, type Page, pagesOf, statusAsked } from './pages.ts';
import { listStability } from './stable-list.ts';

/** Pages of one list, fetched one after the other by one driver. */
export interface Walk {
  readonly pages: readonly Page[];
  readonly first: Call;
  readonly last: Call;
  /** It began with the first page. */
  readonly fromStart: boolean;
  /** From the first page to the last. */
  readonly whole: boolean;
  /** Nothing that anybody did, or that time brought, can have moved an item meanwhile. */
  readonly stable: boolean;
  /** A list of what has ended, which no item leaves. Since each page counts as many, none should have come to it either. */
  readonly ended: boolean;
  readonly ids: readonly string[];
  /** Whether every item has an id, so that `ids` stands for all of them. */
  readonly named: boolean;
}

const isNextPage = (page: Page, last: Page): boolean =>
  page.page === last.page + 1 &&
  page.size === last.size &&
  page.total === last.total &&
  last.call.close < page.call.open;

const terminal: ReadonlySet<string> = new Set([...terminalOrderStates, ...terminalQuoteStates]);

/** Items that stand in such a list stay in it. That each page counts as many, the next page of a walk says. */
const isOfEnded = (call: Call): boolean => terminal.has(statusAsked(call) ?? '');

export function walksOf(view: HistoryView): Walk[] {
  const start = firstPage(view);
  const { oneSize } = listKeys(view);
  const { isStill } = view.once(listStability);
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
    return {
      pages,
      first: first.call,
      last: last.call,
      fromStart,
      whole: fromStart && pages.length >= first.pages,
      stable: pages.length === 1 || isStill(pages),
      ended: isOfEnded(first.call),
      ids,
      named: ids.length === items.length,
    };
  });
}
