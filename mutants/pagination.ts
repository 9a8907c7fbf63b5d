import type { EndpointName } from '../src/spec/endpoints.ts';
import type { Written } from './mutation.ts';
import { ordersOf } from '../src/reference/core/index.ts';
import { envelopes, lists, quotesOn, rules, viewsOf } from './tools.ts';

const everyList: readonly EndpointName[] = [
  'order.list',
  'order.quotes',
  'rfq.list',
  'rfq.quotes',
  'quote.list',
  'settlement.list',
];

/** Lists and their pages (2.1). The reference's usual answers: pages from 1, newest first. */
export const pageMutations: readonly Written[] = [
  {
    id: 'third-page-repeats-an-item',
    breaks: ['list.pages-disjoint'],
    summary: 'Pages from the third on begin with the last item of the page before.',
    tamper: rules(({ lists: own }) => ({
      lists: {
        read: (query) => {
          const page = own.read(query);
          return 'code' in page || page.page < 3 ? page : { ...page, skip: page.skip - 1 };
        },
      },
    })),
  },
  {
    id: 'no-second-page-of-orders',
    breaks: ['list.pages-complete'],
    summary: 'The list of orders answers 404 where its second page is asked for.',
    tamper: () => ({
      command: (command) =>
        command.type === 'request' &&
        command.endpoint === 'order.list' &&
        command.query['page'] === '2'
          ? undefined
          : command,
    }),
  },
  {
    id: 'second-page-skips-an-item',
    breaks: ['list.pages-complete'],
    summary: 'The second page begins one item too late.',
    tamper: rules(({ lists: own }) => ({
      lists: {
        read: (query) => {
          const page = own.read(query);
          return 'code' in page || page.page !== 2 ? page : { ...page, skip: page.skip + 1 };
        },
      },
    })),
  },
  {
    id: 'filtered-pages-ignore-the-page',
    breaks: ['list.pages-disjoint', 'list.pages-complete'],
    summary: 'A filtered list of orders answers every page with the first.',
    tamper: rules(({ lists: own }) => ({
      lists: {
        read: (query) => {
          const page = own.read(query);
          return 'code' in page || query.status === undefined ? page : { ...page, skip: 0 };
        },
      },
    })),
  },
  {
    id: 'last-page-holds-one-too-many',
    breaks: ['pagination.page-size.holds'],
    summary: 'A page after the first holds one item more than its size.',
    tamper: rules(({ lists: own }) => ({
      lists: {
        read: (query) => {
          const page = own.read(query);
          return 'code' in page || page.page < 2 ? page : { ...page, size: page.size + 1 };
        },
        pagination: (page, total) =>
          own.pagination(page.page < 2 ? page : { ...page, size: page.size - 1 }, total),
      },
    })),
  },
  {
    id: 'page-size-ignored-for-quotes-of-order',
    breaks: ['pagination.page-size.holds'],
    summary: 'The quotes of an order come all at once, whatever page size was asked for and shown.',
    tamper: envelopes('order.quotes', (envelope, context) => ({
      ...envelope,
      data: quotesOn(context, context.params.intent_id ?? '')
        .toReversed()
        .map(viewsOf(context).quote),
    })),
  },
  {
    id: 'total-items-of-this-page',
    breaks: ['pagination.total-items.counts'],
    summary: 'total_items of a list of settlements counts the items of the page.',
    tamper: envelopes('settlement.list', ({ pagination, data, ...rest }) => ({
      data,
      ...rest,
      pagination: { ...pagination, total_items: (data as readonly unknown[]).length },
    })),
  },
  {
    id: 'nothing-counted-past-the-end',
    breaks: ['pagination.total-items.counts'],
    summary: 'A page past the end says that there are no items at all.',
    tamper: envelopes(everyList, ({ pagination, ...rest }) => ({
      ...rest,
      pagination:
        pagination && pagination.page > Math.max(1, pagination.total_pages)
          ? { ...pagination, total_items: 0, total_pages: 0 }
          : pagination,
    })),
  },
  {
    id: 'next-page-of-requests-counts-nothing',
    breaks: ['pagination.total-items.counts'],
    summary:
      'The page of requests right after the last says that there are none; others count them.',
    tamper: envelopes('rfq.list', ({ pagination, ...rest }) => ({
      ...rest,
      pagination:
        pagination?.page === (pagination?.total_pages ?? 0) + 1
          ? { ...pagination, total_items: 0, total_pages: 0 }
          : pagination,
    })),
  },
  {
    id: 'filtered-quotes-not-counted-past-the-end',
    breaks: ['pagination.total-items.counts'],
    summary: 'A page of filtered quotes past the end counts the quotes in every state.',
    tamper: envelopes('quote.list', ({ pagination, ...rest }, { query }) => ({
      ...rest,
      pagination:
        pagination && query['status'] !== undefined && pagination.page > pagination.total_pages
          ? { ...pagination, total_items: pagination.total_items + 1 }
          : pagination,
    })),
  },
  {
    id: 'total-items-drops-on-the-last-page',
    breaks: ['pagination.total-items.counts'],
    summary: 'The last of several pages counts one item too few.',
    tamper: envelopes(everyList, ({ pagination, ...rest }) => ({
      ...rest,
      pagination:
        pagination && pagination.page > 1 && pagination.page === pagination.total_pages
          ? { ...pagination, total_items: pagination.total_items - 1 }
          : pagination,
    })),
  },
  {
    id: 'total-items-less-in-threes',
    breaks: ['pagination.total-items.counts'],
    summary: 'In pages of three the last item is not counted.',
    tamper: rules(({ lists: own }) => ({
      lists: {
        pagination: (page, total) =>
          own.pagination(page, page.size === 3 && total > 3 ? total - 1 : total),
      },
    })),
  },
  {
    id: 'total-pages-rounded-down',
    breaks: ['pagination.total-pages.arithmetic'],
    summary: 'The number of pages is rounded down where the last page is not full.',
    tamper: rules(({ lists: own }) => ({
      lists: {
        pagination: (page, total) => ({
          ...own.pagination(page, total),
          total_pages: Math.floor(total / page.size),
        }),
      },
    })),
  },
  {
    id: 'total-pages-one-more-when-full',
    breaks: ['pagination.total-pages.arithmetic'],
    summary: 'Where the last page is full one page too many is counted.',
    tamper: rules(({ lists: own }) => ({
      lists: {
        pagination: (page, total) => ({
          ...own.pagination(page, total),
          total_pages: total === 0 ? 0 : Math.floor(total / page.size) + 1,
        }),
      },
    })),
  },
  {
    id: 'total-pages-for-the-usual-size',
    breaks: ['pagination.total-pages.arithmetic'],
    summary: 'The number of pages of requests is that of pages of twenty, whatever was asked for.',
    tamper: envelopes('rfq.list', ({ pagination, ...rest }) => ({
      ...rest,
      pagination: pagination && {
        ...pagination,
        total_pages: Math.ceil(pagination.total_items / 20),
      },
    })),
  },
  {
    id: 'page-number-always-one',
    breaks: ['pagination.page.as-asked'],
    summary: 'The list of requests says page 1 on every page.',
    tamper: envelopes('rfq.list', ({ pagination, ...rest }) => ({
      ...rest,
      pagination: { ...pagination, page: 1 },
    })),
  },
  {
    id: 'pages-half-full-when-filtered',
    breaks: ['pagination.page-size.full-before-last'],
    summary: 'A filter works on the page that was cut before: pages but the last are not full.',
    tamper: envelopes('quote.list', ({ data, pagination, ...rest }, { query }) => ({
      data:
        query.status !== undefined && pagination && pagination.page < pagination.total_pages
          ? (data as readonly unknown[]).slice(1)
          : data,
      pagination,
      ...rest,
    })),
  },
  {
    id: 'page-size-as-text',
    breaks: ['pagination.page-size.form'],
    summary: 'A page size that was asked for comes back as the text of the query.',
    tamper: envelopes('order.list', ({ pagination, ...rest }, { query }) => ({
      ...rest,
      pagination:
        query.page_size === undefined ? pagination : { ...pagination, page_size: query.page_size },
    })),
  },
  {
    id: 'total-items-null-when-filtered',
    breaks: ['pagination.total-items.form', 'pagination.total-items.present'],
    summary: 'A filtered list of own quotes does not count: total_items is null.',
    tamper: envelopes('quote.list', ({ pagination, ...rest }, { query }) => ({
      ...rest,
      pagination: query.status === undefined ? pagination : { ...pagination, total_items: null },
    })),
  },
  {
    id: 'total-pages-missing-for-makers',
    breaks: ['pagination.total-pages.present'],
    summary: 'The list of settlements does not say how many pages there are.',
    tamper: envelopes('settlement.list', ({ pagination, ...rest }) => ({
      ...rest,
      pagination: pagination && {
        page: pagination.page,
        page_size: pagination.page_size,
        total_items: pagination.total_items,
      },
    })),
  },
  {
    id: 'total-items-of-all-parties',
    breaks: ['pagination.total-items.counts', 'order.list.own-only'],
    summary: 'total_items of a list of orders counts the orders of all institutions.',
    tamper: envelopes('order.list', ({ pagination, ...rest }, { state, query, party }) => {
      if (!pagination || query.status !== undefined || party?.role !== 'institution')
        return { pagination, ...rest };
      const total = ordersOf(state).length;
      const pages = Math.ceil(total / pagination.page_size);
      return { ...rest, pagination: { ...pagination, total_items: total, total_pages: pages } };
    }),
  },
  {
    id: 'lists-end-after-two-pages',
    breaks: ['list.pages-complete', 'order.list.complete'],
    summary: 'A list of orders has at most forty items; what is older is not found any more.',
    tamper: lists('order.list', (context) => {
      const { query, party } = context;
      const own = ordersOf(context.state).filter(
        ({ senderPartyId, status }) =>
          senderPartyId === party?.partyId &&
          (query.status === undefined || query.status === status),
      );
      return party?.role === 'institution' && own.length > 40
        ? own.toReversed().slice(0, 40).map(viewsOf(context).order)
        : undefined;
    }),
  },
];
