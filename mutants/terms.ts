import type { Order, Quote } from '../src/reference/core/index.ts';
import { acceptanceFields } from '../src/spec/requirements/index.ts';
import { type ItemContext, setWhen } from './defects/answers.ts';
import { has, quotedTimes, reasonIs, statusIs } from './defects/conditions.ts';
import { byCustodian, isCancelledQuoted, isOfCustodian, quotesBy } from './defects/stored.ts';
import { note } from './defects/outcomes.ts';
import { orderAnswers, orderReads } from './defects/reading.ts';
import { type Json, cut, shifted, whole, withoutMs, written } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

/** Failed end of a settlement, with a different reason. */
const failed = (reason: string) => ({ state: 'FAILED', reason: reason as never }) as const;

/** Without zeros for cents. */
const withoutCents = (amount: unknown): string => String(amount).replace(/\.0+$/, '');

const inCents = (amount: string): string => (+amount).toFixed(2);

const isWithin = (tolerance: number, cost: string, { sourceAmountMax }: Order): boolean =>
  +cost - +sourceAmountMax <= tolerance;

const ownAnswers = ['quote.submit', 'quote.list', 'rfq.quotes'] as const;

/** The first quote that the caller made on the order. */
const firstOwn = ({ quotes, party }: ItemContext): Quote | undefined =>
  quotesBy(party?.partyId, quotes)[0];

const isRejected = statusIs('REJECTED');

/** Terms of accepted orders and of quotes (2.2, 2.3). */
export const termMutations: readonly Written[] = [
  // Fields of an order that an acceptance or a settlement sets: what they say; failure reasons (2.2).
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
      const isNew = accepted && !before?.accepted && isOfCustodian(command);
      return isNew && { accepted: { ...accepted, sourceAmount: sourceAmountMax } };
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
  mutation('costs-at-the-maximum-compared-as-text', 'service.sender-accepts')
    .summary('A quote at the maximum is refused where that is written with other zeros.')
    .rule('money', ({ affordable }) => ({
      affordable: (cost, order) => {
        const { sourceAmountMax: most } = order;
        return affordable(cost, order) && (+cost !== +most || cost === most);
      },
    })),
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
  // Defects in quotes as both sides see them: fields and values (2.3).
  mutation('maker-missing-for-custodian', 'quote.market-maker-party-id.present')
    .summary('A custodian lists quotes without their makers.')
    .dropWhen('order.quotes', byCustodian, 'market_maker_party_id'),
  mutation('source-amount-missing-once-rejected', 'quote.source-amount.present')
    .summary('A rejected quote is listed without its source amount.')
    .dropWhen('order.quotes', statusIs('REJECTED'), 'source_amount'),
  mutation('deadline-missing-once-expired', 'quote.valid-until.present')
    .summary('An expired quote is listed without its deadline.')
    .dropWhen('order.quotes', statusIs('EXPIRED'), 'valid_until'),
  mutation('submitted-at-missing-on-second-quote', 'quote.submitted-at.present')
    .summary('Only the first quote of an order says when it was submitted.')
    .when((item, { quotes }) => quotes[0]?.id !== item.quote_id)
    .drop('order.quotes', 'submitted_at'),
  mutation('quote-names-no-order', 'quote.intent-id.present')
    .summary('The quotes of an order do not repeat which order they are on.')
    .drop('order.quotes', 'intent_id'),
  mutation('own-quote-names-no-order-in-list', 'own-quote.intent-id.present')
    .summary('The list of own quotes filtered by a status does not say which request they are on.')
    .dropWhen('quote.list', (_, { query }) => query.status !== undefined, 'intent_id'),
  mutation('own-quote-without-status-in-answer', 'own-quote.status.present')
    .also('quote.state.starts-pending')
    .summary('The answer to a submission has no status.')
    .drop('quote.submit', 'status'),
  mutation('own-quote-without-deadline-once-accepted', 'own-quote.valid-until.present')
    .summary('A maker sees no deadline on a quote that was accepted.')
    .dropWhen(['quote.list', 'rfq.quotes'], statusIs('ACCEPTED'), 'valid_until'),
  mutation('own-quote-without-amount-under-request', 'own-quote.target-amount.present')
    .summary('Under a request, own quotes carry no amount.')
    .drop('rfq.quotes', 'target_amount'),
  mutation('own-quote-status-active', 'own-quote.status.form')
    .summary('A maker sees a quote that can still be accepted as ACTIVE.')
    .setWhen(['quote.list', 'rfq.quotes'], statusIs('PENDING'), { status: 'ACTIVE' }),
  mutation('lost-in-place-of-rejected', 'quote.status.form')
    .summary('A rejected quote is LOST for a custodian.')
    .when(byCustodian, statusIs('REJECTED'))
    .set('order.quotes', { status: 'LOST' }),
  mutation('deadline-of-own-quotes-in-seconds', 'own-quote.valid-until.form')
    .also('convention.timestamps')
    .summary('The list of own quotes writes deadlines without milliseconds.')
    .change('quote.list', 'valid_until', withoutMs),
  mutation('target-amount-with-thousands', 'quote.target-amount.form')
    .summary('Target amounts of a thousand and more are written with separators.')
    .change('order.quotes', 'target_amount', (value) =>
      value.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ','),
    ),
  mutation('quote-ids-of-second-quotes-repeat', 'quote.quote-id.unique')
    .summary('A second quote of a maker on a request is answered with the id of its first.')
    .set('quote.submit', (_, about) => {
      const first = firstOwn(about);
      return first && { quote_id: first.id };
    }),
  mutation('lapsed-quote-is-used-again', 'quote.state.expired-absorbs')
    .summary("A maker's quote is written over one of its own that has lapsed, and keeps its id.")
    .when(statusIs('PENDING'))
    .set(['quote.submit', 'order.quotes', 'rfq.quotes', 'quote.list'], (_, { quote, quotes }) => {
      const lapsed = quotesBy(quote?.makerPartyId, quotes).find(statusIs('EXPIRED'));
      return lapsed && { quote_id: lapsed.id };
    }),
  mutation('quotes-listed-under-the-first-maker', 'quote.market-maker-party-id.is-submitter')
    .summary('With several quotes on an order all are shown as those of the first maker.')
    .set('order.quotes', (_, { quotes }) => ({ market_maker_party_id: quotes[0]?.makerPartyId })),
  mutation('long-rates-cut-for-the-order-side', 'quote.fx-rate.as-submitted', 'quote.views-agree')
    .summary('The order side sees rates with six decimals at most.')
    .change('order.quotes', 'fx_rate', (value) => cut(value, 6)),
  mutation('rate-inverted-for-custodian', 'quote.fx-rate.as-submitted')
    .summary('A custodian sees the inverse of the rate.')
    .when(byCustodian)
    .change('order.quotes', 'fx_rate', (value) => (1 / Number(value)).toFixed(6)),
  mutation('source-amount-of-second-quote-in-tens', 'quote.source-amount.agrees-with-rate')
    .summary('The quote of a second maker shows its source amount rounded to tens.')
    .set('order.quotes', ({ quote_id: id, source_amount: amount }, { quotes }) => {
      const rounded = String(Math.round(+String(amount) / 10) * 10);
      return quotes[0]?.id !== id && { source_amount: rounded };
    }),
  mutation('own-amount-in-whole-units', 'own-quote.target-amount.echo')
    .summary('The amount of a quote is shown to its maker in whole units.')
    .change(ownAnswers, 'target_amount', whole),
  mutation('deadline-rounded-to-seconds', 'quote.valid-until.as-submitted')
    .also('own-quote.valid-until.echo')
    .summary('A deadline loses its milliseconds when the quote is stored.')
    .storeQuote(({ validUntil: end }, before) => !before && { validUntil: end - (end % 1_000) }),
  mutation('deadline-of-the-order-for-quotes', 'quote.valid-until.as-submitted')
    .also('quote.views-agree')
    .summary('The order side sees expires_at of the order as the deadline of each quote.')
    .leak('order.quotes', ({ expiresAt }) => ({ valid_until: written(expiresAt) })),
  mutation('submitted-at-of-the-order', 'quote.submitted-at.at-submission')
    .summary('submitted_at of a quote is when its order was created.')
    .leak([...ownAnswers, 'order.quotes'], ({ createdAt }) => ({
      submitted_at: written(createdAt),
    })),
  mutation('submitted-at-moves-on-rejection', 'quote.terms-unchanged')
    .summary('A quote that is rejected is as if submitted at that moment.')
    .storeQuote((after, before, { now }) => before && isRejected(after) && { submittedAt: now }),
  mutation('deadline-cut-on-acceptance', 'quote.terms-unchanged')
    .summary('The deadline of an accepted quote becomes the moment of its acceptance.')
    .setWhen(['order.quotes', 'quote.list', 'rfq.quotes'], statusIs('ACCEPTED'), (item) => ({
      valid_until: shifted(item.submitted_at, 1),
    })),
  mutation('echo-of-last-rate', 'own-quote.fx-rate.echo')
    .summary("A second quote's answer shows the rate of the first.")
    .set('quote.submit', (_, about) => {
      const first = firstOwn(about);
      return first && { fx_rate: first.rate };
    }),
  mutation('same-rate-answers-with-the-first-quote', 'own-quote.valid-until.echo')
    .summary('A second quote at the rate of the first is answered with that one, deadline and all.')
    .set('quote.submit', ({ fx_rate: rate }, { quotes, party }) => {
      const first = quotesBy(party?.partyId, quotes).find((quote) => quote.rate === rate);
      const { id, submittedAt = 0, validUntil = 0 } = first ?? {};
      const times = { submitted_at: written(submittedAt), valid_until: written(validUntil) };
      return first && { quote_id: id, ...times };
    }),
  mutation('rate-with-four-decimals-in-own-list', 'own-quote.fx-rate.echo')
    .summary('The list of own quotes rounds rates to four decimals.')
    .change('quote.list', 'fx_rate', (value) => cut(value, 4)),
  mutation('order-of-a-quote-as-its-body-says', 'own-quote.intent-id.echo')
    .summary('A quote is put on the order that its body names, whatever its path says.')
    .setParams('quote.submit', ({ body }) => {
      const { intent_id: named } = (body ?? {}) as Json;
      return typeof named === 'string' && { intent_id: named };
    }),
  mutation('amounts-of-quotes-compared-as-text', 'access.quote.submit.market-maker-allowed')
    .summary('A quote is refused whose amount is written with other zeros than that of its order.')
    .ignored('quote.submit', ({ order, body }) => {
      const { target_amount: amount } = (body ?? {}) as Json;
      const isOther = order !== undefined && amount !== order.targetAmount;
      return isOther && withoutCents(amount) === withoutCents(order.targetAmount);
    }),
  mutation('answer-names-the-quote-as-order', 'own-quote.intent-id.echo')
    .summary('The answer to a submission holds the id of the quote where the order should be.')
    .set('quote.submit', (item) => ({ intent_id: item.quote_id })),
  mutation('quotes-of-other-order-by-name', 'quote.intent-id.names-order')
    .summary('Rejected quotes name themselves as their order in the list.')
    .setWhen('order.quotes', statusIs('REJECTED'), (item) => ({ intent_id: item.quote_id })),
  mutation('last-second-of-a-quote-unusable', 'quote.state.usable-until-deadline')
    .summary('A quote cannot be accepted in its last second.')
    .lost('quote.accept', ({ quote, now }) => quote && quote.validUntil - now < 1_000),
  mutation('last-tenth-of-a-second-unusable', 'quote.state.usable-until-deadline')
    .summary('A quote cannot be accepted in its last tenth of a second.')
    .lost('quote.accept', ({ quote, now }) => quote && quote.validUntil - now < 100),
  mutation('short-quotes-unusable', 'quote.state.usable-until-deadline')
    .summary('A quote whose deadline is nearer than the settlement takes cannot be accepted.')
    .lost('quote.accept', ({ quote, now }) => quote && quote.validUntil - now < 4_000),
  mutation('rate-of-event-cut', 'event.quote-received.agrees-with-list')
    .summary('quote_received rounds its rate to four decimals.')
    .setPayload('quote_received', (data) => ({ fx_rate: cut(data.fx_rate, 4) })),
];
