import { orderOf, ordersOf } from '../src/reference/core/index.ts';
import type { ResponseContext } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import {
  answers,
  envelopes,
  items,
  type Json,
  lists,
  orderIn,
  ordersBy,
  quotesOn,
  requests,
  text,
  viewsOf,
  without,
} from './tools.ts';

/** The orders that the caller of a list has a part in, newest first, as its filter wants them. */
const ownOrders = ({ state, party, query }: ResponseContext) =>
  ordersOf(state)
    .filter(
      (order) =>
        [
          order.senderPartyId,
          order.senderCustodianPartyId,
          order.receiverCustodianPartyId,
        ].includes(party?.partyId) &&
        (query.status === undefined || query.status === order.status),
    )
    .toReversed();

const hasLongMemo = ({ memo }: { readonly memo?: string | undefined }): boolean =>
  (memo?.length ?? 0) > 40;

/** Creating, listing and reading orders (4.2, 4.3). */
export const orderListMutations: readonly Written[] = [
  {
    id: 'created-order-not-readable-at-once',
    breaks: ['order.create.readable-afterwards'],
    summary: 'An order can be read five seconds after its creation only.',
    tamper: requests('order.read', (request, { state, now }) => {
      const order = orderOf(state, request.params.intent_id ?? '');
      return order && now - order.createdAt < 5_000 ? { ...request, params: {} } : undefined;
    }),
  },
  {
    id: 'long-memo-listed-twice',
    breaks: ['order.create.once'],
    summary: 'An order with a memo of more than forty characters is listed twice, under two ids.',
    tamper: lists('order.list', (context) => {
      const own = ownOrders(context);
      if (!own.some(hasLongMemo)) return undefined;
      return own
        .flatMap((order) =>
          hasLongMemo(order) ? [order, { ...order, id: `${order.id.slice(0, -4)}abcd` }] : [order],
        )
        .map((order) => viewsOf(context).order(order));
    }),
  },
  {
    id: 'created-order-listed-once-quoted',
    breaks: ['order.create.listed-afterwards', 'order.list.complete'],
    summary: 'An order is in the list of its sender once it has a quote.',
    tamper: lists('order.list', (context) =>
      context.party?.role === 'institution'
        ? ownOrders(context)
            .filter(({ id, status }) => status !== 'PENDING' || quotesOn(context, id).length > 0)
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'order-of-one-custodian-not-listed',
    breaks: ['order.list.sender-custodian-included'],
    summary: 'An order whose two sides one custodian keeps is missing from its list.',
    tamper: lists('order.list', (context) =>
      context.party?.role === 'custodian'
        ? ownOrders(context)
            .filter((order) => order.senderCustodianPartyId !== order.receiverCustodianPartyId)
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'creation-answers-intent-id-alone',
    breaks: ['order.create.returns-order'],
    summary: 'A creation answers with id and status alone.',
    tamper: items('order.create', ({ intent_id, status }) => ({ intent_id, status })),
  },
  {
    id: 'creation-without-id',
    breaks: ['order.create.assigns-intent-id'],
    summary: 'A creation answers with the order without its id, which the list shows.',
    tamper: items('order.create', (item) => without(item, 'intent_id')),
  },
  {
    id: 'creation-doubles-while-one-is-open',
    breaks: ['order.create.once'],
    summary: 'A creation while another order of the sender is open is listed twice.',
    tamper: envelopes('order.list', ({ data, pagination, ...rest }, context) => {
      const own = data as readonly Json[];
      const twin = own.find((item) => {
        const order = orderIn(context, item);
        return (
          order?.status === 'PENDING' &&
          ordersBy(context, order.senderPartyId).some(
            ({ seq, status }) => seq < order.seq && status === 'PENDING',
          )
        );
      });
      const doubled = twin
        ? [...own, { ...twin, intent_id: flipped(String(twin.intent_id)) }]
        : own;
      return { ...rest, pagination, data: doubled };
    }),
  },
  {
    id: 'list-forgets-after-a-quarter-of-an-hour',
    breaks: ['order.list.complete', 'order.list.sender-custodian-included'],
    summary: 'Orders that were created over a quarter of an hour ago are on no list any more.',
    tamper: lists('order.list', (context) =>
      ownOrders(context)
        .filter(({ createdAt }) => createdAt > context.now - 15 * 60_000)
        .map(viewsOf(context).order),
    ),
  },
  {
    id: 'filter-by-failed-finds-expired-too',
    breaks: ['order.list.status-filter'],
    summary: 'Filtered by FAILED, the list holds expired orders as well.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'FAILED'
        ? ownOrders({ ...context, query: {} })
            .filter(({ status }) => status === 'FAILED' || status === 'EXPIRED')
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'filter-by-pending-finds-accepted',
    breaks: ['order.list.status-filter'],
    summary: 'Filtered by PENDING, the list still holds orders that are QUOTED.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'PENDING'
        ? ownOrders({ ...context, query: {} })
            .filter(({ status }) => status === 'PENDING' || status === 'QUOTED')
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'filter-loses-orders-with-rivals',
    breaks: ['order.list.status-filter.complete'],
    summary: 'Filtered by SETTLED, orders with more than one quote are missing.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'SETTLED'
        ? ownOrders(context)
            .filter(({ id }) => quotesOn(context, id).length < 2)
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'filter-forgets-what-settled-long-ago',
    breaks: ['order.list.status-filter.complete'],
    summary: 'Filtered by SETTLED, the list holds the orders of the last half minute.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'SETTLED'
        ? ownOrders(context)
            .filter(({ settled }) => settled && context.now - settled.at < 30_000)
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'filter-finds-nothing-expired',
    breaks: ['order.list.status-filter.complete'],
    summary: 'Filtered by EXPIRED, the list is empty.',
    tamper: lists('order.list', (context) => (context.query.status === 'EXPIRED' ? [] : undefined)),
  },
  {
    id: 'filter-by-executing-ignored',
    breaks: ['order.list.status-filter'],
    summary: 'A filter by EXECUTING is ignored.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'EXECUTING'
        ? ownOrders({ ...context, query: {} }).map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'filtered-totals-of-the-whole-list',
    breaks: ['order.list.status-filter.totals', 'pagination.total-items.counts'],
    summary: 'Filtered lists of orders give the totals of the whole list.',
    tamper: envelopes('order.list', (envelope, context) => {
      const { pagination } = envelope;
      if (!pagination || context.query.status === undefined) return envelope;
      const total = ownOrders({ ...context, query: {} }).length;
      return {
        ...envelope,
        pagination: {
          ...pagination,
          total_items: total,
          total_pages: Math.ceil(total / pagination.page_size),
        },
      };
    }),
  },
  {
    id: 'custodian-filter-ignored',
    breaks: ['order.list.custodian-status-filter'],
    summary: "A filter has no effect on a custodian's list.",
    tamper: requests('order.list', (request) =>
      request.caller.role === 'custodian' && request.query.status !== undefined
        ? { ...request, query: withoutStatus(request.query) }
        : undefined,
    ),
  },
  {
    id: 'second-page-forgets-the-filter',
    breaks: ['order.list.status-filter'],
    summary: 'The filter is lost on the way to the second page.',
    tamper: requests('order.list', (request) =>
      request.query.status !== undefined && Number(request.query.page ?? 1) > 1
        ? { ...request, query: withoutStatus(request.query) }
        : undefined,
    ),
  },
  {
    id: 'list-shows-rounded-amounts',
    breaks: ['order.list.agrees-with-read'],
    summary: 'Lists show the actual amount rounded to whole units.',
    tamper: items('order.list', (item) =>
      item.source_amount_actual === undefined
        ? item
        : {
            ...item,
            source_amount_actual: text(item.source_amount_actual).replace(/\.\d+$/, '.00'),
          },
    ),
  },
  {
    id: 'unknown-order-reads-as-empty',
    breaks: ['order.read.unknown-refused'],
    summary: 'An unknown order is answered with success and an empty object.',
    tamper: answers('order.read', (wire, { params, state, now }) =>
      wire.status === 404 && orderOf(state, params.intent_id ?? '') === undefined
        ? {
            status: 200,
            headers: {},
            body: {
              data: {},
              meta: { request_id: `r-${now}`, timestamp: new Date(now).toISOString() },
            },
          }
        : wire,
    ),
  },
];

/** Another id: its first digit is another one. */
const flipped = (id: string): string => `${id.startsWith('0') ? '1' : '0'}${id.slice(1)}`;

function withoutStatus(query: Readonly<Record<string, string>>): Record<string, string> {
  const { status: _, ...rest } = query;
  return rest;
}
