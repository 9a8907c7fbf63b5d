import { type Order, orderOf, quotesOf } from '../src/reference/core/index.ts';
import { statusIs } from './defects/conditions.ts';
import { byCustodian, byInstitution, isCancelled, quotesBy } from './defects/stored.ts';
import type { Asking, Request } from './defects/context.ts';
import { choosing } from './defects/lists.ts';
import { forget, note } from './defects/outcomes.ts';
import { orderIn, ordersBy, quotesOn, viewsOf } from './defects/reading.ts';
import { lost } from './defects/requests.ts';
import { type Json, text, whole, written } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

const hasLongMemo = ({ memo }: { readonly memo?: string | undefined }): boolean =>
  (memo?.length ?? 0) > 40;

/** Path of the quote's own order if an acceptance names another order of the same sender; undefined otherwise. */
function underItsOwnOrder({ order, quote, state }: Asking): { intent_id: string } | undefined {
  const home = quote && orderOf(state, quote.intentId);
  const isOther = order && home?.senderPartyId === order.senderPartyId && home.id !== order.id;
  return isOther ? { intent_id: home.id } : undefined;
}

/** Requests about orders (4.2, 4.3). */
export const orderRequestMutations: readonly Written[] = [
  // Creating, listing and reading orders (4.2, 4.3).
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
    .hideOrders(
      ({ id, status }, { state }) => status === 'PENDING' && quotesOf(state, id).length === 0,
      ({ party }) => party?.role === 'institution',
    ),
  mutation('order-of-one-custodian-not-listed', 'order.list.sender-custodian-included')
    .summary('An order whose two sides one custodian keeps is missing from its list.')
    .hideOrders(
      (order) => order.senderCustodianPartyId === order.receiverCustodianPartyId,
      ({ party }) => party?.role === 'custodian',
    ),
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
    .hideOrders(({ createdAt }, { now }) => createdAt <= now - 15 * 60_000),
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
    .hideOrders(
      ({ id }, { state }) => quotesOf(state, id).length >= 2,
      ({ query }) => query.status === 'SETTLED',
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
  mutation('filters-leave-out-received-orders', 'order.list.custodian-status-filter')
    .summary('Filtered by EXPIRED the list of a custodian leaves out orders that it receives.')
    .hideOrders(
      (order, { party }) => order.senderCustodianPartyId !== party?.partyId,
      ({ party, query }) => query.status === 'EXPIRED' && party?.role === 'custodian',
    ),
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
  // Cancelling orders, and listing their quotes (4.2).
  mutation('cancel-of-unknown-succeeds', 'order.cancel.unknown-refused')
    .summary('Cancelling what does not exist succeeds without content.')
    .acceptUnknown('order.cancel', 204),
  mutation('no-cancel-once-quoted-upon', 'order.cancel.pending-with-quotes')
    .summary('A pending order that has quotes cannot be cancelled.')
    .lost('order.cancel', ({ order, quotes }) => order?.status === 'PENDING' && quotes.length > 0),
  mutation('no-cancel-once-accepted', 'order.cancel.quoted')
    .summary('Only pending orders can be cancelled.')
    .rule('cancel', () => ({ from: ['PENDING'] })),
  mutation('no-cancel-with-lapsed-quote', 'order.cancel.pending-with-quotes')
    .summary('A pending order cannot be cancelled once a quote on it has lapsed.')
    .lost('order.cancel', ({ order, quotes }) => {
      return order?.status === 'PENDING' && quotes.some(statusIs('EXPIRED'));
    }),
  mutation('cancel-of-quoted-for-a-moment-only', 'order.cancel.quoted')
    .summary('A QUOTED order can be cancelled in the first tenth of a second only.')
    .lost('order.cancel', ({ order, now }) => {
      const { status, accepted } = order ?? {};
      return status === 'QUOTED' && accepted && now - accepted.acceptedAt > 100;
    }),
  mutation('no-cancel-with-rejected-rivals', 'order.cancel.quoted')
    .summary('A QUOTED order whose acceptance rejected other quotes cannot be cancelled.')
    .lost('order.cancel', ({ quotes }) => quotes.some(statusIs('REJECTED'))),
  mutation('no-cancel-after-custodian-accepted', 'order.cancel.quoted')
    .summary('An order whose quote the custodian accepted cannot be cancelled by the sender.')
    .together(
      note('quote.accept', ({ caller, order }) => caller.role === 'custodian' && order?.id),
      lost('order.cancel', ({ params, memory }) => memory.has(params.intent_id ?? '')),
    ),
  mutation('no-cancel-of-quoted-with-one-custodian', 'order.cancel.quoted')
    .summary('A QUOTED order with one custodian for both sides cannot be cancelled.')
    .ignored('order.cancel', ({ order }) => {
      const { status, senderCustodianPartyId, receiverCustodianPartyId } = order ?? {};
      return status === 'QUOTED' && senderCustodianPartyId === receiverCustodianPartyId;
    }),
  mutation('cancel-while-executing', 'order.cancel.executing-refused')
    .summary('An order can be cancelled while its settlement runs.')
    .rule('cancel', (cancel) => ({ from: [...cancel.from, 'EXECUTING'] })),
  mutation('cancel-of-settled-answers-success', 'order.cancel.settled-refused')
    .summary('Cancelling a settled order is answered with the order as it is.')
    .grant('order.cancel', ({ order, caller, state }) => {
      const isOwn = order?.status === 'SETTLED' && order.senderPartyId === caller.partyId;
      return isOwn && state.world.policy.views.order(order);
    }),
  mutation('cancel-fails-an-expired-order', 'order.cancel.expired-stays')
    .also('order.state.expired-absorbs')
    .summary('Cancelling an expired order makes it FAILED.')
    .rule('cancel', (cancel) => ({ from: [...cancel.from, 'EXPIRED'] })),
  mutation('cancelled-request-stays-open', 'order.cancel.request-closes')
    .summary('A request whose order was cancelled stays on the list of makers.')
    .rule('rfqs', ({ isActive }) => ({
      isActive: (order) => isActive(order) || (isCancelled(order) && !order.accepted),
    })),
  mutation('cancelled-order-lapses-with-its-quote', 'event.in-order')
    .summary("The timer of an accepted quote's deadline outlives a cancel, and tells of an expiry.")
    .tellMoreWhenDue('quote-expiry', (_, { order, deadline: { intentId, quoteId } }) => {
      const { accepted, failureReason, senderPartyId: to = '' } = order ?? {};
      const isOver = failureReason === 'USER_CANCELLED' && accepted?.quoteId === quoteId;
      const data = { intent_id: intentId, status: 'EXPIRED' };
      return isOver && [{ to, event: 'order_updated', intentId, data }];
    }),
  mutation('refused-cancel-still-stops-settlement', 'error.refusal-changes-nothing')
    .also('order.state.executing-to-settled')
    .summary('A cancel of an executing order is refused, and the settlement stops all the same.')
    .together(
      note('order.cancel', ({ order, caller }) => {
        return order?.status === 'EXECUTING' && order.senderPartyId === caller.partyId && order.id;
      }),
      forget('settlement-leg', ({ order, memory }) => memory.has(order?.id ?? '')),
    ),
  mutation('quotes-of-the-order-before', 'order.quotes.only-that-order')
    .summary('The quotes of an order hold those on the other open orders of its sender.')
    .listQuotes((context) => {
      const { order } = context;
      return ordersBy(context, order?.senderPartyId)
        .filter(({ status, id }) => status === 'PENDING' || id === order?.id)
        .flatMap(({ id }) => quotesOn(context, id));
    }),
  mutation('quotes-of-one-maker-each', 'order.quotes.complete')
    .summary('The quotes of an order hold the last one of two makers at most.')
    .listQuotes(({ quotes }) => quotes.slice(0, 2)),
  mutation('newest-twenty-quotes-alone', 'order.quotes.complete')
    .also('quote.submit.shown-to-order-side')
    .summary('Of more than twenty quotes on an order the oldest are on no page.')
    .listQuotes(({ quotes }) => quotes.slice(-20)),
  mutation('oldest-of-many-quotes-unusable', 'service.sender-custodian-accepts')
    .summary('Of more than twenty quotes on an order the oldest cannot be accepted.')
    .ignored('quote.accept', ({ quote, quotes }) => {
      return quote && !quotes.slice(-20).some(({ id }) => id === quote.id);
    }),
  mutation('quotes-vanish-once-accepted', 'order.quotes.complete')
    .summary('After an acceptance only the accepted quote is listed for a custodian.')
    .listQuotes(({ party, order, quotes }) => {
      return party?.role === 'custodian' && order?.accepted && quotes.filter(statusIs('ACCEPTED'));
    }),
  mutation('quotes-vanish-with-a-cancel', 'order.quotes.complete')
    .summary('An order that was cancelled lists no quotes.')
    .listQuotes(({ order }) => isCancelled(order) && []),
  mutation('no-quotes-is-not-found', 'order.quotes.empty-without-quotes')
    .summary('The quotes of an order that has none are not found.')
    .replace('order.quotes', ({ body }) => {
      const data = (body as Json | undefined)?.data;
      const isEmpty = Array.isArray(data) && data.length === 0;
      return isEmpty && { status: 404, headers: {}, body: { code: 'not_found' } };
    }),
  mutation('custodian-sees-other-amounts', 'order.quotes.custodian-sees-same')
    .summary('A custodian sees the source amounts of quotes in whole units.')
    .when(byCustodian)
    .change('order.quotes', 'source_amount', whole),
  // Accepting quotes (4.2); the answer to a custodian, and proposals (4.3).
  mutation('acceptance-wants-a-body', 'quote.accept.no-body-needed', 'service.sender-accepts')
    .summary('An acceptance is refused unless it names the quote in a body as well.')
    .lost('quote.accept', ({ body }) => body === undefined),
  mutation('acceptance-returns-the-quote', 'quote.accept.returns-order')
    .summary('An acceptance returns the quote in place of the order.')
    .items('quote.accept', (item, context) => {
      const { quote, party } = context;
      return quote && party?.role === 'institution' ? viewsOf(context).quote(quote) : item;
    }),
  mutation('acceptance-without-rate', 'quote.accept.returns-fx-rate')
    .summary('The order that an acceptance returns has no rate yet.')
    .dropWhen('quote.accept', byInstitution, 'fx_rate'),
  mutation('acceptance-without-winner', 'quote.accept.returns-market-maker')
    .summary('The order that an acceptance returns names no market maker yet.')
    .drop('quote.accept', 'market_maker_party_id'),
  mutation('best-quote-taken-instead', 'quote.accept.selects-named-quote')
    .summary('The best of the pending quotes is accepted, whichever was named.')
    .setParams('quote.accept', ({ quotes, params }) => {
      const pending = quotes.filter(statusIs('PENDING'));
      const best = pending.toSorted((one, other) => +one.cost - +other.cost)[0];
      return best && pending.some(({ id }) => id === params.quote_id) && { quote_id: best.id };
    }),
  mutation('latest-of-a-maker-taken-instead', 'quote.accept.selects-named-quote')
    .summary("Of a maker's two quotes the later is accepted, whichever was named.")
    .setParams('quote.accept', ({ quote, quotes }) => {
      const pending = quotes.filter(statusIs('PENDING'));
      const last = quotesBy(quote?.makerPartyId, pending).at(-1);
      return last && { quote_id: last.id };
    }),
  mutation('lapsed-quote-stands-for-its-makers-other', 'order.accept.expired-quote-refused')
    .summary('Who accepts a quote that has lapsed gets another one of its maker that has not.')
    .setParams('quote.accept', ({ quote, quotes }) => {
      const pending = quotes.filter(statusIs('PENDING'));
      const [other] = quotesBy(quote?.makerPartyId, pending);
      return quote?.status === 'EXPIRED' && other && { quote_id: other.id };
    }),
  mutation('unknown-quote-takes-the-only-one', 'quote.accept.unknown-quote-refused')
    .summary('An unknown quote_id accepts the only quote there is.')
    .setParams('quote.accept', ({ quotes, params }) => {
      const [only, ...others] = quotes;
      return only && others.length === 0 && only.id !== params.quote_id && { quote_id: only.id };
    }),
  mutation('quote-of-own-other-order-accepted', 'quote.accept.quote-of-other-order-refused')
    .summary("A quote on one order can be accepted under another of the sender's orders.")
    .setParams('quote.accept', underItsOwnOrder),
  mutation('custodian-accepts-quote-of-other-order', 'quote.accept.quote-of-other-order-refused')
    .summary('A custodian may accept a quote on one order under another of the same sender.')
    .setParams('quote.accept', (context) => {
      return context.caller.role === 'custodian' && underItsOwnOrder(context);
    }),
  mutation('order-in-path-ignored-on-acceptance', 'quote.accept.unknown-order-refused')
    .summary('Only the quote in the path counts: any intent_id will do.')
    .setParams('quote.accept', (at) => !at.order && at.quote && { intent_id: at.quote.intentId }),
  mutation('closed-two-seconds-before-the-end', 'order.expires-at.acceptable-until')
    .summary('In the last two seconds of an order none of its quotes is found to accept.')
    .setParams('quote.accept', ({ order, now }) => {
      const isLate = order?.status === 'PENDING' && order.expiresAt - now < 2_000;
      return isLate && { quote_id: order.id };
    }),
  mutation('accepted-rate-through-a-float', 'order.fx-rate.of-accepted-quote')
    .summary('A settled order is read with the rate that a float makes of its own.')
    .when(statusIs('SETTLED'))
    .change('order.read', 'fx_rate', (value) => String(Number(value))),
  mutation('custodian-answer-without-rate', 'custodian-acceptance.fx-rate.present')
    .summary("The answer to a custodian's acceptance has no rate.")
    .dropWhen('quote.accept', byCustodian, 'fx_rate'),
  mutation('custodian-answer-without-moment', 'custodian-acceptance.quote-accepted-at.present')
    .summary("The answer to a custodian's acceptance does not say when.")
    .dropWhen('quote.accept', byCustodian, 'quote_accepted_at'),
  mutation('custodian-answer-names-no-quote', 'custodian-acceptance.quote-id.present')
    .summary("The answer to a custodian's acceptance does not name the quote.")
    .dropWhen('quote.accept', byCustodian, 'quote_id'),
  mutation('custodian-answer-says-accepted', 'quote.accept.custodian-returns-quoted')
    .also('custodian-acceptance.status.form')
    .summary("The answer to a custodian's acceptance has the status of the quote.")
    .setWhen('quote.accept', byCustodian, { status: 'ACCEPTED' }),
  mutation('custodian-answer-amount-number', 'custodian-acceptance.source-amount-actual.form')
    .also('convention.amounts-as-strings')
    .summary("The answer to a custodian's acceptance has its amount as a JSON number.")
    .when(byCustodian)
    .change('quote.accept', 'source_amount_actual', Number),
  mutation('custodian-answer-with-other-moment', 'quote.accept.custodian-answer-agrees')
    .summary("The answer to a custodian's acceptance gives a moment that the order does not show.")
    .when(byCustodian)
    .change('quote.accept', 'quote_accepted_at', (value) => value.replace(/\.\d+Z$/, '.999Z')),
  mutation('custodian-acceptance-never-settles', 'quote.accept.custodian-order-settles')
    .summary('Nothing starts the settlement of an order whose quote the custodian accepted.')
    .outcomes('quote.accept', (_, { caller }) => caller.role === 'custodian' && { deadlines: [] }),
  mutation('proposal-refused-to-everybody', 'proposal.accept.by-sender-custodian')
    .summary('The custodian of the sender may not accept a proposal: nobody may.')
    .allow('proposal.accept'),
  mutation('proposal-of-unknown-accepted', 'proposal.accept.unknown-refused')
    .summary('The proposal of an unknown order is accepted, without content.')
    .acceptUnknown('proposal.accept', 204),
  mutation('proposal-makes-quoted', 'proposal.accept.order-stays-legal')
    .summary('An order whose proposal was accepted reads as QUOTED.')
    .when(statusIs('PENDING'), (_, { order }) => order?.proposalAccepted)
    .set(['proposal.accept', 'order.read', 'order.list'], { status: 'QUOTED' }),
  mutation('proposal-rewrites-the-maximum', 'proposal.accept.order-stays-legal')
    .also('order.source-amount-max.unchanged')
    .summary('Accepting a proposal fills the maximum up to whole hundreds.')
    .storeOrder(({ proposalAccepted, sourceAmountMax }, before) => {
      const isNew = proposalAccepted && !before?.proposalAccepted;
      return isNew && { sourceAmountMax: `${sourceAmountMax.split('.')[0] ?? ''}99` };
    }),
  mutation('custodian-cannot-limit-its-stream', 'stream.intent-filter.for-custodian')
    .summary('A stream that is limited to one order is opened for institutions alone.')
    .ignored('order.events', ({ party, query }) => {
      return party?.role === 'custodian' && query.intent_id !== undefined;
    }),
  mutation('memo-extended-in-events', 'order.memo.unchanged')
    .summary('order_updated of a settled order carries another memo.')
    .setPayload('order_updated', ({ status, memo }) => {
      return status === 'SETTLED' && memo !== undefined && { memo: `${text(memo)} (settled)` };
    }),
];

/** Another id: its first digit is another one. */
const flipped = (id: string): string => `${id.startsWith('0') ? '1' : '0'}${id.slice(1)}`;

const unfiltered = ({ query }: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'status'));
