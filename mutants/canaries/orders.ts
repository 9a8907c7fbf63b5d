import { orderOf, ordersOf, quotesOf } from '../../src/reference/core/index.ts';
import type { Asking } from '../defects/context.ts';
import { forget } from '../defects/outcomes.ts';
import { storeQuote } from '../defects/policy.ts';
import { viewsOf } from '../defects/reading.ts';
import type { Json } from '../defects/values.ts';
import { type Written, mutation } from '../mutation.ts';
import { withHoldingsOf, withMore, withOrder, withQuote } from './state-changes.ts';

/** True if this party sent this body before, in this world. */
function isRepeated({ caller, body, params, memory }: Asking): boolean {
  const key = `${caller.partyId} ${JSON.stringify(params)} ${JSON.stringify(body)}`;
  const isKnown = memory.has(key);
  memory.set(key, true);
  return isKnown;
}

/** Defects in the life of one order: races, deadlines, and requests that are sent again. */
export const orderCanaries: readonly Written[] = [
  // Defects that need two actions on one order at about the same moment.
  mutation('cancel-in-the-millisecond-of-acceptance-is-lost', 'order.state.cancel-ends-order')
    .summary('A cancel in the millisecond in which a quote was accepted is granted and not done.')
    .undone('order.cancel', ({ order, now }) => order?.accepted?.acceptedAt === now),
  mutation('second-acceptance-of-a-moment-is-granted', 'order.accept.second-quote-refused')
    .summary('Of two quotes that are accepted in one millisecond both are granted.')
    .grant('quote.accept', (context) => {
      const { order, quote, now } = context;
      const isAtOnce = order?.accepted?.acceptedAt === now && order.accepted.quoteId !== quote?.id;
      return isAtOnce && order && viewsOf(context).acceptance(order);
    }),
  mutation(
    'acceptance-at-the-last-millisecond-of-a-quote-is-lost',
    'quote.state.usable-until-deadline',
  )
    .summary(
      'A quote that is accepted within the last two milliseconds of its life is granted and not taken.',
    )
    .undone('quote.accept', ({ quote, now }) => quote && quote.validUntil - now <= 2),
  mutation('acceptance-at-the-last-millisecond-of-an-order-is-lost', 'order.state.legal-under-race')
    .summary('An acceptance in the last two milliseconds of an order is granted and not done.')
    .undone('quote.accept', ({ order, now }) => order && order.expiresAt - now <= 2),
  mutation('rival-about-to-lapse-stays-pending', 'quote.state.pending-to-rejected')
    .summary('A rival that would lapse within a second is not rejected, and does not lapse either.')
    .together(
      storeQuote(({ status, validUntil }, before, { now }) => {
        const isAbout = before?.status === 'PENDING' && validUntil - now < 1_000;
        return status === 'REJECTED' && isAbout && { status: 'PENDING' };
      }),
      forget('quote-expiry', ({ order, quote }) => {
        return order?.accepted !== undefined && order.accepted.quoteId !== quote?.id;
      }),
    ),
  mutation('rival-in-its-last-second-is-selected-too', 'quote.state.one-accepted-per-order')
    .summary('A rival that lapses within ten seconds of an acceptance is selected with it.')
    .outcomes('quote.accept', ({ reply, state }, { quotes, quote, now }) => {
      const rival = quotes.find(({ id, status, validUntil }) => {
        return id !== quote?.id && status === 'PENDING' && validUntil - now < 10_000;
      });
      return reply?.ok && rival && { state: withQuote(state, rival.id, { status: 'ACCEPTED' }) };
    }),
  mutation('second-quote-of-a-moment-untold', 'event.quote-received.sent')
    .summary('Of two quotes on one order in one millisecond the second is not told.')
    .unsent('quote_received', ({ quotes, now }) => {
      return quotes.filter(({ submittedAt }) => submittedAt === now).length > 1;
    }),
  mutation('custodian-beats-sender', 'order.accept.second-quote-refused')
    .summary(
      'A custodian may accept a quote within a second of its sender, and is told that it did.',
    )
    .grant('quote.accept', (context) => {
      const { order, caller, now } = context;
      const since = now - (order?.accepted?.acceptedAt ?? Number.NEGATIVE_INFINITY);
      const isRace = caller.role === 'custodian' && since < 1_000 && order?.status === 'QUOTED';
      const isOther = order?.accepted?.quoteId !== context.quote?.id;
      return isRace && isOther && viewsOf(context).acceptance(order);
    }),
  // Defects in unusual lives of orders: forgotten deadlines, and holdings that stay set aside.
  mutation('stall-with-a-rival-never-ends', 'order.failure-reason.timeout')
    .summary('A stalled settlement of an order that had two quotes stays EXECUTING for ever.')
    .forget('settlement-window', ({ order, quotes }) => order?.stalled && quotes.length >= 2),
  mutation('two-expiries-of-one-millisecond', 'order.state.pending-to-expired')
    .summary('Of two orders that expire in one millisecond one stays PENDING.')
    .forget('order-expiry', ({ order, state }) => {
      return ordersOf(state).some((one) => {
        return (
          one.id !== order?.id && one.expiresAt === order?.expiresAt && one.status === 'EXPIRED'
        );
      });
    }),
  mutation(
    'order-with-a-lapsed-quote-never-expires',
    'order.state.pending-to-expired.though-quoted',
  )
    .summary('An order on which one quote has lapsed and another waits does not expire.')
    .forget('order-expiry', ({ quotes }) => {
      const states = quotes.map(({ status }) => status);
      return states.includes('EXPIRED') && states.includes('PENDING');
    }),
  mutation('quote-on-an-accepted-order-never-lapses', 'quote.state.pending-to-expired')
    .summary('A quote of the last two seconds of an order never lapses.')
    .forget('quote-expiry', ({ order, quote }) => {
      return quote && order && order.expiresAt - quote.submittedAt < 2_000;
    }),
  mutation('short-quotes-never-lapse', 'quote.state.pending-to-expired')
    .summary('A quote that is valid for a second or less stays PENDING.')
    .forget('quote-expiry', ({ quote }) => quote && quote.validUntil - quote.submittedAt <= 1_000),
  mutation('hold-kept-when-the-third-leg-reverts', 'settlement.atomic')
    .summary('What was set aside is not given back where the third or fourth leg reverts.')
    .outcome((outcome, command, { state }) => {
      if (command.type !== 'due' || (command.deadline.leg ?? 0) < 3) return outcome;
      const isReverted = orderOf(outcome.state, command.deadline.intentId)?.status === 'FAILED';
      return isReverted ? { ...outcome, state: withHoldingsOf(state, outcome.state) } : outcome;
    }),
  mutation('hold-kept-after-a-stall', 'settlement.atomic')
    .summary('What a stalled settlement had set aside is lost when its window is over.')
    .outcome((outcome, command, { state }) => {
      const isOver = command.type === 'due' && command.deadline.kind === 'settlement-window';
      return isOver ? { ...outcome, state: withHoldingsOf(state, outcome.state) } : outcome;
    }),
  mutation('withdrawn-request-stays-listed-where-it-was-quoted', 'rfq.list.failed-order-left')
    .summary(
      'An order that the operator withdraws stays on the list of requests once it was quoted.',
    )
    .listRequests(({ id, status, failureReason }, { state }) => {
      const isQuoted = quotesOf(state, id).length > 0;
      return status === 'PENDING' || (failureReason === 'OPERATOR_WITHDRAWN' && isQuoted);
    }),
  mutation('settled-order-reopened-by-its-window', 'order.state.settled-absorbs')
    .summary(
      'An order with a proposal and three quotes that has settled fails when its window is over.',
    )
    .outcomesWhenDue('settlement-window', (outcome, { order, quotes }) => {
      const isTaken = order?.status === 'SETTLED' && quotes.length >= 3;
      return isTaken && { state: withOrder(outcome.state, order.id, { status: 'FAILED' }) };
    }),
  mutation('lapsed-rival-comes-back', 'quote.state.expired-absorbs')
    .summary(
      'A quote that had lapsed before another was accepted is PENDING again once that has settled.',
    )
    .outcomesWhenDue('settlement-leg', (outcome, { order, quotes }) => {
      const lapsed = quotes.find(({ status }) => status === 'EXPIRED');
      const isOver = order?.status === 'SETTLED' && lapsed;
      return isOver && { state: withQuote(outcome.state, lapsed.id, { status: 'PENDING' }) };
    }),
  // Defects that need a repeated request, as from a client that got no answer.
  mutation('repeated-order-kept-under-another-id', 'order.create.readable-afterwards')
    .summary('An order that is sent again is answered with a fresh id and not kept.')
    .undone('order.create', isRepeated),
  mutation('repeated-order-is-answered-as-the-first-and-made-anew', 'order.intent-id.unique')
    .summary('A create that is sent again makes another order and is answered with the first.')
    .outcomes('order.create', ({ reply }, { caller, body, memory }) => {
      if (!reply?.ok) return undefined;
      const key = `first ${caller.partyId} ${JSON.stringify(body)}`;
      const first = memory.get(key);
      if (first === undefined) memory.set(key, reply);
      return first !== undefined && { reply: first as typeof reply };
    }),
  mutation('repeated-quote-not-kept', 'quote.submit.shown-to-order-side')
    .summary('A quote that is sent again is answered with a fresh id and not kept.')
    .undone('quote.submit', isRepeated),
  mutation('acceptance-sent-again-costs-twice', 'settlement.atomic')
    .summary('An acceptance that is sent again takes a second amount from the sender.')
    .outcomes('quote.accept', (outcome, { order, quote }) => {
      const accepted = order?.accepted;
      const isAgain = accepted !== undefined && accepted.quoteId === quote?.id;
      const owner = order?.senderCustodianPartyId ?? order?.senderPartyId;
      return (
        isAgain &&
        owner !== undefined && {
          state: withMore(
            outcome.state,
            owner,
            order?.sourceCurrency ?? '',
            `-${accepted.sourceAmount}`,
          ),
        }
      );
    }),
  mutation('cancel-sent-again-reopens', 'order.state.failed-absorbs')
    .summary('A cancel that is sent again is answered with an order that is PENDING.')
    .grant('order.cancel', (context) => {
      const { order } = context;
      const isAgain = order?.failureReason === 'USER_CANCELLED';
      return isAgain && { ...(viewsOf(context).order(order) as Json), status: 'PENDING' };
    }),
  mutation('late-acceptance-is-granted', 'order.accept.expired-quote-refused')
    .summary(
      'An acceptance is granted, and has no effect, within a minute after the quote has lapsed.',
    )
    .grant('quote.accept', (context) => {
      const { order, quote, now } = context;
      const isLate = quote && now > quote.validUntil + 1_000 && now < quote.validUntil + 60_000;
      return isLate && order && viewsOf(context).order(order);
    }),
];
