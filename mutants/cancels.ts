import { byCustodian } from './defects/callers.ts';
import { statusIs } from './defects/conditions.ts';
import { forget, note } from './defects/outcomes.ts';
import { ordersBy, quotesOn } from './defects/reading.ts';
import { lost } from './defects/requests.ts';
import { isCancelled } from './defects/stored.ts';
import { type Json, whole } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

/** Cancelling orders, and listing their quotes (4.2). */
export const cancelMutations: readonly Written[] = [
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
];
