import { orderOf, ordersOf, type Order, type Quote } from '../../core/index.ts';
import type { ResponseContext } from '../../server/index.ts';
import type { Written } from './mutation.ts';
import {
  answers,
  items,
  lists,
  orderAsked,
  orderIn,
  quotesOn,
  requests,
  rules,
  shifted,
  viewsOf,
} from './tools.ts';

/** Requests as the list of makers has them, but only some. */
const requestsWhere = (keep: (order: Order, context: ResponseContext) => boolean) =>
  lists('rfq.list', (context) =>
    ordersOf(context.state)
      .filter((order) => order.status === 'PENDING' && keep(order, context))
      .toReversed()
      .map(viewsOf(context).rfqItem),
  );

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

/** The endpoints of market makers (4.4). */
export const makerEndpointMutations: readonly Written[] = [
  {
    id: 'one-request-of-each-institution-listed',
    breaks: ['rfq.list.complete', 'rfq.list.holds-new-request'],
    summary: 'The list of requests holds one request of each institution, the newest.',
    tamper: requestsWhere(
      (order, { state }) =>
        ordersOf(state).findLast(
          ({ status, senderPartyId }) =>
            status === 'PENDING' && senderPartyId === order.senderPartyId,
        )?.id === order.id,
    ),
  },
  {
    id: 'requests-vanish-once-quoted-by-a-rival',
    breaks: ['rfq.list.still-listed-once-quoted', 'rfq.list.complete'],
    summary: 'A request leaves the list of all makers once one has quoted.',
    tamper: requestsWhere((order, context) => quotesOn(context, order.id).length === 0),
  },
  {
    id: 'large-requests-for-first-maker',
    breaks: ['rfq.list.same-for-every-maker'],
    summary: 'Large requests are listed for the first market maker only.',
    tamper: requestsWhere(
      (order, { party, parties }) =>
        +order.targetAmount < 1_000 ||
        parties.find(({ role }) => role === 'market-maker')?.partyId === party?.partyId,
    ),
  },
  {
    id: 'requests-without-those-of-proposals',
    breaks: ['rfq.list.holds-new-request', 'rfq.list.complete'],
    summary: 'A request whose proposal was accepted is no longer listed.',
    tamper: requestsWhere((order) => !order.proposalAccepted),
  },
  {
    id: 'accepted-request-stays-until-settled',
    breaks: ['rfq.list.accepted-order-left'],
    summary: 'A request stays listed until its order has settled.',
    tamper: lists('rfq.list', (context) =>
      ordersOf(context.state)
        .filter(({ status }) => ['PENDING', 'QUOTED', 'EXECUTING'].includes(status))
        .toReversed()
        .map(viewsOf(context).rfqItem),
    ),
  },
  {
    id: 'expired-request-stays-listed',
    breaks: ['rfq.list.expired-order-left'],
    summary: 'An expired request that was quoted stays listed.',
    tamper: lists('rfq.list', (context) =>
      ordersOf(context.state)
        .filter(
          ({ id, status, accepted }) =>
            status === 'PENDING' ||
            (status === 'EXPIRED' && !accepted && quotesOn(context, id).length > 0),
        )
        .toReversed()
        .map(viewsOf(context).rfqItem),
    ),
  },
  {
    id: 'request-read-answers-newest',
    breaks: ['rfq.read.returns-that-request'],
    summary: 'A maker that has quoted reads another open request in place of the one it asked for.',
    tamper: items('rfq.read', (item, context) => {
      const order = orderAsked(context);
      const own = quotesOn(context, order?.id ?? '').some(
        ({ makerPartyId }) => makerPartyId === context.party?.partyId,
      );
      const other = ordersOf(context.state).findLast(
        ({ id, status }) => status === 'PENDING' && id !== order?.id,
      );
      return own && other ? viewsOf(context).rfqItem(other) : item;
    }),
  },
  {
    id: 'unknown-request-reads-as-empty',
    breaks: ['rfq.read.unknown-refused'],
    summary: 'An unknown request is answered without content.',
    tamper: answers('rfq.read', (wire, context) =>
      wire.status === 404 && !orderAsked(context) ? { status: 204, headers: {} } : wire,
    ),
  },
  {
    id: 'request-read-expires-elsewhere',
    breaks: ['rfq.read.agrees-with-list'],
    summary: 'A single request expires five seconds later than the listed one.',
    tamper: items('rfq.read', (item) => ({ ...item, expires_at: shifted(item.expires_at, 5_000) })),
  },
  {
    id: 'submission-answered-200',
    breaks: ['quote.submit.status-201'],
    summary: 'A submission is answered with 200.',
    tamper: rules(() => ({ http: { quoteCreated: 200 } })),
  },
  {
    id: 'second-submission-answered-200',
    breaks: ['quote.submit.status-201'],
    summary: 'A submission on a request that has quotes already is answered with 200.',
    tamper: answers('quote.submit', (wire, context) =>
      wire.status === 201 && quotesOn(context, context.params.intent_id ?? '').length > 1
        ? { ...wire, status: 200 }
        : wire,
    ),
  },
  {
    id: 'submission-answered-202',
    breaks: ['quote.submit.status-201'],
    summary: 'A submission is answered with 202, as it is handled later.',
    tamper: answers('quote.submit', (wire) =>
      wire.status === 201 ? { ...wire, status: 202 } : wire,
    ),
  },
  {
    id: 'quotes-of-third-maker-hidden',
    breaks: ['quote.submit.shown-to-order-side', 'order.quotes.complete'],
    summary: 'The order side sees the quotes of two makers only.',
    tamper: lists('order.quotes', (context) => {
      const all = quotesOn(context, context.params.intent_id ?? '');
      const makers = [...new Set(all.map(({ makerPartyId }) => makerPartyId))].slice(0, 2);
      return all
        .filter(({ makerPartyId }) => makers.includes(makerPartyId))
        .toReversed()
        .map(viewsOf(context).quote);
    }),
  },
  {
    id: 'unknown-request-takes-quotes',
    breaks: ['quote.submit.unknown-request-refused'],
    summary: 'A quote on an unknown request is answered with 202 and forgotten.',
    tamper: answers('quote.submit', (wire, context) =>
      wire.status === 404 && !orderAsked(context) ? { status: 202, headers: {} } : wire,
    ),
  },
  {
    id: 'cancelled-request-takes-quotes',
    breaks: ['quote.submit.closed-request-refused'],
    summary: 'A request can be quoted though its order was cancelled.',
    tamper: rules(({ rfqs }) => ({
      rfqs: {
        isActive: (order) => rfqs.isActive(order) || order.failureReason === 'USER_CANCELLED',
      },
    })),
  },
  {
    id: 'expired-request-takes-quotes',
    breaks: ['quote.submit.expired-request-refused'],
    summary: 'A request can be quoted for ten seconds after it has expired.',
    tamper: () => ({
      outcome: (outcome, command, { state, now }) => {
        if (command.type !== 'request' || command.endpoint !== 'quote.submit') return outcome;
        const order = orderOf(state, command.params.intent_id ?? '');
        const late =
          order?.status === 'EXPIRED' && !order.accepted && now < order.expiresAt + 10_000;
        if (!late || outcome.reply?.ok !== false) return outcome;
        const { fx_rate, target_amount, valid_until } = command.body as Record<string, unknown>;
        const data = {
          quote_id: order.id,
          intent_id: order.id,
          fx_rate,
          target_amount,
          submitted_at: new Date(now).toISOString(),
          valid_until,
          status: 'PENDING',
        };
        return { ...outcome, reply: { ok: true, status: 201, data } };
      },
    }),
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
    id: 'earlier-quotes-on-a-request-vanish',
    breaks: ['quote.list.complete'],
    summary: 'The list of own quotes holds one quote for each request, the last.',
    tamper: quotesWhere(
      (quote, context) =>
        quotesOn(context, quote.intentId).findLast(
          ({ makerPartyId }) => makerPartyId === quote.makerPartyId,
        )?.id === quote.id,
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
        ? {
            status: 200,
            headers: {},
            body: {
              data: settlementView(context, order),
              meta: {
                request_id: `s-${context.now}`,
                timestamp: new Date(context.now).toISOString(),
              },
            },
          }
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
