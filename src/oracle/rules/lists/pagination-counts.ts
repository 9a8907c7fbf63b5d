import { groupBy } from '../../../history/group-by.ts';
import { isOffsetParam } from '../../../spec/paging.ts';
import { defineRule } from '../../findings.ts';
import { precedes } from '../../trace/calls.ts';
import { isForRole, requestsDue } from './items-are-listed.ts';
import { asksForAll, firstPage, listKeys, type Page, pagesOf } from './pages.ts';
import { walksOf, listStability } from './page-walks.ts';

const pagesMatchTheirPagination = defineRule({
  id: 'pagination.arithmetic',
  title: 'A page holds as many items as its pagination says, and is the page that was asked for',
  requirements: [
    'pagination.page-size.holds',
    'pagination.page-size.full-before-last',
    'pagination.total-pages.arithmetic',
    'pagination.page.as-asked',
  ],
  judge(view, findings) {
    const first = firstPage(view);
    const param = view.context.answers('list.page_param');
    for (const { call, items, page, size, total, pages } of view.once(pagesOf)) {
      const assert = (
        requirement: Parameters<typeof findings.assert>[0],
        holds: boolean,
        what: string,
        expected: number,
        actual: number,
      ): void => {
        findings.assert(requirement, holds, call.id, () => ({
          message: `${call.endpoint}: ${what}`,
          expected,
          actual,
        }));
      };
      const { length } = items;
      const most = 'a page held more than its page_size';
      assert('pagination.page-size.holds', length <= size, most, size, length);
      if (size > 0) {
        const count = Math.ceil(total / size);
        const adds = pages === count || (total === 0 && pages === 1);
        const wrong = 'total_pages was not what so many items of that size fill';
        assert('pagination.total-pages.arithmetic', adds, wrong, count, pages);
      }
      if (first === undefined) continue;
      if (page >= first && page < first + pages - 1) {
        const wrong = 'a page before the last was not full';
        assert('pagination.page-size.full-before-last', length === size, wrong, size, length);
      }
      const asked = call.exchange.query[param ?? ''];
      if (param === undefined || isOffsetParam(param) || !/^[0-9]+$/.test(asked ?? '')) continue;
      // The answer to a page beyond the last is open (gap `list.past_end`).
      if (Number(asked) < first || Number(asked) >= first + pages) continue;
      const isAsked = page === Number(asked);
      const wrong = 'pagination.page was not the page that was asked for';
      assert('pagination.page.as-asked', isAsked, wrong, Number(asked), page);
    }
  },
});

/** Number of pages before and after a page among which two others that count as many are looked for. */
const nearby = 4;

const totalItemsCountsTheList = defineRule({
  id: 'list.totals',
  title: 'total_items counts the items of the list, on each of its pages and past its end',
  requirements: ['pagination.total-items.counts', 'order.list.status-filter.totals'],
  judge(view, findings) {
    pagesHoldNoMoreThanCounted();
    walksFindAsManyAsCounted();
    everyPageCountsTheSame();
    pagesPastTheEndCountWhatIsListed();

    /** Asserts on one page, the one with the count; `pages` are the evidence. */
    function assert(
      holds: boolean,
      { call, total }: Page,
      pages: readonly Page[],
      what: string,
      counted: number,
    ): void {
      const filtered = call.endpoint === 'order.list' && 'status' in call.exchange.query;
      const requirements = [
        'pagination.total-items.counts',
        filtered && 'order.list.status-filter.totals',
      ] as const;
      findings.assert(requirements, holds, call.id, () => ({
        message: `${call.endpoint}: ${what}`,
        fields: ['pagination.total_items'],
        expected: counted,
        actual: total,
        evidence: pages.slice(0, 8).map((page) => page.call.id),
      }));
    }

    function pagesHoldNoMoreThanCounted(): void {
      const first = firstPage(view);
      for (const page of view.once(pagesOf)) {
        const { length } = page.items;
        const isAll = page.pages <= 1 && page.page === first;
        const holds = isAll ? length === page.total : length <= page.total;
        assert(holds, page, [page], 'total_items did not count the items', length);
      }
    }

    function walksFindAsManyAsCounted(): void {
      for (const { pages, ids, whole, stable, named } of view.once(walksOf)) {
        const found = new Set(ids).size;
        const [first] = pages;
        if (!first || !whole || !stable || !named) continue;
        const holds = found === first.total;
        assert(holds, first, pages, 'all pages together held another number', found);
      }
    }

    /** Others may create and end requests meanwhile: the count is at least that of the certainly active ones. */
    function pagesPastTheEndCountWhatIsListed(): void {
      const due = requestsDue(view);
      const isOfAll = asksForAll(view);
      const first = firstPage(view) ?? Number.POSITIVE_INFINITY;
      for (const page of view.once(pagesOf)) {
        const { call, items, total } = page;
        const isPastTheEnd = items.length === 0 && page.page > first;
        if (call.endpoint !== 'rfq.list' || !isPastTheEnd) continue;
        if (!isOfAll(call) || !isForRole(call)) continue;
        const { length } = due({ first: call, last: call });
        if (length === 0) continue;
        assert(
          total >= length,
          page,
          [page],
          'a page past the end counted fewer than are listed',
          length,
        );
      }
    }

    function everyPageCountsTheSame(): void {
      const { changesOneWay } = view.once(listStability);
      const { anySize } = listKeys(view);
      for (const pages of groupBy(view.once(pagesOf), ({ call }) => anySize(call)).values()) {
        pages.forEach((page, index) => {
          // Of pages that were asked for at the same time nobody knows which was counted first.
          const before = pages
            .slice(Math.max(0, index - nearby), index)
            .findLast(({ call }) => precedes(call, page.call));
          const again = pages
            .slice(index + 1, index + 1 + nearby)
            .find(({ call, total }) => total === before?.total && precedes(page.call, call));
          if (!before || !again || !changesOneWay(before.call, again.call)) return;
          const holds = before.total === page.total;
          assert(holds, page, [before, page, again], 'a page counted otherwise', before.total);
        });
      }
    }
  },
});

export const paginationRules = [pagesMatchTheirPagination, totalItemsCountsTheList];
