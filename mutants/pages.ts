import { ordersOf } from '../src/reference/core/index.ts';
import { readingPages } from './defects/policy.ts';
import { everyList, viewsOf } from './defects/reading.ts';
import { mutation, type Written } from './mutation.ts';

/** Lists and their pages (2.1). The reference's usual answers: pages from 1, newest first. */
export const pageMutations: readonly Written[] = [
  mutation('third-page-repeats-an-item', 'list.pages-disjoint')
    .summary('Pages from the third on begin with the last item of the page before.')
    .pagesRead((page) => page.page >= 3 && { skip: page.skip - 1 }),
  mutation('no-second-page-of-orders', 'list.pages-complete')
    .summary('The list of orders answers 404 where its second page is asked for.')
    .ignored('order.list', ({ query }) => query.page === '2'),
  mutation('second-page-skips-an-item', 'list.pages-complete')
    .summary('The second page begins one item too late.')
    .pagesRead((page) => page.page === 2 && { skip: page.skip + 1 }),
  mutation('filtered-pages-ignore-the-page', 'list.pages-disjoint', 'list.pages-complete')
    .summary('A filtered list of orders answers every page with the first.')
    .pagesRead((_, { status }) => status !== undefined && { skip: 0 }),
  mutation('last-page-holds-one-too-many', 'pagination.page-size.holds')
    .summary('A page after the first holds one item more than its size.')
    .rule('lists', (own) => ({
      ...readingPages(own, ({ page, size }) => page >= 2 && { size: size + 1 }),
      pagination: (page, total) =>
        own.pagination(page.page < 2 ? page : { ...page, size: page.size - 1 }, total),
    })),
  mutation('page-size-ignored-for-quotes-of-order', 'pagination.page-size.holds')
    .summary('The quotes of an order come all at once, whatever page size was asked for and shown.')
    .setData('order.quotes', (_, context) =>
      context.quotes.toReversed().map(viewsOf(context).quote),
    ),
  mutation('total-items-of-this-page', 'pagination.total-items.counts')
    .summary('total_items of a list of settlements counts the items of the page.')
    .setPagination('settlement.list', (_pages, _context, data) => ({ total_items: data.length })),
  mutation('nothing-counted-past-the-end', 'pagination.total-items.counts')
    .summary('A page past the end says that there are no items at all.')
    .setPagination(everyList, ({ page, total_pages: last }) => {
      return page > Math.max(1, last) && { total_items: 0, total_pages: 0 };
    }),
  mutation('next-page-of-requests-counts-nothing', 'pagination.total-items.counts')
    .summary('The page of requests right after the last counts none of them, unlike other pages.')
    .setPagination('rfq.list', ({ page, total_pages: last }) => {
      return page === last + 1 && { total_items: 0, total_pages: 0 };
    }),
  mutation('filtered-quotes-not-counted-past-the-end', 'pagination.total-items.counts')
    .summary('A page of filtered quotes past the end counts the quotes in every state.')
    .setPagination('quote.list', ({ page, total_pages: last, total_items: all }, { query }) => {
      return query.status !== undefined && page > last && { total_items: all + 1 };
    }),
  mutation('total-items-drops-on-the-last-page', 'pagination.total-items.counts')
    .summary('The last of several pages counts one item too few.')
    .setPagination(everyList, ({ page, total_pages: last, total_items: all }) => {
      return page > 1 && page === last && { total_items: all - 1 };
    }),
  mutation('total-items-less-in-threes', 'pagination.total-items.counts')
    .summary('In pages of three the last item is not counted.')
    .counted(({ size }, all) => {
      const total = size === 3 && all > 3 ? all - 1 : all;
      return { total_items: total, total_pages: Math.ceil(total / size) };
    }),
  mutation('total-pages-rounded-down', 'pagination.total-pages.arithmetic')
    .summary('The number of pages is rounded down where the last page is not full.')
    .counted(({ size }, total) => ({ total_pages: Math.floor(total / size) })),
  mutation('total-pages-one-more-when-full', 'pagination.total-pages.arithmetic')
    .summary('Where the last page is full one page too many is counted.')
    .counted(({ size }, total) => ({
      total_pages: total === 0 ? 0 : Math.floor(total / size) + 1,
    })),
  mutation('total-pages-for-the-usual-size', 'pagination.total-pages.arithmetic')
    .summary('The number of pages of requests is that of pages of twenty, whatever was asked for.')
    .setPagination('rfq.list', ({ total_items: all }) => ({ total_pages: Math.ceil(all / 20) })),
  mutation('page-number-always-one', 'pagination.page.as-asked')
    .summary('The list of requests says page 1 on every page.')
    .setPagination('rfq.list', () => ({ page: 1 })),
  mutation('pages-half-full-when-filtered', 'pagination.page-size.full-before-last')
    .summary('A filter works on the page that was cut before: pages but the last are not full.')
    .envelopes('quote.list', ({ data, pagination, ...rest }, { query }) => {
      const isFull = pagination && pagination.page < pagination.total_pages;
      const items = (data as readonly unknown[]).slice(isFull && query.status ? 1 : 0);
      return { data: items, pagination, ...rest };
    }),
  mutation('page-size-as-text', 'pagination.page-size.form')
    .summary('A page size that was asked for comes back as the text of the query.')
    .setPagination('order.list', (_, { query: { page_size: asked } }) => {
      return asked !== undefined && { page_size: asked };
    }),
  mutation('total-items-null-when-filtered', 'pagination.total-items.form')
    .also('pagination.total-items.present')
    .summary('A filtered list of own quotes does not count: total_items is null.')
    .setPagination('quote.list', (_, { query }) => 'status' in query && { total_items: null }),
  mutation('total-pages-missing-for-makers', 'pagination.total-pages.present')
    .summary('The list of settlements does not say how many pages there are.')
    .setPagination('settlement.list', () => ({ total_pages: undefined })),
  mutation('total-items-of-all-parties', 'pagination.total-items.counts', 'order.list.own-only')
    .summary('total_items of a list of orders counts the orders of all institutions.')
    .setPagination('order.list', ({ page_size: size }, { state, query, party }) => {
      const total = ordersOf(state).length;
      const isWrong = query.status === undefined && party?.role === 'institution';
      return isWrong && { total_items: total, total_pages: Math.ceil(total / size) };
    }),
  mutation('lists-end-after-two-pages', 'list.pages-complete', 'order.list.complete')
    .summary('A list of orders has at most forty items; what is older is not found any more.')
    .listOrders(({ ownOrders, party, fits }) => {
      const own = ownOrders.filter(fits);
      return party?.role === 'institution' && own.length > 40 && own.slice(0, 40);
    }),
];
