import { type ItemContext, setWhen } from './defects/answers.ts';
import { byCustodian } from './defects/callers.ts';
import { noted, orderEndedAs, orderIs, quotedTimes, statusIs } from './defects/conditions.ts';
import { note } from './defects/outcomes.ts';
import { rules } from './defects/policy.ts';
import { orderReads, ordersBy, termsOf } from './defects/reading.ts';
import { acceptedAt } from './defects/stored.ts';
import { written } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const isEnded = statusIs('FAILED', 'EXPIRED');

/** True if the time that a settlement takes has passed since the acceptance. */
const isFourSecondsOn = (_: unknown, { order, now }: ItemContext): boolean =>
  now > acceptedAt(order) + 4_000;

/** Defects in ended orders, and in acceptances at the wrong time (3.1). */
export const orderEndMutations: readonly Written[] = [
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
    .outcomes('order.cancel', (_, { order, state, now }) => {
      const isRace = order?.status === 'QUOTED' && now - (order.accepted?.acceptedAt ?? 0) < 20;
      return isRace && { state, events: [], deadlines: [] };
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
