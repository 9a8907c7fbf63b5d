import { orderOf } from '../src/reference/core/index.ts';
import { byCustodian, byInstitution } from './defects/callers.ts';
import { statusIs } from './defects/conditions.ts';
import type { Asking } from './defects/context.ts';
import { viewsOf } from './defects/reading.ts';
import { text } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

/** Path of the quote's own order if an acceptance names another order of the same sender; undefined otherwise. */
function underItsOwnOrder({ order, quote, state }: Asking): { intent_id: string } | undefined {
  const home = quote && orderOf(state, quote.intentId);
  const isOther = order && home?.senderPartyId === order.senderPartyId && home.id !== order.id;
  return isOther ? { intent_id: home.id } : undefined;
}

/** Accepting quotes (4.2); the answer to a custodian, and proposals (4.3). */
export const acceptanceMutations: readonly Written[] = [
  mutation('acceptance-wants-a-body', 'quote.accept.no-body-needed', 'service.sender-accepts')
    .summary('An acceptance is refused unless it names the quote in a body as well.')
    .lost('quote.accept', ({ body }) => body === undefined),
  mutation('acceptance-returns-the-quote', 'quote.accept.returns-order')
    .summary('An acceptance returns the quote in place of the order.')
    .items('quote.accept', (item, context) => {
      const { quote, party } = context;
      return quote && party?.role === 'institution' ? viewsOf(context).quote(quote) : item;
    }),
  mutation('acceptance-without-rate', 'quote.accept.returns-fx-rate')
    .summary('The order that an acceptance returns has no rate yet.')
    .dropWhen('quote.accept', byInstitution, 'fx_rate'),
  mutation('acceptance-without-winner', 'quote.accept.returns-market-maker')
    .summary('The order that an acceptance returns names no market maker yet.')
    .drop('quote.accept', 'market_maker_party_id'),
  mutation('best-quote-taken-instead', 'quote.accept.selects-named-quote')
    .summary('The best of the pending quotes is accepted, whichever was named.')
    .setParams('quote.accept', ({ quotes, params }) => {
      const pending = quotes.filter(statusIs('PENDING'));
      const best = pending.toSorted((one, other) => +one.cost - +other.cost)[0];
      return best && pending.some(({ id }) => id === params.quote_id) && { quote_id: best.id };
    }),
  mutation('latest-of-a-maker-taken-instead', 'quote.accept.selects-named-quote')
    .summary("Of a maker's two quotes the later is accepted, whichever was named.")
    .setParams('quote.accept', ({ quote, quotes }) => {
      const pending = quotes.filter(statusIs('PENDING'));
      const last = pending.findLast(({ makerPartyId }) => makerPartyId === quote?.makerPartyId);
      return last && { quote_id: last.id };
    }),
  mutation('lapsed-quote-stands-for-its-makers-other', 'order.accept.expired-quote-refused')
    .summary('Who accepts a quote that has lapsed gets another one of its maker that has not.')
    .setParams('quote.accept', ({ quote, quotes }) => {
      const pending = quotes.filter(statusIs('PENDING'));
      const other = pending.find(({ makerPartyId }) => makerPartyId === quote?.makerPartyId);
      return quote?.status === 'EXPIRED' && other && { quote_id: other.id };
    }),
  mutation('unknown-quote-takes-the-only-one', 'quote.accept.unknown-quote-refused')
    .summary('An unknown quote_id accepts the only quote there is.')
    .setParams('quote.accept', ({ quotes, params }) => {
      const [only, ...others] = quotes;
      return only && others.length === 0 && only.id !== params.quote_id && { quote_id: only.id };
    }),
  mutation('quote-of-own-other-order-accepted', 'quote.accept.quote-of-other-order-refused')
    .summary("A quote on one order can be accepted under another of the sender's orders.")
    .setParams('quote.accept', underItsOwnOrder),
  mutation('custodian-accepts-quote-of-other-order', 'quote.accept.quote-of-other-order-refused')
    .summary('A custodian may accept a quote on one order under another of the same sender.')
    .setParams('quote.accept', (context) => {
      return context.caller.role === 'custodian' && underItsOwnOrder(context);
    }),
  mutation('order-in-path-ignored-on-acceptance', 'quote.accept.unknown-order-refused')
    .summary('Only the quote in the path counts: any intent_id will do.')
    .setParams('quote.accept', (at) => !at.order && at.quote && { intent_id: at.quote.intentId }),
  mutation('closed-two-seconds-before-the-end', 'order.expires-at.acceptable-until')
    .summary('In the last two seconds of an order none of its quotes is found to accept.')
    .setParams('quote.accept', ({ order, now }) => {
      const isLate = order?.status === 'PENDING' && order.expiresAt - now < 2_000;
      return isLate && { quote_id: order.id };
    }),
  mutation('accepted-rate-through-a-float', 'order.fx-rate.of-accepted-quote')
    .summary('A settled order is read with the rate that a float makes of its own.')
    .when(statusIs('SETTLED'))
    .change('order.read', 'fx_rate', (value) => String(Number(value))),
  mutation('custodian-answer-without-rate', 'custodian-acceptance.fx-rate.present')
    .summary("The answer to a custodian's acceptance has no rate.")
    .dropWhen('quote.accept', byCustodian, 'fx_rate'),
  mutation('custodian-answer-without-moment', 'custodian-acceptance.quote-accepted-at.present')
    .summary("The answer to a custodian's acceptance does not say when.")
    .dropWhen('quote.accept', byCustodian, 'quote_accepted_at'),
  mutation('custodian-answer-names-no-quote', 'custodian-acceptance.quote-id.present')
    .summary("The answer to a custodian's acceptance does not name the quote.")
    .dropWhen('quote.accept', byCustodian, 'quote_id'),
  mutation('custodian-answer-says-accepted', 'quote.accept.custodian-returns-quoted')
    .also('custodian-acceptance.status.form')
    .summary("The answer to a custodian's acceptance has the status of the quote.")
    .setWhen('quote.accept', byCustodian, { status: 'ACCEPTED' }),
  mutation('custodian-answer-amount-number', 'custodian-acceptance.source-amount-actual.form')
    .also('convention.amounts-as-strings')
    .summary("The answer to a custodian's acceptance has its amount as a JSON number.")
    .when(byCustodian)
    .change('quote.accept', 'source_amount_actual', Number),
  mutation('custodian-answer-with-other-moment', 'quote.accept.custodian-answer-agrees')
    .summary("The answer to a custodian's acceptance gives a moment that the order does not show.")
    .when(byCustodian)
    .change('quote.accept', 'quote_accepted_at', (value) => value.replace(/\.\d+Z$/, '.999Z')),
  mutation('custodian-acceptance-never-settles', 'quote.accept.custodian-order-settles')
    .summary('Nothing starts the settlement of an order whose quote the custodian accepted.')
    .outcomes('quote.accept', (_, { caller }) => caller.role === 'custodian' && { deadlines: [] }),
  mutation('proposal-refused-to-everybody', 'proposal.accept.by-sender-custodian')
    .summary('The custodian of the sender may not accept a proposal: nobody may.')
    .allow('proposal.accept'),
  mutation('proposal-of-unknown-accepted', 'proposal.accept.unknown-refused')
    .summary('The proposal of an unknown order is accepted, without content.')
    .acceptUnknown('proposal.accept', 204),
  mutation('proposal-makes-quoted', 'proposal.accept.order-stays-legal')
    .summary('An order whose proposal was accepted reads as QUOTED.')
    .when(statusIs('PENDING'), (_, { order }) => order?.proposalAccepted)
    .set(['proposal.accept', 'order.read', 'order.list'], { status: 'QUOTED' }),
  mutation('proposal-rewrites-the-maximum', 'proposal.accept.order-stays-legal')
    .also('order.source-amount-max.unchanged')
    .summary('Accepting a proposal fills the maximum up to whole hundreds.')
    .storeOrder(({ proposalAccepted, sourceAmountMax }, before) => {
      const isNew = proposalAccepted && !before?.proposalAccepted;
      return isNew && { sourceAmountMax: `${sourceAmountMax.split('.')[0] ?? ''}99` };
    }),
  mutation('custodian-cannot-limit-its-stream', 'stream.intent-filter.for-custodian')
    .summary('A stream that is limited to one order is opened for institutions alone.')
    .ignored('order.events', ({ party, query }) => {
      return party?.role === 'custodian' && query.intent_id !== undefined;
    }),
  mutation('memo-extended-in-events', 'order.memo.unchanged')
    .summary('order_updated of a settled order carries another memo.')
    .setPayload('order_updated', ({ status, memo }) => {
      return status === 'SETTLED' && memo !== undefined && { memo: `${text(memo)} (settled)` };
    }),
];
