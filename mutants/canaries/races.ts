import { mutation } from '../mutation.ts';
import { forget } from '../defects/outcomes.ts';
import { storeQuote } from '../defects/policy.ts';
import { viewsOf } from '../defects/reading.ts';
import { type Canary, canary } from './canary.ts';
import { withQuote } from './state-changes.ts';

/** Defects that need two actions on one order at about the same moment. */
export const raceCanaries: readonly Canary[] = [
  canary(
    mutation('cancel-in-the-millisecond-of-acceptance-is-lost', 'order.state.cancel-ends-order')
      .summary('A cancel in the millisecond in which a quote was accepted is granted and not done.')
      .outcomes('order.cancel', ({ reply }, { order, state, now }) => {
        const isAtOnce = order?.accepted?.acceptedAt === now;
        return isAtOnce && reply?.ok && { state, events: [], deadlines: [] };
      }),
    'an acceptance',
    'a cancel in the same millisecond',
  ),
  canary(
    mutation('second-acceptance-of-a-moment-is-granted', 'order.accept.second-quote-refused')
      .summary('Of two quotes that are accepted in one millisecond both are granted.')
      .grant('quote.accept', (context) => {
        const { order, quote, now } = context;
        const isAtOnce =
          order?.accepted?.acceptedAt === now && order.accepted.quoteId !== quote?.id;
        return isAtOnce && order && viewsOf(context).acceptance(order);
      }),
    'two quotes of one order',
    'both accepted in one millisecond',
  ),
  canary(
    mutation(
      'acceptance-at-the-last-millisecond-of-a-quote-is-lost',
      'quote.state.usable-until-deadline',
    )
      .summary(
        'A quote that is accepted within the last two milliseconds of its life is granted and not taken.',
      )
      .outcomes('quote.accept', ({ reply }, { quote, state, now }) => {
        const isLast = quote !== undefined && quote.validUntil - now <= 2;
        return isLast && reply?.ok && { state, events: [], deadlines: [] };
      }),
    'an acceptance',
    'at the very end of valid_until',
  ),
  canary(
    mutation(
      'acceptance-at-the-last-millisecond-of-an-order-is-lost',
      'order.state.legal-under-race',
    )
      .summary('An acceptance in the last two milliseconds of an order is granted and not done.')
      .outcomes('quote.accept', ({ reply }, { order, state, now }) => {
        const isLast = order !== undefined && order.expiresAt - now <= 2;
        return isLast && reply?.ok && { state, events: [], deadlines: [] };
      }),
    'an acceptance',
    'at the very end of expires_at',
  ),
  canary(
    mutation('rival-about-to-lapse-stays-pending', 'quote.state.pending-to-rejected')
      .summary(
        'A rival that would lapse within a second is not rejected, and does not lapse either.',
      )
      .together(
        storeQuote(({ status, validUntil }, before, { now }) => {
          const isAbout = before?.status === 'PENDING' && validUntil - now < 1_000;
          return status === 'REJECTED' && isAbout && { status: 'PENDING' };
        }),
        forget('quote-expiry', ({ order, quote }) => {
          return order?.accepted !== undefined && order.accepted.quoteId !== quote?.id;
        }),
      ),
    'two quotes of two makers',
    'an acceptance within a second of the deadline of the rival',
  ),
  canary(
    mutation('rival-in-its-last-second-is-selected-too', 'quote.state.one-accepted-per-order')
      .summary('A rival that lapses within ten seconds of an acceptance is selected with it.')
      .outcomes('quote.accept', ({ reply, state }, { quotes, quote, now }) => {
        const rival = quotes.find(({ id, status, validUntil }) => {
          return id !== quote?.id && status === 'PENDING' && validUntil - now < 10_000;
        });
        return reply?.ok && rival && { state: withQuote(state, rival.id, { status: 'ACCEPTED' }) };
      }),
    'two quotes of one order',
    'one that lapses within seconds of the acceptance of the other',
  ),
  canary(
    mutation('second-quote-of-a-moment-untold', 'event.quote-received.sent')
      .summary('Of two quotes on one order in one millisecond the second is not told.')
      .unsent('quote_received', ({ quotes, now }) => {
        return quotes.filter(({ submittedAt }) => submittedAt === now).length > 1;
      }),
    'two makers that quote an order in one millisecond',
  ),
  canary(
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
    'two quotes of one order',
    'the custodian accepts one just after the sender the other',
  ),
];
