import { isOffsetParam } from '../../../spec/paging.ts';
import { isSet, textAt } from '../../../protocol/json.ts';
import { paginationIn } from '../../../protocol/pagination.ts';
import { defineRule } from '../../findings.ts';
import { type Call, resultKindOf } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** One page of a list, as far as it can be read. */
export interface Page {
  readonly call: Call;
  readonly items: readonly unknown[];
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly pages: number;
}

function pageOf(call: Call): Page | undefined {
  if (!call.ok || !call.own || resultKindOf(call) !== 'list' || !Array.isArray(call.data))
    return undefined;
  const shown = paginationIn(call.body);
  if (!shown) return undefined;
  const { page, page_size: size, total_items: total, total_pages: pages } = shown;
  return { call, items: call.data, page, size, total, pages };
}

/** Whether a call asked for what is no page, pages of no size, or a state of no name: what comes then is open. */
function isNonsensePage(view: HistoryView, { exchange: { query } }: Call): boolean {
  const { answers } = view.context;
  const [page, size] = (['list.page_param', 'list.page_size_param'] as const).map(
    (gap) => query[answers(gap) ?? ''],
  );
  const isNone = size !== undefined && !/^0*[1-9][0-9]*$/.test(size);
  const isNowhere = page !== undefined && !/^[0-9]+$/.test(page);
  return isNone || isNowhere || query['status'] === '';
}

export const pagesOf = (view: HistoryView): Page[] =>
  view.calls.flatMap((call) => {
    const page = isNonsensePage(view, call) ? undefined : pageOf(call);
    return page ? [page] : [];
  });

/** Names under which a page is asked for, beside the one that is known to work. */
const usualPageParams = ['page', 'page_number', 'offset', 'cursor', 'skip'];

export const pageParams = (view: HistoryView): ReadonlySet<string> =>
  new Set([...usualPageParams, view.context.answers('list.page_param') ?? 'page']);

/** The number of the first page, where the target is known to count or a list without a page was asked for. */
export function firstPage(view: HistoryView, pages: readonly Page[]): number | undefined {
  const known = Number(view.context.answers('list.first_page') ?? Number.NaN);
  if (Number.isInteger(known)) return known;
  const params = pageParams(view);
  return pages.find(
    ({ call }) => !Object.keys(call.exchange.query).some((name) => params.has(name)),
  )?.page;
}

export const pagination = defineRule({
  id: 'pagination.arithmetic',
  title: 'Pages hold what their pagination says',
  requirements: [
    'pagination.page-size.holds',
    'pagination.page-size.full-before-last',
    'pagination.total-items.counts',
    'pagination.total-pages.arithmetic',
    'pagination.page.as-asked',
  ],
  judge(view, findings) {
    const pages = view.once(pagesOf);
    const first = firstPage(view, pages);
    const param = view.context.answers('list.page_param');
    for (const page of pages) {
      const { call, items, size, total } = page;
      const { id } = call;
      const shown = {
        page: page.page,
        page_size: size,
        total_items: total,
        total_pages: page.pages,
      };
      const violation = (message: string) => () => ({
        message: `${call.endpoint}: ${message}`,
        actual: { items: items.length, pagination: shown },
        evidence: [id],
      });
      const holds = items.length <= size;
      const over = violation('a page held more items than its page_size');
      findings.assert('pagination.page-size.holds', holds, id, over);
      const counts =
        items.length <= total && (page.pages > 1 || page.page !== first || items.length === total);
      const miscounted = violation('total_items did not count the items');
      findings.assert('pagination.total-items.counts', counts, id, miscounted);
      if (size > 0) {
        const required = Math.ceil(total / size);
        const right = page.pages === required || (total === 0 && page.pages === 1);
        const wrong = violation('total_pages was not what so many items of that size fill');
        findings.assert('pagination.total-pages.arithmetic', right, id, wrong);
      }
      judgeFull(page);
      judgeAsked(page);
    }

    function judgeFull({ call, items, page, size, pages: count }: Page): void {
      if (first === undefined || page < first || page >= first + count - 1) return;
      findings.assert(
        'pagination.page-size.full-before-last',
        items.length === size,
        call.id,
        () => ({
          message: `${call.endpoint}: a page before the last was not full`,
          expected: size,
          actual: items.length,
          evidence: [call.id],
        }),
      );
    }

    function judgeAsked({ call, page, pages: count }: Page): void {
      if (param === undefined || isOffsetParam(param) || first === undefined) return;
      const asked = call.exchange.query[param];
      if (asked === undefined || !/^[0-9]+$/.test(asked)) return;
      const required = Number(asked);
      // What answers a page beyond the last is open (gap `list.past_end`).
      if (required < first || required >= first + count) return;
      findings.assert('pagination.page.as-asked', page === required, call.id, () => ({
        message: `${call.endpoint}: pagination.page was not the page that was asked for`,
        expected: required,
        actual: page,
        evidence: [call.id],
      }));
    }
  },
});

/** What tells the items of a list apart. */
export const itemIdOf = (call: Call, item: unknown): string | undefined =>
  textAt(
    item,
    call.endpoint === 'order.quotes' ||
      call.endpoint === 'rfq.quotes' ||
      call.endpoint === 'quote.list'
      ? 'quote_id'
      : 'intent_id',
  );

/** A query that asks for exactly one state. */
export const statusAsked = (call: Call): string | undefined => {
  const status = call.exchange.query['status'];
  return isSet(status) ? status : undefined;
};
