import { orderOf, ordersOf, quotesOf } from '../../src/reference/core/index.ts';
import { type Written, mutation } from '../mutation.ts';
import { withMore, withOrder, withQuote } from './state-changes.ts';

/** Defects that only a restart shows: the reference is sound until it starts again from its journal. */
export const restartCanaries: readonly Written[] = [
  mutation('hold-lost-in-recovery', 'settlement.atomic')
    .summary('What a running settlement had set aside is gone after a restart.')
    .recovery({
      state: (state) => {
        const order = ordersOf(state).find((one) => one.status === 'EXECUTING' && one.legsDone > 0);
        if (!order?.accepted) return state;
        const { sourceAmount } = order.accepted;
        return withMore(state, `escrow of ${order.id}`, order.sourceCurrency, `-${sourceAmount}`);
      },
    }),
  mutation('legs-forgotten-in-recovery', 'settlement.four-legs')
    .summary('After a restart a settlement begins again with its first leg.')
    .recovery({
      state: (state) => {
        const order = ordersOf(state).find((one) => one.status === 'EXECUTING' && one.legsDone > 0);
        return order ? withOrder(state, order.id, { legsDone: 0 }) : state;
      },
    }),
  mutation('expiry-forgotten-in-recovery', 'order.state.pending-to-expired')
    .summary('Orders that were open before a restart do not expire after it.')
    .recovery({
      deadline: (deadline) => (deadline.kind === 'order-expiry' ? undefined : deadline),
    }),
  mutation('window-forgotten-in-recovery', 'order.failure-reason.timeout')
    .summary('A settlement that was stalled before a restart stays EXECUTING after it.')
    .recovery({
      deadline: (deadline) => (deadline.kind === 'settlement-window' ? undefined : deadline),
    }),
  mutation('quote-expiry-forgotten-in-recovery', 'quote.state.pending-to-expired')
    .summary('Of an order with two quotes neither lapses after a restart.')
    .recovery({
      deadline: (deadline, { state }) => {
        const isRivalled = quotesOf(state, deadline.intentId).length >= 2;
        return deadline.kind === 'quote-expiry' && isRivalled ? undefined : deadline;
      },
    }),
  mutation('deadlines-count-from-the-restart', 'order.state.pending-to-expired')
    .summary('What was due after a restart comes some minutes late.')
    .recovery({ deadline: (deadline) => ({ ...deadline, at: deadline.at + 160_000 }) }),
  mutation('settlement-told-twice-after-recovery', 'event.settlement-completed.once')
    .summary('Who resumes a stream after a restart is told of a settlement twice.')
    .recovery({
      event: (event) => (event.event === 'settlement_completed' ? [event, event] : [event]),
    }),
  mutation('rejections-not-kept-for-resumed-streams', 'event.quote-rejected.sent')
    .summary('Who resumes a stream after a restart is not told that its quote was rejected.')
    .recovery({ event: (event) => (event.event === 'quote_rejected' ? [] : [event]) }),
  mutation('identifiers-issued-twice', 'order.intent-id.unique')
    .summary('After a restart identifiers are drawn from the beginning again.')
    .recovery({ sameDraws: true }),
  mutation('fault-forgotten-in-recovery', 'order.failure-reason.revert')
    .summary('That a settlement is to fail is forgotten by a restart.')
    .recovery({
      state: (state) => {
        const order = ordersOf(state).find((one) => one.fault && one.status !== 'FAILED');
        return order ? withOrder(state, order.id, { fault: undefined }) : state;
      },
    }),
  mutation('rejected-quote-revived-by-recovery', 'quote.state.rejected-absorbs')
    .summary('After a restart the rival of an accepted quote is PENDING.')
    .recovery({
      state: (state) => {
        const rival = ordersOf(state)
          .flatMap(({ id }) => quotesOf(state, id))
          .find(
            ({ status, intentId }) => status === 'REJECTED' && orderOf(state, intentId)?.accepted,
          );
        return rival ? withQuote(state, rival.id, { status: 'PENDING' }) : state;
      },
    }),
];
