import { orderOf } from '../src/reference/core/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import { type ItemContext, setWhen } from './defects/answers.ts';
import { noted, orderEndedAs, orderIs, quotedTimes, statusIs } from './defects/conditions.ts';
import { acceptedAt, byCustodian, isCancelledQuoted } from './defects/stored.ts';
import type { Asking } from './defects/context.ts';
import { forget, note } from './defects/outcomes.ts';
import { rules, storeOrder } from './defects/policy.ts';
import { orderReads, ordersBy, termsOf } from './defects/reading.ts';
import { requests } from './defects/requests.ts';
import { written } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

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

const isEnded = statusIs('FAILED', 'EXPIRED');

/** True if the time that a settlement takes has passed since the acceptance. */
const isFourSecondsOn = (_: unknown, { order, now }: ItemContext): boolean =>
  now > acceptedAt(order) + 4_000;

/** States of orders (3.1). */
export const orderStateMutations: readonly Written[] = [
  // Defects in the states of orders (3.1), and in requests that cross a transition.
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
    .delayed('order-expiry', 3_600_000, ({ quotes }) => quotes.length === 0),
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
    .unplanned('order-validation', () => true),
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
  mutation('proposal-beside-acceptance-undoes-it', 'order.state.executing-to-settled')
    .also('service.order-to-settlement', 'order.state.listed-transitions-only')
    .summary('A proposal that is accepted at the moment of a quote leaves the order PENDING.')
    .together(...reopenedBy('proposal.accept', ({ order, now }) => acceptedAt(order) === now)),
  mutation('late-proposal-stops-expiry', 'order.state.pending-to-expired.though-quoted')
    .summary('An order whose proposal is accepted once it has quotes does not expire.')
    .together(
      note('proposal.accept', ({ order, quotes }) => quotes.length > 0 && order?.id),
      forget('order-expiry', ({ deadline, memory }) => memory.has(deadline.intentId)),
    ),
  // Defects in ended orders, and in acceptances at the wrong time (3.1).
  mutation('settled-order-fails-at-window', 'order.state.settled-absorbs')
    .summary('The end of the settlement window fails orders that have settled.')
    .when((_, { order, now }) => order?.settled && now - order.settled.at > 26_000)
    .set(orderReads, { status: 'FAILED' }),
  mutation('expired-order-fails-later', 'order.state.expired-absorbs')
    .summary('An expired order reads as FAILED ten seconds later.')
    .when(orderIs('EXPIRED'), (_, { order, now }) => order && now - order.expiresAt > 10_000)
    .set(orderReads, { status: 'FAILED' }),
  mutation('cancelled-order-expires-later', 'order.state.failed-absorbs')
    .summary('A cancelled order reads as EXPIRED once its deadline has passed.')
    .when(orderIs('FAILED'), (_, { order, now }) => order && now > order.expiresAt)
    .set(orderReads, { status: 'EXPIRED' }),
  mutation('proposal-reopens-ended-orders', 'order.state.failed-absorbs')
    .summary('Accepting the proposal of an order that has ended makes it PENDING again.')
    .together(
      note('proposal.accept', ({ order }) => order && isEnded(order) && order.id),
      setWhen(orderReads, noted, { status: 'PENDING' }),
    ),
  mutation('first-quote-makes-quoted', 'quote.submit.order-stays-pending')
    .also('order.state.quote-needed')
    .summary('An order reads as QUOTED as soon as it has a quote.')
    .when(statusIs('PENDING'), quotedTimes(1))
    .set(orderReads, { status: 'QUOTED' }),
  mutation('third-quote-makes-quoted', 'quote.submit.order-stays-pending')
    .summary('An order is listed as QUOTED once three makers have quoted.')
    .when(statusIs('PENDING'), quotedTimes(3))
    .set('order.list', { status: 'QUOTED' }),
  mutation('list-lags-behind-executing', 'order.list.agrees-with-read', 'order.list.status-filter')
    .summary('Lists go on showing QUOTED while an order executes.')
    .setWhen('order.list', statusIs('EXECUTING'), { status: 'QUOTED' }),
  mutation('custodian-sees-settled-as-executing', 'order.state.views-agree')
    .also('order.read.custodian-sees-same')
    .summary('A custodian reads settled orders as EXECUTING.')
    .when(byCustodian, statusIs('SETTLED'))
    .set('order.read', { status: 'EXECUTING', transaction_hash: undefined, settled_at: undefined }),
  mutation('cancel-ends-the-other-order', 'order.cancel.only-that-order')
    .also('order.state.other-orders-untouched')
    .summary('Of two pending orders of a sender a cancel ends the one created first.')
    .setParams('order.cancel', (context) => {
      const pending = ordersBy(context, context.caller.partyId).filter(statusIs('PENDING'));
      const named = pending.findIndex(({ id }) => id === context.params.intent_id);
      const before = pending[named - 1];
      return before && { intent_id: before.id };
    }),
  mutation('acceptance-touches-older-order', 'order.state.other-orders-untouched')
    .summary('Accepting on one order moves expires_at of the older open order of the sender.')
    .when(orderIs('PENDING'), (_, context) => {
      const { senderPartyId, seq = 0 } = context.order ?? {};
      return ordersBy(context, senderPartyId).some((one) => one.seq > seq && one.accepted);
    })
    .set(orderReads, (_, { order }) => order && { expires_at: written(order.expiresAt - 5_000) }),
  mutation('cancelled-while-quoted-settles', 'order.cancel.never-settles')
    .also('order.state.failed-absorbs')
    .summary('The settlement of an order that was cancelled while QUOTED completes all the same.')
    .when(orderEndedAs('USER_CANCELLED'), isFourSecondsOn)
    .set(orderReads, (_, { order }) => ({
      failure_reason: undefined,
      status: 'SETTLED',
      transaction_hash: 'cd'.repeat(32),
      settled_at: written(acceptedAt(order) + 4_000),
    })),
  mutation('expired-order-accepts', 'order.accept.expired-order-refused')
    .summary('Accepting a quote on an expired order succeeds, where the quote is still valid.')
    .grant('quote.accept', ({ order, quote, state, now }) => {
      if (order?.status !== 'EXPIRED' || order.accepted || !quote) return undefined;
      const accepted = { ...termsOf(quote), acceptedAt: now };
      const { views } = state.world.policy;
      return quote.validUntil > now && views.order({ ...order, status: 'QUOTED', accepted });
    }),
  mutation('settled-order-accepts-again', 'order.accept.settled-order-refused')
    .summary('Accepting a rival quote on a settled order is answered with the order, as if done.')
    .grant('quote.accept', ({ order, state }) => {
      return order?.status === 'SETTLED' && state.world.policy.views.order(order);
    }),
  mutation('cancelled-order-accepts', 'order.accept.cancelled-order-refused')
    .summary('A quote can be accepted on a cancelled order.')
    .rule('accept', (accept) => ({ from: [...accept.from, 'FAILED'] })),
  mutation('expired-quote-accepted', 'order.accept.expired-quote-refused')
    .summary('A quote can be accepted up to five seconds after its deadline.')
    .together(
      rules(({ accept, time }) => ({
        accept: { ...accept, quoteFrom: ['PENDING', 'EXPIRED'] },
        time: { passed: (now, deadline) => time.passed(now - 5_000, deadline) },
      })),
      () => ({
        deadline: (deadline) =>
          deadline.kind.endsWith('expiry') ? { ...deadline, at: deadline.at + 5_000 } : deadline,
      }),
    ),
  mutation('second-quote-replaces-first', 'order.accept.second-quote-refused')
    .also('quote.state.one-accepted-per-order')
    .summary('While the order is QUOTED another quote may be accepted in place of the first.')
    .rule('accept', (accept) => ({
      from: [...accept.from, 'QUOTED'],
      quoteFrom: ['PENDING', 'REJECTED'],
    })),
  mutation('race-of-accept-and-cancel-both-win', 'order.state.legal-under-race')
    .also('order.cancel.quoted')
    .summary('A cancel in the first moment after an acceptance is answered with success and lost.')
    .undone('order.cancel', ({ order, now }) => {
      return order?.status === 'QUOTED' && now - (order.accepted?.acceptedAt ?? 0) < 20;
    }),
  mutation('withdrawn-order-goes-on', 'order.state.failed-absorbs')
    .summary('An order withdrawn once a quote is accepted reads as EXECUTING seconds later.')
    .when(orderEndedAs('OPERATOR_WITHDRAWN'), isFourSecondsOn)
    .set('order.read', { status: 'EXECUTING' }),
  mutation('withdrawn-order-is-404', 'access.order.read.institution-allowed')
    .summary('An order that the operator withdrew is found no more.')
    .replace('order.read', (_, { order }) => {
      return order?.failureReason === 'OPERATOR_WITHDRAWN' && { status: 404, headers: {} };
    }),
];
