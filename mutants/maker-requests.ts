import {
  type Order,
  type PartyRecord,
  type Quote,
  ordersOf,
  quotesOf,
} from '../src/reference/core/index.ts';
import type { ResponseContext, WireAnswer } from '../src/reference/http/index.ts';
import { isPending, quotedTimes, statusIs } from './defects/conditions.ts';
import { hasQuoted, isCancelled, isCancelledQuoted, quotesBy } from './defects/stored.ts';
import type { Answering } from './defects/context.ts';
import type { Choosing } from './defects/lists.ts';
import { makersIn, ordersBy, quotesOn, viewsOf } from './defects/reading.ts';
import { type Json, shifted, without, written } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

const isLastOfItsMaker = (quote: Quote, context: ResponseContext): boolean =>
  quotesOn(context, quote.intentId).findLast(
    ({ makerPartyId }) => makerPartyId === quote.makerPartyId,
  )?.id === quote.id;

const isWonBy =
  (maker: PartyRecord | undefined) =>
  ({ accepted }: Order): boolean =>
    accepted !== undefined && accepted.makerPartyId === maker?.partyId;

const isExecutingFor = (order: Order, maker: PartyRecord | undefined): boolean =>
  order.status === 'EXECUTING' && isWonBy(maker)(order);

/** Some of the orders on which a quote of the caller was accepted, as settlements. */
const won =
  (keep: (order: Order, all: Choosing) => unknown) =>
  (all: Choosing): readonly unknown[] =>
    all.orders
      .filter((order) => isWonBy(all.party)(order) && keep(order, all))
      .map((order) => settlementView(all, order));

/** An order that has not settled is read as a settlement, without some fields. */
const unsettled =
  (isRead: (order: Order, maker: PartyRecord | undefined) => boolean, ...left: string[]) =>
  ({ status }: WireAnswer, context: Answering): WireAnswer | false => {
    const { order, party, now } = context;
    if (status !== 404 || !order || !isRead(order, party)) return false;
    const data = without({ ...settlementView(context, order) }, ...left);
    const meta = { request_id: `s-${now}`, timestamp: written(now) };
    return { status: 200, headers: {}, body: { data, meta } };
  };

/** Endpoints of market makers (4.4). */
export const makerRequestMutations: readonly Written[] = [
  // Requests for quote and submissions, as endpoints of market makers (4.4).
  mutation('one-request-of-each-institution-listed', 'rfq.list.complete')
    .also('rfq.list.holds-new-request')
    .summary('The list of requests holds one request of each institution, the newest.')
    .listRequests((order, context) => {
      const open = ordersBy(context, order.senderPartyId).filter(statusIs('PENDING'));
      return open.at(-1)?.id === order.id;
    }),
  mutation('requests-vanish-once-quoted-by-a-rival', 'rfq.list.still-listed-once-quoted')
    .also('rfq.list.complete')
    .summary('A request leaves the list of all makers once one has quoted.')
    .listRequests((one, all) => isPending(one) && quotesOn(all, one.id).length === 0),
  mutation('large-requests-for-first-maker', 'rfq.list.same-for-every-maker')
    .summary('Large requests are listed for the first market maker only.')
    .listRequests(({ status, targetAmount }, { party, ...context }) => {
      const isForAll = +targetAmount < 1_000 || makersIn(context)[0] === party?.partyId;
      return status === 'PENDING' && isForAll;
    }),
  mutation('requests-without-those-of-proposals', 'rfq.list.holds-new-request')
    .also('rfq.list.complete')
    .summary('A request whose proposal was accepted is no longer listed.')
    .listRequests((order) => isPending(order) && !order.proposalAccepted),
  mutation('accepted-request-stays-until-settled', 'rfq.list.accepted-order-left')
    .summary('A request stays listed until its order has settled.')
    .listRequests(statusIs('PENDING', 'QUOTED', 'EXECUTING')),
  mutation('withdrawn-request-stays-listed', 'rfq.list.failed-order-left')
    .summary('The request of an order that the operator has withdrawn stays listed.')
    .listRequests((order) => isPending(order) || order.failureReason === 'OPERATOR_WITHDRAWN'),
  mutation('expired-request-stays-listed', 'rfq.list.expired-order-left')
    .summary('An expired request that was quoted stays listed.')
    .listRequests(({ status, accepted, id }, { state }) => {
      const isLeft = status === 'EXPIRED' && !accepted && quotesOf(state, id).length > 0;
      return status === 'PENDING' || isLeft;
    }),
  mutation('request-read-answers-newest', 'rfq.read.returns-that-request')
    .summary('A maker that has quoted reads another open request in place of the one it asked for.')
    .items('rfq.read', (item, context) => {
      const { params } = context;
      const open = ordersOf(context.state).filter(statusIs('PENDING'));
      const other = open.findLast(({ id }) => id !== params.intent_id);
      return hasQuoted(context) && other ? viewsOf(context).rfqItem(other) : item;
    }),
  mutation('unknown-request-reads-as-empty', 'rfq.read.unknown-refused')
    .summary('An unknown request is answered without content.')
    .acceptUnknown('rfq.read', 204),
  mutation('request-read-expires-elsewhere', 'rfq.read.agrees-with-list')
    .summary('A single request expires five seconds later than the listed one.')
    .change('rfq.read', 'expires_at', (value) => shifted(value, 5_000)),
  mutation('lapsed-makers-read-the-maximum', 'rfq.target-amount.as-order')
    .also('rfq.read.agrees-with-list')
    .summary('A maker whose quote has lapsed reads its request with the maximum for an amount.')
    .set('rfq.read', (_, { order, quotes, party }) => {
      const isLapsed = quotesBy(party?.partyId, quotes).some(statusIs('EXPIRED'));
      return order?.status === 'PENDING' && isLapsed && { target_amount: order.sourceAmountMax };
    }),
  mutation('submission-answered-200', 'quote.submit.status-201')
    .summary('A submission is answered with 200.')
    .rule('http', () => ({ quoteCreated: 200 })),
  mutation('second-submission-answered-200', 'quote.submit.status-201')
    .summary('A submission on a request that has quotes already is answered with 200.')
    .setAnswer('quote.submit', ({ status }, { quotes }) => {
      return status === 201 && quotes.length > 1 && { status: 200 };
    }),
  mutation('submission-answered-202', 'quote.submit.status-201')
    .summary('A submission is answered with 202, as it is handled later.')
    .setAnswer('quote.submit', ({ status }) => status === 201 && { status: 202 }),
  mutation('quotes-of-third-maker-hidden', 'quote.submit.shown-to-order-side')
    .also('order.quotes.complete')
    .summary('The order side sees the quotes of two makers only.')
    .listQuotes(({ quotes }) => {
      const makers = [...new Set(quotes.map(({ makerPartyId }) => makerPartyId))].slice(0, 2);
      return quotes.filter(({ makerPartyId }) => makers.includes(makerPartyId));
    }),
  mutation('unknown-request-takes-quotes', 'quote.submit.unknown-request-refused')
    .summary('A quote on an unknown request is answered with 202 and forgotten.')
    .acceptUnknown('quote.submit', 202),
  mutation('cancelled-request-takes-quotes', 'order.cancel.request-closes')
    .also('rfq.list.accepted-order-left')
    .summary('A request counts as active though its order was cancelled: it is listed as well.')
    .rule('rfqs', (rfqs) => ({
      isActive: (order) => rfqs.isActive(order) || order.failureReason === 'USER_CANCELLED',
    })),
  mutation('expired-request-takes-quotes', 'quote.submit.expired-request-refused')
    .summary('A request can be quoted for ten seconds after it has expired.')
    .grant(
      'quote.submit',
      ({ order, body, now }) => {
        if (order?.status !== 'EXPIRED' || order.accepted) return undefined;
        const { fx_rate, target_amount, valid_until } = body as Json;
        const ids = { quote_id: order.id, intent_id: order.id, submitted_at: written(now) };
        const data = { ...ids, fx_rate, target_amount, valid_until, status: 'PENDING' };
        return now < order.expiresAt + 10_000 && data;
      },
      201,
    ),
  // Own quotes and settlements, as endpoints of market makers (4.4).
  mutation('own-quotes-end-after-two-pages', 'list.pages-complete')
    .summary('Own quotes are refused from the third page on.')
    .replace('quote.list', (_, { query }) => {
      const body = { title: 'There is no such page', status: 404 };
      return Number(query.page ?? 1) >= 3 && { status: 404, headers: {}, body };
    }),
  mutation('last-own-quote-under-request', 'rfq.quotes.complete')
    .summary('Under a request a maker finds the last of its quotes only.')
    .listOwnQuotes('rfq.quotes', ({ ownQuotes, params }) =>
      ownQuotes.filter(({ intentId }) => intentId === params.intent_id).slice(0, 1),
    ),
  mutation('lost-quotes-vanish-with-a-cancel', 'rfq.quotes.complete')
    .summary('Under a request that was cancelled once QUOTED a maker that lost finds no quotes.')
    .listOwnQuotes('rfq.quotes', ({ order, party }) => {
      return order && isCancelledQuoted(order) && !isWonBy(party)(order) && [];
    }),
  mutation('own-quotes-of-other-requests', 'rfq.quotes.only-that-request')
    .summary('Under a request a maker finds its pending quotes on all requests.')
    .listOwnQuotes('rfq.quotes', ({ ownQuotes, params: { intent_id: id } }) =>
      ownQuotes.filter(({ intentId, status }) => intentId === id || status === 'PENDING'),
    ),
  mutation('quotes-on-expired-orders-vanish', 'quote.list.complete')
    .summary('Quotes on expired orders leave the list of own quotes.')
    .hideOwnQuotes((_, order) => order?.status === 'EXPIRED'),
  mutation('quotes-on-withdrawn-orders-vanish', 'quote.list.complete')
    .summary('Quotes on orders that the operator withdrew leave the list of own quotes.')
    .hideOwnQuotes((_, order) => order?.failureReason === 'OPERATOR_WITHDRAWN'),
  mutation('earlier-quotes-on-a-request-vanish', 'quote.list.complete')
    .summary('The list of own quotes holds one quote for each request, the last.')
    .hideOwnQuotes((quote, _, context) => !isLastOfItsMaker(quote, context)),
  mutation('pending-filter-holds-the-last', 'quote.list.status-filter.complete')
    .summary('Filtered by PENDING, the list of own quotes holds one for each request, the last.')
    .hideOwnQuotes((quote, _, context) => {
      return context.query.status === 'PENDING' && !isLastOfItsMaker(quote, context);
    }),
  mutation('pending-filter-holds-accepted', 'quote.list.status-filter')
    .summary('Filtered by PENDING, the list of own quotes holds those that are accepted.')
    .listOwnQuotes('quote.list', ({ ownQuotes, query }) => {
      return query.status === 'PENDING' && ownQuotes.filter(statusIs('PENDING', 'ACCEPTED'));
    }),
  mutation('rejected-filter-ignored', 'quote.list.status-filter')
    .summary('A filter of own quotes by REJECTED is ignored.')
    .listOwnQuotes('quote.list', (all) => all.query.status === 'REJECTED' && all.ownQuotes),
  mutation('accepted-filter-loses-settled', 'quote.list.status-filter.complete')
    .summary('Filtered by ACCEPTED, quotes whose orders have settled are missing.')
    .hideOwnQuotes((_, order, { query }) => {
      return query.status === 'ACCEPTED' && order?.status === 'SETTLED';
    }),
  mutation('expired-filter-finds-nothing', 'quote.list.status-filter.complete')
    .summary('Filtered by EXPIRED, the list of own quotes is empty.')
    .hideOwnQuotes((_quote, _order, { query }) => query.status === 'EXPIRED'),
  mutation('own-list-differs-from-request', 'quote.list.agrees-with-request')
    .summary('The list of own quotes shows deadlines a minute later than the request does.')
    .change('quote.list', 'valid_until', (value) => shifted(value, 60_000)),
  mutation('settlements-against-rivals-not-listed', 'settlement.list.holds-won')
    .summary('Trades that were won against rivals are missing from the settlements.')
    .lists(
      'settlement.list',
      won((one, all) => one.settled && quotesOn(all, one.id).length < 2),
    ),
  mutation('settlements-listed-while-executing', 'settlement.list.settled-only')
    .summary('A trade is among the settlements as soon as its quote is accepted.')
    .lists('settlement.list', won(statusIs('QUOTED', 'EXECUTING', 'SETTLED'))),
  mutation('reverted-trades-among-settlements', 'settlement.list.failed-left-out')
    .also('settlement.atomic')
    .summary('A trade whose settlement was reverted is among the settlements.')
    .lists(
      'settlement.list',
      won((one) => one.settled ?? one.failureReason === 'REVERT'),
    ),
  mutation('settlement-read-answers-last', 'settlement.read.returns-that-settlement')
    .summary('A single settlement is always the last one of the maker.')
    .setParams('settlement.read', ({ state, caller, params }) => {
      const own = ordersOf(state).filter((order) => order.settled && isWonBy(caller)(order));
      return own.some(({ id }) => id === params.intent_id) && { intent_id: own.at(-1)?.id ?? '' };
    }),
  mutation('settlement-read-differs-from-list', 'settlement.read.agrees-with-list')
    .summary('A single settlement gives the quoted amount in whole units.')
    .change('settlement.read', 'mm_quoted_source_amount', (value) => value.replace(/\.\d+$/, '')),
  mutation('unknown-settlement-is-null', 'settlement.read.unknown-refused')
    .summary('An unknown settlement is answered with success and no content.')
    .acceptUnknown('settlement.read', 204),
  mutation('pending-order-has-settlement', 'settlement.read.unsettled-refused')
    .summary('A bidder reads a settlement of zeros for an order that is pending.')
    .replace('settlement.read', unsettled(statusIs('PENDING'))),
  mutation('executing-order-has-settlement-without-hash', 'settlement.transaction-hash.present')
    .summary('The winner of a trade reads its settlement while that still runs, without its end.')
    .replace('settlement.read', unsettled(isExecutingFor, 'transaction_hash', 'settled_at')),
  mutation('cancelled-order-has-settlement', 'settlement.atomic')
    .summary('The winner of a trade that was cancelled while QUOTED reads a settlement of it.')
    .replace(
      'settlement.read',
      unsettled((one, maker) => isCancelled(one) && isWonBy(maker)(one)),
    ),
  mutation('request-amount-less-what-was-quoted', 'rfq.target-amount.as-order')
    .summary('Once quoted, a request shows its amount without what was quoted already.')
    .setWhen(['rfq.read', 'rfq.list'], quotedTimes(2), { target_amount: '0' }),
];

/** An order as a settlement of its market maker, whether it has settled or not. */
const settlementView = (context: ResponseContext, order: Order): object =>
  viewsOf(context).settlement({
    id: order.id,
    seq: 0,
    quoteId: order.accepted?.quoteId ?? order.id,
    makerPartyId: order.accepted?.makerPartyId ?? '',
    sourceCurrency: order.sourceCurrency,
    targetCurrency: order.targetCurrency,
    sourceAmount: order.accepted?.sourceAmount ?? '0.00',
    targetAmount: order.targetAmount,
    quotedSourceAmount: order.accepted?.sourceAmount ?? '0.00',
    rate: order.accepted?.rate ?? '1',
    transactionHash: order.settled?.transactionHash ?? '00'.repeat(32),
    settledAt: order.settled?.at ?? context.now,
  });
