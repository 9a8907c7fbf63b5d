import type { Order } from '../src/reference/core/index.ts';
import { acceptanceFields } from '../src/spec/requirements/index.ts';
import { setWhen } from './defects/answers.ts';
import { has, quotedTimes, reasonIs, statusIs } from './defects/conditions.ts';
import { note } from './defects/outcomes.ts';
import { orderAnswers, orderReads } from './defects/reading.ts';
import { isCancelledQuoted } from './defects/stored.ts';
import { type Json, shifted, written } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

/** Failed end of a settlement, with a different reason. */
const failed = (reason: string) => ({ state: 'FAILED', reason: reason as never }) as const;

const inCents = (amount: string): string => (+amount).toFixed(2);

const isWithin = (tolerance: number, cost: string, { sourceAmountMax }: Order): boolean =>
  +cost - +sourceAmountMax <= tolerance;

/** Fields of an order that an acceptance or a settlement sets: what they say; failure reasons (2.2). */
export const acceptedTermMutations: readonly Written[] = [
  mutation('order-names-first-quote', 'order.quote-id.names-accepted-quote')
    .summary('With several quotes an accepted order names the one that came first.')
    .when(has('quote_id'), quotedTimes(1))
    .set(orderReads, (_, { quotes }) => ({ quote_id: quotes[0]?.id })),
  mutation('order-names-last-of-three-makers', 'order.market-maker-party-id.is-winner')
    .summary('With three quotes an accepted order names the maker that came last.')
    .when(has('market_maker_party_id'), quotedTimes(3))
    .set(orderAnswers, (_, { quotes }) => ({ market_maker_party_id: quotes.at(-1)?.makerPartyId })),
  mutation('order-has-rate-of-best', 'order.fx-rate.of-accepted-quote')
    .summary('An order takes the highest of the rates that were quoted, whichever was accepted.')
    .setWhen(orderAnswers, has('fx_rate'), (_, { quotes }) => ({
      fx_rate: quotes.map(({ rate }) => rate).toSorted((one, other) => +other - +one)[0],
    })),
  mutation('winner-may-be-accepted-again', 'order.accept.second-quote-refused')
    .summary('On a QUOTED order another quote of the maker that was selected can be accepted.')
    .grant('quote.accept', ({ order, quote, state }) => {
      const won = order?.status === 'QUOTED' ? order.accepted : undefined;
      const isOther = quote?.makerPartyId === won?.makerPartyId && quote?.id !== won?.quoteId;
      return order && won && isOther && state.world.policy.views.order(order);
    }),
  mutation('order-pays-the-maximum', 'order.source-amount-actual.of-accepted-quote')
    .summary('When the custodian accepts, the order pays its maximum.')
    .storeOrder(({ accepted, sourceAmountMax }, before, { command }) => {
      const isNew = accepted && !before?.accepted && command.type === 'request';
      const isByCustodian = isNew && command.caller.role === 'custodian';
      return isByCustodian && { accepted: { ...accepted, sourceAmount: sourceAmountMax } };
    }),
  mutation('fee-on-top-of-the-quote', 'order.source-amount-actual.agrees-with-rate')
    .summary('A hundredth is added to what the accepted quote costs.')
    .rule('money', (money) => ({ cost: (amount, rate) => money.cost(amount, rate).times('1.01') })),
  mutation('maximum-not-held', 'order.source-amount-actual.at-most-max')
    .summary('A quote above the maximum may be accepted.')
    .rule('money', () => ({ affordable: () => true })),
  mutation('maximum-missed-by-a-cent', 'order.source-amount-actual.at-most-max')
    .summary('A quote that costs up to one unit more than the maximum may be accepted.')
    .rule('money', ({ affordable }) => ({
      affordable: (cost, order) => affordable(cost, order) || isWithin(1, cost, order),
    })),
  mutation('maximum-compared-as-floats', 'order.source-amount-actual.at-most-max')
    .summary('The maximum is compared as a floating-point number.')
    .rule('money', () => ({ affordable: (cost, order) => isWithin(0, cost, order) })),
  mutation('maximum-compared-in-cents', 'order.source-amount-actual.at-most-max')
    .summary('The maximum is compared after both amounts were rounded to cents.')
    .rule('money', () => ({
      affordable: (cost, { sourceAmountMax: most }) => +inCents(cost) <= +inCents(most),
    })),
  mutation('maximum-compared-as-text', 'order.source-amount-actual.at-most-max')
    .summary('The maximum is compared by its digits as texts.')
    .rule('money', () => ({ affordable: (cost, order) => cost <= order.sourceAmountMax })),
  mutation('accepted-at-of-the-quote', 'order.quote-accepted-at.at-acceptance')
    .summary('quote_accepted_at is when the quote was submitted.')
    .when((_, { quote }) => quote)
    .set(orderAnswers, (_, { quote }) => ({ quote_accepted_at: written(quote?.submittedAt ?? 0) })),
  mutation('settled-at-of-acceptance', 'order.settled-at.at-settlement')
    .summary('settled_at is one second before the quote was accepted.')
    .rule('views', (views) => ({
      order: (order) => {
        const view = views.order(order) as Json;
        const settled_at = view.settled_at && shifted(view.quote_accepted_at, -1_000);
        return settled_at === undefined ? view : { ...view, settled_at };
      },
    })),
  mutation('settled-at-the-moment-of-acceptance', 'order.settled-at.at-settlement')
    .summary('settled_at is quote_accepted_at, though the order was on its way for seconds.')
    .rule('views', (views) => ({
      order: (order) => {
        const view = views.order(order) as Json;
        return view.settled_at ? { ...view, settled_at: view.quote_accepted_at } : view;
      },
    })),
  mutation('reason-in-own-words', 'order.failure-reason.admissible')
    .summary('A reverted settlement has the reason DVP_REVERTED.')
    .rule('settlement', () => ({ revert: failed('DVP_REVERTED') })),
  mutation('reason-while-executing', 'order.failure-reason.only-when-ended')
    .summary('An order in execution already carries the reason TIMEOUT, in case.')
    .setWhen('order.read', statusIs('EXECUTING'), { failure_reason: 'TIMEOUT' }),
  mutation('reason-kept-when-settled', 'order.failure-reason.not-when-settled')
    .summary('An order carries TIMEOUT from its execution on, and keeps it when it has settled.')
    .setWhen('order.read', statusIs('SETTLED'), { failure_reason: 'TIMEOUT' }),
  mutation('timeout-forgets-the-quote', 'order.quote-id.unchanged')
    .also('order.market-maker-party-id.unchanged', 'order.fx-rate.unchanged')
    .also('order.source-amount-actual.unchanged', 'order.quote-accepted-at.unchanged')
    .summary('An order that outlasted its settlement window shows its accepted quote no more.')
    .dropWhen(orderAnswers, reasonIs('TIMEOUT'), ...acceptanceFields),
  mutation('list-calls-timeout-revert', 'order.failure-reason.views-agree')
    .summary('In lists an order that outlasted its settlement window has the reason REVERT.')
    .setWhen('order.list', reasonIs('TIMEOUT'), { failure_reason: 'REVERT' }),
  mutation('timeout-for-unquoted-expiry', 'order.failure-reason.no-quote')
    .summary('An order that nobody quoted expires with the reason TIMEOUT.')
    .rule('orders', ({ expiryReason }) => ({
      expiryReason: (order, quotes, money) =>
        quotes.length === 0 ? 'TIMEOUT' : expiryReason(order, quotes, money),
    })),
  mutation('revert-called-timeout', 'order.failure-reason.revert')
    .summary('A reverted settlement has the reason TIMEOUT.')
    .rule('settlement', () => ({ revert: failed('TIMEOUT') })),
  mutation('refused-cancel-names-the-reason', 'order.failure-reason.revert')
    .summary('A refused cancel leaves its reason, and a settlement that reverts later keeps it.')
    .together(
      note('order.cancel', ({ params }) => params.intent_id),
      setWhen(orderReads, reasonIs('REVERT'), (item, { memory }) => {
        return memory.has(String(item.intent_id)) && { failure_reason: 'USER_CANCELLED' };
      }),
    ),
  mutation('timeout-called-revert', 'order.failure-reason.timeout')
    .summary('A settlement that outlasts its window has the reason REVERT.')
    .rule('settlement', () => ({ timeout: failed('REVERT') })),
  mutation('cancel-of-quoted-is-withdrawn', 'order.failure-reason.user-cancelled')
    .summary('A cancel of a QUOTED order has the reason OPERATOR_WITHDRAWN.')
    .storeOrder((after) => isCancelledQuoted(after) && { failureReason: 'OPERATOR_WITHDRAWN' }),
  mutation('withdrawal-called-cancel', 'order.failure-reason.operator-withdrawn')
    .summary('A withdrawal by the operator has the reason USER_CANCELLED.')
    .rule('orders', (orders) => ({ withdrawn: { ...orders.withdrawn, reason: 'USER_CANCELLED' } })),
  mutation('revert-called-slippage', 'order.failure-reason.slippage')
    .also('order.failure-reason.revert')
    .summary('SLIPPAGE is given for an order that reverted.')
    .rule('settlement', () => ({ revert: failed('SLIPPAGE') })),
];
