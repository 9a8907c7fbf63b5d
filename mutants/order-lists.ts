import { type Order, quotesOf } from '../src/reference/core/index.ts';
import { statusIs } from './defects/conditions.ts';
import type { Request } from './defects/context.ts';
import { choosing } from './defects/lists.ts';
import { orderIn, ordersBy } from './defects/reading.ts';
import { type Json, written } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const hasLongMemo = ({ memo }: { readonly memo?: string | undefined }): boolean =>
  (memo?.length ?? 0) > 40;

/** Creating, listing and reading orders (4.2, 4.3). */
export const orderListMutations: readonly Written[] = [
  mutation('created-order-not-readable-at-once', 'order.create.readable-afterwards')
    .summary('An order can be read five seconds after its creation only.')
    .lost('order.read', ({ order, now }) => order && now - order.createdAt < 5_000),
  mutation('long-memo-listed-twice', 'order.create.once')
    .summary('An order with a memo of more than forty characters is listed twice, under two ids.')
    .listOrders(({ ownOrders, fits }) => {
      const twice = (order: Order) =>
        hasLongMemo(order) ? [order, { ...order, id: `${order.id.slice(0, -4)}abcd` }] : [order];
      const own = ownOrders.filter(fits);
      return own.some(hasLongMemo) && own.flatMap(twice);
    }),
  mutation('created-order-listed-once-quoted', 'order.create.listed-afterwards')
    .also('order.list.complete')
    .summary('An order is in the list of its sender once it has a quote.')
    .listOrders(({ ownOrders, party, fits, state }) => {
      const isQuoted = ({ id, status }: Order) =>
        status !== 'PENDING' || quotesOf(state, id).length > 0;
      return party?.role === 'institution' && ownOrders.filter(fits).filter(isQuoted);
    }),
  mutation('order-of-one-custodian-not-listed', 'order.list.sender-custodian-included')
    .summary('An order whose two sides one custodian keeps is missing from its list.')
    .listOrders(({ ownOrders, party, fits }) => {
      const isOfTwo = (order: Order) =>
        order.senderCustodianPartyId !== order.receiverCustodianPartyId;
      return party?.role === 'custodian' && ownOrders.filter(fits).filter(isOfTwo);
    }),
  mutation('creation-answers-intent-id-alone', 'order.create.returns-order')
    .summary('A creation answers with id and status alone.')
    .items('order.create', ({ intent_id, status }) => ({ intent_id, status })),
  mutation('creation-without-id', 'order.create.assigns-intent-id')
    .summary('A creation answers with the order without its id, which the list shows.')
    .drop('order.create', 'intent_id'),
  mutation('creation-doubles-while-one-is-open', 'order.create.once')
    .summary('A creation while another order of the sender is open is listed twice.')
    .envelopes('order.list', ({ data, ...rest }, context) => {
      const own = data as readonly Json[];
      const twin = own.find((item) => {
        const { senderPartyId, status, seq = 0 } = orderIn(context, item) ?? {};
        const older = ordersBy(context, senderPartyId).filter((one) => one.seq < seq);
        return status === 'PENDING' && older.some(statusIs('PENDING'));
      });
      const doubled = twin && { ...twin, intent_id: flipped(String(twin.intent_id)) };
      return { ...rest, data: doubled ? [...own, doubled] : own };
    }),
  mutation('list-forgets-after-a-quarter-of-an-hour', 'order.list.complete')
    .also('order.list.sender-custodian-included')
    .summary('Orders that were created over a quarter of an hour ago are on no list any more.')
    .listOrders(({ ownOrders, fits, now }) =>
      ownOrders.filter((order) => fits(order) && order.createdAt > now - 15 * 60_000),
    ),
  mutation('filter-by-failed-finds-expired-too', 'order.list.status-filter')
    .summary('Filtered by FAILED, the list holds expired orders as well.')
    .listOrdersFiltered('FAILED', ({ ownOrders }) =>
      ownOrders.filter(statusIs('FAILED', 'EXPIRED')),
    ),
  mutation('filter-by-pending-finds-accepted', 'order.list.status-filter')
    .summary('Filtered by PENDING, the list still holds orders that are QUOTED.')
    .listOrdersFiltered('PENDING', ({ ownOrders }) =>
      ownOrders.filter(statusIs('PENDING', 'QUOTED')),
    ),
  mutation('filter-loses-orders-with-rivals', 'order.list.status-filter.complete')
    .summary('Filtered by SETTLED, orders with more than one quote are missing.')
    .listOrdersFiltered('SETTLED', ({ ownOrders, fits, state }) =>
      ownOrders.filter((order) => fits(order) && quotesOf(state, order.id).length < 2),
    ),
  mutation('filter-forgets-what-settled-long-ago', 'order.list.status-filter.complete')
    .summary('Filtered by SETTLED, the list holds the orders of the last half minute.')
    .listOrdersFiltered('SETTLED', ({ ownOrders, now }) =>
      ownOrders.filter(({ settled }) => settled && now - settled.at < 30_000),
    ),
  mutation('filter-finds-nothing-expired', 'order.list.status-filter.complete')
    .summary('Filtered by EXPIRED, the list is empty.')
    .listOrdersFiltered('EXPIRED', () => []),
  mutation('filter-by-executing-ignored', 'order.list.status-filter')
    .summary('A filter by EXECUTING is ignored.')
    .listOrdersFiltered('EXECUTING', ({ ownOrders }) => ownOrders),
  mutation('filtered-totals-of-the-whole-list', 'order.list.status-filter.totals')
    .also('pagination.total-items.counts')
    .summary('Filtered lists of orders give the totals of the whole list.')
    .setPagination('order.list', ({ page_size: size }, context) => {
      const total = choosing(context).ownOrders.length;
      const pages = Math.ceil(total / size);
      return context.query.status !== undefined && { total_items: total, total_pages: pages };
    }),
  mutation('custodian-filter-ignored', 'order.list.custodian-status-filter')
    .summary("A filter has no effect on a custodian's list.")
    .requests('order.list', (request, { caller }) => {
      return caller.role === 'custodian' && { ...request, query: unfiltered(request) };
    }),
  mutation('second-page-forgets-the-filter', 'order.list.status-filter')
    .summary('The filter is lost on the way to the second page.')
    .requests('order.list', (request, { query }) => {
      return Number(query.page ?? 1) > 1 && { ...request, query: unfiltered(request) };
    }),
  mutation('list-shows-rounded-amounts', 'order.list.agrees-with-read')
    .summary('Lists show the actual amount rounded to whole units.')
    .change('order.list', 'source_amount_actual', (value) => value.replace(/\.\d+$/, '.00')),
  mutation('unknown-order-reads-as-empty', 'order.read.unknown-refused')
    .summary('An unknown order is answered with success and an empty object.')
    .replace('order.read', ({ status }, { order, now }) => {
      const meta = { request_id: `r-${now}`, timestamp: written(now) };
      return status === 404 && !order && { status: 200, headers: {}, body: { data: {}, meta } };
    }),
];

/** Another id: its first digit is another one. */
const flipped = (id: string): string => `${id.startsWith('0') ? '1' : '0'}${id.slice(1)}`;

const unfiltered = ({ query }: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'status'));
