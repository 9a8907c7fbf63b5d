import { orderOf, ordersOf, type Order, type Quote } from '../src/reference/core/index.ts';
import type { ResponseContext, WireAnswer } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import {
  answers,
  items,
  lists,
  orderAsked,
  orderIn,
  quotesOn,
  requests,
  shifted,
  viewsOf,
  without,
} from './tools.ts';

/** An answer with this for its data. */
const readAs = ({ now }: ResponseContext, data: unknown): WireAnswer => ({
  status: 200,
  headers: {},
  body: { data, meta: { request_id: `s-${now}`, timestamp: new Date(now).toISOString() } },
});

const ownQuotes = (context: ResponseContext): readonly Quote[] =>
  ordersOf(context.state)
    .flatMap(({ id }) => quotesOn(context, id))
    .filter(({ makerPartyId }) => makerPartyId === context.party?.partyId)
    .toSorted((one, other) => other.seq - one.seq);

const quotesWhere = (keep: (quote: Quote, context: ResponseContext) => boolean) =>
  lists('quote.list', (context) =>
    ownQuotes(context)
      .filter(
        (quote) =>
          (context.query.status === undefined || context.query.status === quote.status) &&
          keep(quote, context),
      )
      .map(viewsOf(context).ownQuote),
  );

const isLastOfItsMaker = (quote: Quote, context: ResponseContext): boolean =>
  quotesOn(context, quote.intentId).findLast(
    ({ makerPartyId }) => makerPartyId === quote.makerPartyId,
  )?.id === quote.id;

/** Own quotes and settlements, as endpoints of market makers (4.4). */
export const makerListMutations: readonly Written[] = [
  {
    id: 'own-quotes-end-after-two-pages',
    breaks: ['list.pages-complete'],
    summary: 'Own quotes are refused from the third page on.',
    tamper: answers('quote.list', (wire, { query }) =>
      Number(query.page ?? 1) >= 3
        ? { status: 404, headers: {}, body: { title: 'There is no such page', status: 404 } }
        : wire,
    ),
  },
  {
    id: 'last-own-quote-under-request',
    breaks: ['rfq.quotes.complete'],
    summary: 'Under a request a maker finds the last of its quotes only.',
    tamper: lists('rfq.quotes', (context) =>
      ownQuotes(context)
        .filter(({ intentId }) => intentId === context.params.intent_id)
        .slice(0, 1)
        .map(viewsOf(context).ownQuote),
    ),
  },
  {
    id: 'own-quotes-of-other-requests',
    breaks: ['rfq.quotes.only-that-request'],
    summary: 'Under a request a maker finds its pending quotes on all requests.',
    tamper: lists('rfq.quotes', (context) =>
      ownQuotes(context)
        .filter(
          ({ intentId, status }) => intentId === context.params.intent_id || status === 'PENDING',
        )
        .map(viewsOf(context).ownQuote),
    ),
  },
  {
    id: 'quotes-on-expired-orders-vanish',
    breaks: ['quote.list.complete'],
    summary: 'Quotes on expired orders leave the list of own quotes.',
    tamper: quotesWhere((quote, { state }) => orderOf(state, quote.intentId)?.status !== 'EXPIRED'),
  },
  {
    id: 'quotes-on-withdrawn-orders-vanish',
    breaks: ['quote.list.complete'],
    summary: 'Quotes on orders that the operator withdrew leave the list of own quotes.',
    tamper: quotesWhere(
      (quote, { state }) => orderOf(state, quote.intentId)?.failureReason !== 'OPERATOR_WITHDRAWN',
    ),
  },
  {
    id: 'earlier-quotes-on-a-request-vanish',
    breaks: ['quote.list.complete'],
    summary: 'The list of own quotes holds one quote for each request, the last.',
    tamper: quotesWhere(isLastOfItsMaker),
  },
  {
    id: 'pending-filter-holds-the-last',
    breaks: ['quote.list.status-filter.complete'],
    summary: 'Filtered by PENDING, the list of own quotes holds one for each request, the last.',
    tamper: quotesWhere(
      (quote, context) => context.query.status !== 'PENDING' || isLastOfItsMaker(quote, context),
    ),
  },
  {
    id: 'pending-filter-holds-accepted',
    breaks: ['quote.list.status-filter'],
    summary: 'Filtered by PENDING, the list of own quotes holds those that are accepted.',
    tamper: lists('quote.list', (context) =>
      context.query.status === 'PENDING'
        ? ownQuotes(context)
            .filter(({ status }) => status === 'PENDING' || status === 'ACCEPTED')
            .map(viewsOf(context).ownQuote)
        : undefined,
    ),
  },
  {
    id: 'rejected-filter-ignored',
    breaks: ['quote.list.status-filter'],
    summary: 'A filter of own quotes by REJECTED is ignored.',
    tamper: lists('quote.list', (context) =>
      context.query.status === 'REJECTED'
        ? ownQuotes(context).map(viewsOf(context).ownQuote)
        : undefined,
    ),
  },
  {
    id: 'accepted-filter-loses-settled',
    breaks: ['quote.list.status-filter.complete'],
    summary: 'Filtered by ACCEPTED, quotes whose orders have settled are missing.',
    tamper: quotesWhere(
      (quote, { query, state }) =>
        query.status !== 'ACCEPTED' || orderOf(state, quote.intentId)?.status !== 'SETTLED',
    ),
  },
  {
    id: 'expired-filter-finds-nothing',
    breaks: ['quote.list.status-filter.complete'],
    summary: 'Filtered by EXPIRED, the list of own quotes is empty.',
    tamper: quotesWhere((_quote, { query }) => query.status !== 'EXPIRED'),
  },
  {
    id: 'own-list-differs-from-request',
    breaks: ['quote.list.agrees-with-request'],
    summary: 'The list of own quotes shows deadlines a minute later than the request does.',
    tamper: items('quote.list', (item) => ({
      ...item,
      valid_until: shifted(item.valid_until, 60_000),
    })),
  },
  {
    id: 'settlements-against-rivals-not-listed',
    breaks: ['settlement.list.holds-won'],
    summary: 'Trades that were won against rivals are missing from the settlements.',
    tamper: lists('settlement.list', (context) =>
      settledFor(context)
        .filter(({ id }) => quotesOn(context, id).length < 2)
        .map((order) => settlementView(context, order)),
    ),
  },
  {
    id: 'settlements-listed-while-executing',
    breaks: ['settlement.list.settled-only'],
    summary: 'A trade is among the settlements as soon as its quote is accepted.',
    tamper: lists('settlement.list', (context) =>
      ordersOf(context.state)
        .filter(
          ({ status, accepted }) =>
            accepted?.makerPartyId === context.party?.partyId &&
            ['QUOTED', 'EXECUTING', 'SETTLED'].includes(status),
        )
        .toReversed()
        .map((order) => settlementView(context, order)),
    ),
  },
  {
    id: 'reverted-trades-among-settlements',
    breaks: ['settlement.list.failed-left-out', 'settlement.atomic'],
    summary: 'A trade whose settlement was reverted is among the settlements.',
    tamper: lists('settlement.list', (context) =>
      ordersOf(context.state)
        .filter(
          ({ settled, failureReason, accepted }) =>
            accepted?.makerPartyId === context.party?.partyId &&
            (settled !== undefined || failureReason === 'REVERT'),
        )
        .toReversed()
        .map((order) => settlementView(context, order)),
    ),
  },
  {
    id: 'settlement-read-answers-last',
    breaks: ['settlement.read.returns-that-settlement'],
    summary: 'A single settlement is always the last one of the maker.',
    tamper: requests('settlement.read', (request, { state }) => {
      const won = ordersOf(state).filter(
        ({ settled, accepted }) => settled && accepted?.makerPartyId === request.caller.partyId,
      );
      const last = won.at(-1);
      return last && won.some(({ id }) => id === request.params.intent_id)
        ? { ...request, params: { intent_id: last.id } }
        : undefined;
    }),
  },
  {
    id: 'settlement-read-differs-from-list',
    breaks: ['settlement.read.agrees-with-list'],
    summary: 'A single settlement gives the quoted amount in whole units.',
    tamper: items('settlement.read', (item) => ({
      ...item,
      mm_quoted_source_amount: String(item.mm_quoted_source_amount).replace(/\.\d+$/, ''),
    })),
  },
  {
    id: 'unknown-settlement-is-null',
    breaks: ['settlement.read.unknown-refused'],
    summary: 'An unknown settlement is answered with success and no content.',
    tamper: answers('settlement.read', (wire, context) =>
      wire.status === 404 && !orderAsked(context) ? { status: 204, headers: {} } : wire,
    ),
  },
  {
    id: 'pending-order-has-settlement',
    breaks: ['settlement.read.unsettled-refused'],
    summary: 'A bidder reads a settlement of zeros for an order that is pending.',
    tamper: answers('settlement.read', (wire, context) => {
      const order = orderAsked(context);
      return wire.status === 404 && order?.status === 'PENDING'
        ? readAs(context, settlementView(context, order))
        : wire;
    }),
  },
  {
    id: 'executing-order-has-settlement-without-hash',
    breaks: ['settlement.transaction-hash.present'],
    summary: 'The winner of a trade reads its settlement while that still runs, without its end.',
    tamper: answers('settlement.read', (wire, context) => {
      const order = orderAsked(context);
      const isWinner = order?.accepted?.makerPartyId === context.party?.partyId;
      return wire.status === 404 && order?.status === 'EXECUTING' && isWinner
        ? readAs(
            context,
            without({ ...settlementView(context, order) }, 'transaction_hash', 'settled_at'),
          )
        : wire;
    }),
  },
  {
    id: 'cancelled-order-has-settlement',
    breaks: ['settlement.atomic'],
    summary: 'The winner of a trade that was cancelled while QUOTED reads a settlement of it.',
    tamper: answers('settlement.read', (wire, context) => {
      const order = orderAsked(context);
      const isWinner = order?.accepted?.makerPartyId === context.party?.partyId;
      return wire.status === 404 && order?.failureReason === 'USER_CANCELLED' && isWinner
        ? readAs(context, settlementView(context, order))
        : wire;
    }),
  },
  {
    id: 'request-amount-less-what-was-quoted',
    breaks: ['rfq.target-amount.as-order'],
    summary: 'Once quoted, a request shows its amount without what was quoted already.',
    tamper: items(['rfq.read', 'rfq.list'], (item, context) => {
      const order = orderIn(context, item);
      return order && quotesOn(context, order.id).length > 1
        ? { ...item, target_amount: '0' }
        : item;
    }),
  },
];

const settledFor = (context: ResponseContext): readonly Order[] =>
  ordersOf(context.state)
    .filter(({ settled, accepted }) => settled && accepted?.makerPartyId === context.party?.partyId)
    .toReversed();

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
