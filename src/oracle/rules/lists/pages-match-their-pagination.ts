import { isOffsetParam } from '../../../spec/paging.ts';
import { defineRule } from '../../findings.ts';
import { firstPage, pagesOf } from './pages.ts';

export const pagesMatchTheirPagination = defineRule({
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
          evidence: [call.id],
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
