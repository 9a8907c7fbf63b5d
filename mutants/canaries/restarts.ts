import { orderOf, ordersOf, quotesOf } from '../../src/reference/core/index.ts';
import type { RecoveryTamper } from '../../src/reference/http/index.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';
import { mutation } from '../mutation.ts';
import { type Canary, canary } from './canary.ts';
import { withMore, withOrder, withQuote } from './state-changes.ts';

const afterRestart = (
  id: string,
  about: RequirementId,
  summary: string,
  recovery: RecoveryTamper,
  ...needs: readonly string[]
): Canary =>
  canary(
    mutation(id, about)
      .summary(summary)
      .tamper(() => ({ recovery })),
    'a restart',
    ...needs,
  );

/** Defects that only a restart shows: the reference is sound until it starts again from its journal. */
export const restartCanaries: readonly Canary[] = [
  afterRestart(
    'hold-lost-in-recovery',
    'settlement.atomic',
    'What a running settlement had set aside is gone after a restart.',
    {
      state: (state) => {
        const order = ordersOf(state).find((one) => one.status === 'EXECUTING' && one.legsDone > 0);
        if (!order?.accepted) return state;
        const { sourceAmount } = order.accepted;
        return withMore(state, `escrow of ${order.id}`, order.sourceCurrency, `-${sourceAmount}`);
      },
    },
    'a settlement between two legs',
  ),
  afterRestart(
    'legs-forgotten-in-recovery',
    'settlement.four-legs',
    'After a restart a settlement begins again with its first leg.',
    {
      state: (state) => {
        const order = ordersOf(state).find((one) => one.status === 'EXECUTING' && one.legsDone > 0);
        return order ? withOrder(state, order.id, { legsDone: 0 }) : state;
      },
    },
    'a settlement between two legs',
  ),
  afterRestart(
    'expiry-forgotten-in-recovery',
    'order.state.pending-to-expired',
    'Orders that were open before a restart do not expire after it.',
    { deadline: (deadline) => (deadline.kind === 'order-expiry' ? undefined : deadline) },
    'an open order',
  ),
  afterRestart(
    'window-forgotten-in-recovery',
    'order.failure-reason.timeout',
    'A settlement that was stalled before a restart stays EXECUTING after it.',
    { deadline: (deadline) => (deadline.kind === 'settlement-window' ? undefined : deadline) },
    'a settlement that stalls',
  ),
  afterRestart(
    'quote-expiry-forgotten-in-recovery',
    'quote.state.pending-to-expired',
    'Of an order with two quotes neither lapses after a restart.',
    {
      deadline: (deadline, { state }) => {
        const isRivalled = quotesOf(state, deadline.intentId).length >= 2;
        return deadline.kind === 'quote-expiry' && isRivalled ? undefined : deadline;
      },
    },
    'an open order with two quotes',
  ),
  afterRestart(
    'deadlines-count-from-the-restart',
    'order.state.pending-to-expired',
    'What was due after a restart comes some minutes late.',
    { deadline: (deadline) => ({ ...deadline, at: deadline.at + 160_000 }) },
    'anything that is under way',
  ),
  afterRestart(
    'settlement-told-twice-after-recovery',
    'event.settlement-completed.once',
    'Who resumes a stream after a restart is told of a settlement twice.',
    { event: (event) => (event.event === 'settlement_completed' ? [event, event] : [event]) },
    'a settlement',
  ),
  afterRestart(
    'rejections-not-kept-for-resumed-streams',
    'event.quote-rejected.sent',
    'Who resumes a stream after a restart is not told that its quote was rejected.',
    { event: (event) => (event.event === 'quote_rejected' ? [] : [event]) },
    'a quote that is rejected',
  ),
  afterRestart(
    'identifiers-issued-twice',
    'order.intent-id.unique',
    'After a restart identifiers are drawn from the beginning again.',
    { sameDraws: true },
    'an order before and one after',
  ),
  afterRestart(
    'fault-forgotten-in-recovery',
    'order.failure-reason.revert',
    'That a settlement is to fail is forgotten by a restart.',
    {
      state: (state) => {
        const order = ordersOf(state).find((one) => one.fault && one.status !== 'FAILED');
        return order ? withOrder(state, order.id, { fault: undefined }) : state;
      },
    },
    'an order that a fault has struck and that goes on',
  ),
  afterRestart(
    'rejected-quote-revived-by-recovery',
    'quote.state.rejected-absorbs',
    'After a restart the rival of an accepted quote is PENDING.',
    {
      state: (state) => {
        const rival = ordersOf(state)
          .flatMap(({ id }) => quotesOf(state, id))
          .find(
            ({ status, intentId }) => status === 'REJECTED' && orderOf(state, intentId)?.accepted,
          );
        return rival ? withQuote(state, rival.id, { status: 'PENDING' }) : state;
      },
    },
    'two quotes, one accepted',
  ),
];
