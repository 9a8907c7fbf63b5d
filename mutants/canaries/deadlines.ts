import { orderOf, ordersOf, quotesOf } from '../../src/reference/core/index.ts';
import { mutation } from '../mutation.ts';
import { type Canary, canary } from './canary.ts';
import { withHoldingsOf, withOrder, withQuote } from './state-changes.ts';

/** Defects in unusual lives of orders: forgotten deadlines, and holdings that stay set aside. */
export const deadlineCanaries: readonly Canary[] = [
  canary(
    mutation('stall-with-a-rival-never-ends', 'order.failure-reason.timeout')
      .summary('A stalled settlement of an order that had two quotes stays EXECUTING for ever.')
      .forget('settlement-window', ({ order, quotes }) => order?.stalled && quotes.length >= 2),
    'a settlement that stalls',
    'a rival quote',
  ),
  canary(
    mutation('two-expiries-of-one-millisecond', 'order.state.pending-to-expired')
      .summary('Of two orders that expire in one millisecond one stays PENDING.')
      .forget('order-expiry', ({ order, state }) => {
        return ordersOf(state).some((one) => {
          return (
            one.id !== order?.id && one.expiresAt === order?.expiresAt && one.status === 'EXPIRED'
          );
        });
      }),
    'two orders that are created in one millisecond',
    'neither is accepted',
  ),
  canary(
    mutation(
      'order-with-a-lapsed-quote-never-expires',
      'order.state.pending-to-expired.though-quoted',
    )
      .summary('An order on which one quote has lapsed and another waits does not expire.')
      .forget('order-expiry', ({ quotes }) => {
        const states = quotes.map(({ status }) => status);
        return states.includes('EXPIRED') && states.includes('PENDING');
      }),
    'two quotes with different deadlines',
    'an order that is never accepted',
  ),
  canary(
    mutation('quote-on-an-accepted-order-never-lapses', 'quote.state.pending-to-expired')
      .summary('A quote of the last two seconds of an order never lapses.')
      .forget('quote-expiry', ({ order, quote }) => {
        return quote && order && order.expiresAt - quote.submittedAt < 2_000;
      }),
    'a quote just before its order expires',
  ),
  canary(
    mutation('short-quotes-never-lapse', 'quote.state.pending-to-expired')
      .summary('A quote that is valid for a second or less stays PENDING.')
      .forget(
        'quote-expiry',
        ({ quote }) => quote && quote.validUntil - quote.submittedAt <= 1_000,
      ),
    'a quote that is valid for a moment only, such as that of a maker whose clock is behind',
  ),
  canary(
    mutation('hold-kept-when-the-third-leg-reverts', 'settlement.atomic')
      .summary('What was set aside is not given back where the third or fourth leg reverts.')
      .outcome((outcome, command, { state }) => {
        if (command.type !== 'due' || (command.deadline.leg ?? 0) < 3) return outcome;
        const isReverted = orderOf(outcome.state, command.deadline.intentId)?.status === 'FAILED';
        return isReverted ? { ...outcome, state: withHoldingsOf(state, outcome.state) } : outcome;
      }),
    'a settlement that reverts at leg 3 or 4',
  ),
  canary(
    mutation('hold-kept-after-a-stall', 'settlement.atomic')
      .summary('What a stalled settlement had set aside is lost when its window is over.')
      .outcome((outcome, command, { state }) => {
        const isOver = command.type === 'due' && command.deadline.kind === 'settlement-window';
        return isOver ? { ...outcome, state: withHoldingsOf(state, outcome.state) } : outcome;
      }),
    'a settlement that stalls after its first leg',
  ),
  canary(
    mutation('withdrawn-request-stays-listed-where-it-was-quoted', 'rfq.list.failed-order-left')
      .summary(
        'An order that the operator withdraws stays on the list of requests once it was quoted.',
      )
      .listRequests(({ id, status, failureReason }, { state }) => {
        const isQuoted = quotesOf(state, id).length > 0;
        return status === 'PENDING' || (failureReason === 'OPERATOR_WITHDRAWN' && isQuoted);
      }),
    'a quote',
    'a withdrawal',
    'a list of requests',
  ),
  canary(
    mutation('settled-order-reopened-by-its-window', 'order.state.settled-absorbs')
      .summary(
        'An order with a proposal and three quotes that has settled fails when its window is over.',
      )
      .outcomesWhenDue('settlement-window', (outcome, { order, quotes }) => {
        const isTaken = order?.status === 'SETTLED' && quotes.length >= 3;
        return isTaken && { state: withOrder(outcome.state, order.id, { status: 'FAILED' }) };
      }),
    'three quotes',
    'a settlement, and thirty seconds more',
  ),
  canary(
    mutation('lapsed-rival-comes-back', 'quote.state.expired-absorbs')
      .summary(
        'A quote that had lapsed before another was accepted is PENDING again once that has settled.',
      )
      .outcomesWhenDue('settlement-leg', (outcome, { order, quotes }) => {
        const lapsed = quotes.find(({ status }) => status === 'EXPIRED');
        const isOver = order?.status === 'SETTLED' && lapsed;
        return isOver && { state: withQuote(outcome.state, lapsed.id, { status: 'PENDING' }) };
      }),
    'a quote that lapses',
    'a rival that is accepted and settles',
  ),
];
