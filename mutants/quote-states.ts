import type { Command, Policy, Quote } from '../src/reference/core/index.ts';
import { withQuote } from './canaries/state-changes.ts';
import { type ItemContext, setWhen } from './defects/answers.ts';
import { orderEndedAs, orderIs, quoteIs, statusIs } from './defects/conditions.ts';
import { byReceiverCustodian, isOfCustodian, quotesBy } from './defects/stored.ts';
import type { Request, Subject } from './defects/context.ts';
import { outcomes } from './defects/outcomes.ts';
import { termsOf } from './defects/reading.ts';
import { type Json, momentOf } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

const own = ['quote.list', 'rfq.quotes'] as const;
const everywhere = ['order.quotes', ...own] as const;

const staysAccepted = 'quote.state.accepted-stays-through-settlement';

const isAcceptance = (command: Command): command is Request =>
  command.type === 'request' && command.endpoint === 'quote.accept';

const sameMaker = (one: Quote, other: Quote): boolean => one.makerPartyId === other.makerPartyId;

/** Gives some of the rivals another state when a quote is selected. */
const unselected =
  (status: (quote: Quote, selected: Quote) => Quote['status'] | false) =>
  ({ quotes: own }: Policy) => ({
    quotes: { unselected: (...of: [Quote, Quote]) => status(...of) || own.unselected(...of) },
  });

/** The quotes on an order that came from the maker of one of them, oldest first. */
const ofItsMaker = ({ quote, quotes }: Subject): readonly Quote[] =>
  quotesBy(quote?.makerPartyId, quotes);

const hasLapsed = (_: unknown, { quote, now }: ItemContext): boolean =>
  quote !== undefined && quote.validUntil < now;

/** States of quotes (3.2). */
export const quoteStateMutations: readonly Written[] = [
  mutation('submitted-quote-is-accepted', 'quote.state.starts-pending')
    .summary('A submission answers with a quote that is ACCEPTED, as the request was well formed.')
    .set('quote.submit', { status: 'ACCEPTED' }),
  mutation('submitted-quote-as-its-body-says', 'quote.state.starts-pending')
    .summary('A body that has a status gives it to the quote.')
    .set('quote.submit', ({ status }, { requestBody }) => ({
      status: (requestBody as Json | undefined)?.status ?? status,
    })),
  mutation('accepted-quote-pending-until-settled', 'quote.state.pending-to-accepted')
    .summary('The selected quote reads as PENDING for its maker until the order has settled.')
    .when(statusIs('ACCEPTED'), (_, { order }) => order?.status !== 'SETTLED')
    .set(own, { status: 'PENDING' }),
  mutation('accepted-quote-pending-for-order-side', 'quote.state.pending-to-accepted')
    .also('quote.state.views-agree')
    .summary('The order side goes on seeing the selected quote as PENDING.')
    .setWhen('order.quotes', statusIs('ACCEPTED'), { status: 'PENDING' }),
  mutation('accepted-quote-pending-after-revert', 'quote.state.listed-transitions-only')
    .summary('The selected quote is PENDING again once the settlement was reverted.')
    .when(statusIs('ACCEPTED'), orderEndedAs('REVERT'))
    .set(everywhere, { status: 'PENDING' }),
  mutation('rivals-stay-pending', 'quote.state.pending-to-rejected')
    .summary('Nothing becomes of rival quotes when one is selected.')
    .rules(unselected((quote, selected) => !sameMaker(quote, selected) && 'PENDING')),
  mutation('rivals-expire-instead', 'quote.state.pending-to-rejected')
    .summary('Rival quotes are EXPIRED when one is selected.')
    .rules(unselected((quote, selected) => !sameMaker(quote, selected) && 'EXPIRED')),
  mutation('every-other-rival-rejected', 'quote.state.pending-to-rejected.every-rival')
    .summary('A selection rejects every other one of the rivals.')
    .storeQuote(({ status, seq }, before, { command }) => {
      const isPassedOver = status === 'REJECTED' && before && seq % 2 === 1;
      return isPassedOver && isAcceptance(command) && { status: 'PENDING' };
    }),
  mutation('custodian-rejects-nobody', 'quote.state.pending-to-rejected.by-custodian')
    .summary('When the custodian selects a quote its rivals stay PENDING.')
    .storeQuote(({ status }, _before, { command }) => {
      const isByCustodian = isAcceptance(command) && isOfCustodian(command);
      return status === 'REJECTED' && isByCustodian && { status: 'PENDING' };
    }),
  mutation('far-off-quotes-lapse', 'quote.state.pending-to-expired.not-early')
    .summary('A quote that is valid for more than 31 bits of milliseconds is EXPIRED at once.')
    .when(statusIs('PENDING'), (item, { now }) => momentOf(item.valid_until) - now > 2 ** 31)
    .set(everywhere, { status: 'EXPIRED' }),
  mutation('quotes-never-expire', 'quote.state.pending-to-expired')
    .summary('A quote stays PENDING beyond its deadline, and is refused on acceptance only.')
    .forget('quote-expiry', ({ quote }) => quote?.status === 'PENDING'),
  mutation('only-last-quote-expires', 'quote.state.pending-to-expired')
    .summary('One timer for each order: with two quotes on it only the last to come expires.')
    .forget('quote-expiry', ({ order, quote, quotes }) => {
      const last = quotes.at(-1);
      return order?.status === 'PENDING' && last && last.id !== quote?.id;
    }),
  mutation('only-first-quote-expires', 'quote.state.pending-to-expired')
    .summary('Once a quote on an order has lapsed no other quote on it does.')
    .forget('quote-expiry', ({ quotes }) => quotes.some(statusIs('EXPIRED'))),
  mutation('lapsed-quotes-are-rejected', 'quote.state.pending-to-expired')
    .also('quote.state.listed-transitions-only')
    .summary('A quote whose deadline passes is REJECTED.')
    .rule('quotes', () => ({ expiredAs: 'REJECTED' })),
  mutation('quotes-expire-a-second-early', 'quote.state.pending-to-expired.not-early')
    .summary('Quotes read as EXPIRED in their last second.')
    .when(quoteIs('PENDING'), (_, { quote, now }) => quote && quote.validUntil - now < 1_000)
    .set(everywhere, { status: 'EXPIRED' }),
  mutation('rejected-quotes-expire-later', 'quote.state.rejected-absorbs')
    .summary('A rejected quote reads as EXPIRED for its maker once its deadline has passed.')
    .when(quoteIs('REJECTED'), hasLapsed)
    .set(own, { status: 'EXPIRED' }),
  mutation('expired-quotes-rejected-on-acceptance', 'quote.state.expired-absorbs')
    .summary('A selection makes rival quotes REJECTED even where they had expired.')
    .set(everywhere, ({ status, quote_id: id }, { order }) => {
      const isRival = order?.accepted && order.accepted.quoteId !== id;
      return status === 'EXPIRED' && isRival && { status: 'REJECTED' };
    }),
  mutation('accepted-quote-expires-when-settled', 'quote.state.accepted-stays-through-settlement')
    .summary('The accepted quote reads as EXPIRED once its deadline has passed, settled or not.')
    .when(quoteIs('ACCEPTED'), orderIs('SETTLED'), hasLapsed)
    .set(everywhere, { status: 'EXPIRED' }),
  mutation('accepted-quote-overtaken-by-its-deadline', staysAccepted)
    .summary('An accepted quote whose deadline passed before the order settled reads as EXPIRED.')
    .set(everywhere, (_, { order, quote }) => {
      const isLate = order?.settled && quote && quote.validUntil < order.settled.at;
      return quote?.status === 'ACCEPTED' && isLate && { status: 'EXPIRED' };
    }),
  mutation('two-quotes-of-winner-accepted', 'quote.state.one-accepted-per-order')
    .summary("All of the winner's quotes on the order are ACCEPTED.")
    .rules(unselected((quote, selected) => sameMaker(quote, selected) && 'ACCEPTED')),
  mutation('simultaneous-acceptances-both-succeed', 'quote.state.one-accepted-under-race')
    .summary('An acceptance in the same moment as another is answered with success as well.')
    .grant('quote.accept', ({ order, quote, caller, state, now }) => {
      const { accepted } = order ?? {};
      if (!order || !accepted || !quote || accepted.quoteId === quote.id) return undefined;
      if (now - accepted.acceptedAt > 5) return undefined;
      const shown = { ...order, accepted: { ...accepted, ...termsOf(quote) } };
      const { views } = state.world.policy;
      return caller.role === 'custodian' ? views.acceptance(shown) : views.order(shown);
    }),
  mutation('selection-rejects-on-other-orders', 'quote.state.other-orders-untouched')
    .summary('A maker that loses one order finds its earlier pending quotes on others REJECTED.')
    .together(
      outcomes('quote.accept', ({ reply }, { quotes, params, memory, now }) => {
        const losers = quotes.filter(
          ({ id, status }) => id !== params.quote_id && status === 'PENDING',
        );
        for (const { makerPartyId } of reply?.ok ? losers : [])
          memory.set(`lost ${makerPartyId}`, now);
        return undefined;
      }),
      setWhen(everywhere, quoteIs('PENDING'), (_, { quote, memory }) => {
        const lost = memory.get(`lost ${quote?.makerPartyId}`) as number | undefined;
        return quote && lost !== undefined && lost > quote.submittedAt && { status: 'REJECTED' };
      }),
    ),
  mutation('own-list-shows-no-rejection', 'quote.state.views-agree')
    .summary('The list of own quotes never shows a rejection: the quote stays PENDING there.')
    .setWhen('quote.list', statusIs('REJECTED'), { status: 'PENDING' }),
  mutation('older-of-two-losing-quotes-stays-pending', 'quote.state.pending-to-rejected')
    .summary('A selection rejects the last quote of each other maker and leaves those before.')
    .when(quoteIs('REJECTED'), (_, about) => ofItsMaker(about).at(-1)?.id !== about.quote?.id)
    .set(everywhere, { status: 'PENDING' }),
  mutation('no-rejection-under-request-for-who-quoted-twice', 'quote.state.pending-to-rejected')
    .also('quote.state.views-agree')
    .summary('Under a request the rejected quotes of a maker that quoted twice are still PENDING.')
    .when(quoteIs('REJECTED'), (_, about) => ofItsMaker(about).length > 1)
    .set('rfq.quotes', { status: 'PENDING' }),
  mutation('receiver-custodian-sees-no-selection', 'quote.state.views-agree')
    .also('quote.state.pending-to-accepted')
    .summary("To the receiver's custodian the selected quote is still PENDING.")
    .when(statusIs('ACCEPTED'), byReceiverCustodian)
    .set('order.quotes', { status: 'PENDING' }),
  mutation('revert-rejects-the-winner', 'quote.state.pending-to-accepted')
    .summary('When a settlement is reverted the quote that was selected becomes REJECTED.')
    .when(statusIs('ACCEPTED'), orderEndedAs('REVERT'))
    .set(everywhere, { status: 'REJECTED' }),
  mutation('timeout-revives-rejected-quotes', 'quote.state.rejected-absorbs')
    .also('quote.state.listed-transitions-only')
    .summary('A settlement that outlasts its window makes the rejected quotes PENDING again.')
    .when(statusIs('REJECTED'), orderEndedAs('TIMEOUT'))
    .set(everywhere, { status: 'PENDING' }),
  mutation('cancel-revives-rejected-quotes', 'quote.state.rejected-absorbs')
    .also('quote.state.listed-transitions-only')
    .summary('A cancel of a QUOTED order makes the rejected quotes PENDING again.')
    .when(statusIs('REJECTED'), orderEndedAs('USER_CANCELLED'))
    .set(everywhere, { status: 'PENDING' }),
  mutation('proposal-revives-a-lapsed-quote', 'quote.state.pending-to-expired')
    .summary('Where a proposal is accepted a quote that has lapsed is PENDING again.')
    .outcomes('proposal.accept', ({ reply, state }, { quotes }) => {
      const lapsed = quotes.find(statusIs('EXPIRED'));
      return reply?.ok && lapsed && { state: withQuote(state, lapsed.id, { status: 'PENDING' }) };
    }),
];
