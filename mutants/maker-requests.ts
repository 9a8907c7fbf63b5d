import { ordersOf, quotesOf } from '../src/reference/core/index.ts';
import { isPending, statusIs } from './defects/conditions.ts';
import { makersIn, ordersBy, quotesOn, viewsOf } from './defects/reading.ts';
import { type Json, shifted, written } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

/** Requests for quote and submissions, as endpoints of market makers (4.4). */
export const makerRequestMutations: readonly Written[] = [
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
      const { quotes, party, params } = context;
      const own = quotes.some(({ makerPartyId }) => makerPartyId === party?.partyId);
      const open = ordersOf(context.state).filter(statusIs('PENDING'));
      const other = open.findLast(({ id }) => id !== params.intent_id);
      return own && other ? viewsOf(context).rfqItem(other) : item;
    }),
  mutation('unknown-request-reads-as-empty', 'rfq.read.unknown-refused')
    .summary('An unknown request is answered without content.')
    .acceptUnknown('rfq.read', 204),
  mutation('request-read-expires-elsewhere', 'rfq.read.agrees-with-list')
    .summary('A single request expires five seconds later than the listed one.')
    .change('rfq.read', 'expires_at', (value) => shifted(value, 5_000)),
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
];
