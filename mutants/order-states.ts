import { orderOf } from '../src/reference/core/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import { setWhen } from './defects/answers.ts';
import { byCustodian } from './defects/callers.ts';
import { noted, statusIs } from './defects/conditions.ts';
import type { Asking } from './defects/context.ts';
import { forget } from './defects/outcomes.ts';
import { storeOrder } from './defects/policy.ts';
import { orderReads, ordersBy, quotesOn } from './defects/reading.ts';
import { requests } from './defects/requests.ts';
import { acceptedAt, isCancelledQuoted } from './defects/stored.ts';
import { mutation, type Written } from './mutation.ts';

const isUnderWay = statusIs('QUOTED', 'EXECUTING');

/** Orders that show PENDING again after a request at a moment that the implementer forgot. */
const reopenedBy = (endpoint: EndpointName, isForgotten: (context: Asking) => unknown) => [
  requests([endpoint, 'order.cancel'], (request, context) => {
    const { memory, now, params } = context;
    const id = params.intent_id ?? '';
    if (request.endpoint === 'order.cancel') memory.set(`cancelled ${id}`, now);
    else if (isForgotten(context)) memory.set(id, 'reopened');
    return undefined;
  }),
  setWhen(orderReads, noted, { status: 'PENDING' }),
];

/** Defects in the states of orders (3.1), and in requests that cross a transition. */
export const orderStateMutations: readonly Written[] = [
  mutation('orders-start-quoted', 'order.state.starts-pending', 'order.create.returns-pending')
    .summary('A creation answers with an order that is QUOTED already.')
    .set('order.create', { status: 'QUOTED' }),
  mutation('accepted-order-stays-pending', 'order.state.pending-to-quoted')
    .also('quote.accept.returns-quoted')
    .summary('The answer to an acceptance shows the order as it was before.')
    .set('quote.accept', { status: 'PENDING' }),
  mutation('accepted-order-skips-quoted', 'order.state.pending-to-quoted')
    .also('order.state.listed-transitions-only')
    .summary('When a custodian accepts, the order is EXECUTING at once.')
    .setWhen('quote.accept', byCustodian, { status: 'EXECUTING' }),
  mutation('settlement-not-started-among-three', 'order.state.quoted-to-executing')
    .also('service.order-to-settlement')
    .summary('Settlement of an order never starts where three makers have quoted.')
    .unplanned('settlement-start', ({ quotes }) => quotes.length > 2),
  mutation('last-leg-forgotten-for-second-order', 'order.state.executing-to-settled')
    .summary('With two settlements running the later one never completes.')
    .unplanned('settlement-leg', ({ deadline: { leg }, order, ...context }) => {
      const running = ordersBy(context, order?.senderPartyId).filter(statusIs('EXECUTING'));
      return leg === 4 && running.length > 1 && running.at(-1)?.id === order?.id;
    }),
  mutation('orders-never-expire', 'order.state.pending-to-expired')
    .summary('An order that nobody quoted does not expire.')
    .deadline((deadline, context) =>
      deadline.kind === 'order-expiry' && quotesOn(context, deadline.intentId).length === 0
        ? { ...deadline, at: deadline.at + 3_600_000 }
        : deadline,
    ),
  mutation('late-quote-stops-expiry', 'order.state.pending-to-expired.though-quoted')
    .summary('A quote that comes later than five seconds after its order takes away its expiry.')
    .forget('order-expiry', ({ order, quotes }) => {
      const { createdAt = Infinity } = order ?? {};
      return quotes.some(({ submittedAt }) => submittedAt > createdAt + 5_000);
    }),
  mutation('two-lapsed-quotes-stop-expiry', 'order.state.pending-to-expired.though-quoted')
    .also('order.state.pending-to-expired')
    .summary('An order of whose quotes two have lapsed does not expire.')
    .forget('order-expiry', ({ quotes }) => quotes.filter(statusIs('EXPIRED')).length > 1),
  mutation('accepted-proposal-stops-expiry', 'order.state.pending-to-expired')
    .summary('An order whose proposal was accepted does not expire.')
    .forget('order-expiry', ({ order }) => order?.proposalAccepted),
  mutation('quoted-requests-never-expire', 'order.state.pending-to-expired.though-quoted')
    .summary('An order with quotes stays PENDING beyond its deadline.')
    .forget('order-expiry', ({ quotes }) => quotes.length > 0),
  mutation('orders-expire-a-second-early', 'order.state.pending-to-expired.not-early')
    .summary('Orders expire a second before expires_at.')
    .showOrders(({ expiresAt }) => ({ expiresAt: expiresAt + 1_000 })),
  mutation('quoted-order-fails-with-its-quote', 'order.state.quoted-to-expired')
    .summary('A QUOTED order whose quote lapses before settlement is FAILED.')
    .storeOrder((after, before) => {
      return before?.status === 'QUOTED' && after.status === 'EXPIRED' && { status: 'FAILED' };
    }),
  mutation('quoted-order-outlives-its-quote', 'order.state.quoted-to-expired')
    .summary('A quote that lapses between acceptance and settlement settles all the same.')
    .together(
      storeOrder(({ accepted, expiresAt }, before) => {
        const isNew = accepted && !before?.accepted;
        return isNew && { accepted: { ...accepted, validUntil: expiresAt + 60_000 } };
      }),
      forget('quote-expiry', ({ order }) => order?.status === 'QUOTED'),
    ),
  mutation('rival-that-lapses-stops-the-settlement', 'order.state.quoted-to-executing')
    .also('order.state.executing-to-settled')
    .summary('Settlement does not begin where a rival quote has lapsed since the acceptance.')
    .forget('settlement-start', ({ order, quotes, deadline }) => {
      return quotes.some(({ validUntil: end }) => end > acceptedAt(order) && end <= deadline.at);
    }),
  mutation('accepted-order-ends-at-expiry', 'order.state.accepted-outlives-expires-at')
    .summary('An order in execution expires with its own deadline.')
    .command((command, { state }) => {
      if (command.type !== 'due' || command.deadline.kind !== 'settlement-leg') return command;
      const { expiresAt = Infinity } = orderOf(state, command.deadline.intentId) ?? {};
      const kind = command.deadline.at > expiresAt ? 'settlement-window' : 'settlement-leg';
      return { ...command, deadline: { ...command.deadline, kind } };
    }),
  mutation('invalid-order-stays-pending', 'order.state.pending-to-failed')
    .summary('A failed validation is logged and the order goes on.')
    .deadline((deadline) => (deadline.kind === 'order-validation' ? undefined : deadline)),
  mutation('reverted-order-expires', 'order.state.executing-to-failed')
    .also('order.state.listed-transitions-only')
    .summary('An order whose settlement reverts ends EXPIRED.')
    .rule('settlement', () => ({ revert: { state: 'EXPIRED', reason: 'REVERT' } })),
  mutation('reverted-order-is-pending-again', 'order.state.executing-to-failed')
    .summary('An order whose settlement reverts can be quoted again.')
    .rule('settlement', () => ({ revert: { state: 'PENDING', reason: undefined } })),
  mutation('cancelled-quoted-order-is-pending-again', 'order.state.cancel-ends-order')
    .summary('A cancelled QUOTED order goes back to PENDING.')
    .storeOrder((after) => isCancelledQuoted(after) && { status: 'PENDING' }),
  mutation('late-proposal-reopens-settled', 'proposal.accept.order-stays-legal')
    .summary('A settled order reads as PENDING once its proposal is accepted again.')
    .together(...reopenedBy('proposal.accept', ({ order }) => order?.status === 'SETTLED')),
  mutation('late-proposal-reopens-accepted', 'proposal.accept.order-stays-legal')
    .summary('An accepted order reads as PENDING once its proposal is accepted again.')
    .together(...reopenedBy('proposal.accept', ({ order }) => order && isUnderWay(order))),
  mutation('quote-beside-acceptance-undoes-it', 'order.state.executing-to-settled')
    .summary("A rival's quote that comes at the moment of an acceptance leaves the order PENDING.")
    .together(...reopenedBy('quote.submit', ({ order, now }) => acceptedAt(order) === now)),
  mutation('quote-beside-cancel-revives', 'order.state.cancel-ends-order')
    .summary('A quote that comes at the moment of a cancel leaves the order PENDING.')
    .together(
      ...reopenedBy('quote.submit', ({ order, now, memory }) => {
        return order && memory.get(`cancelled ${order.id}`) === now;
      }),
    ),
];
