import { dropWhen } from './defects/answers.ts';
import { byCustodian } from './defects/callers.ts';
import { has, lacks, noted, quotedTimes, reasonIs, statusIs } from './defects/conditions.ts';
import { note } from './defects/outcomes.ts';
import { orderAnswers, orderReads } from './defects/reading.ts';
import { cut, hashLike, shifted, whole, without, written } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

/** Fields of an order that an acceptance or a settlement sets: when they are there (2.2). */
export const acceptanceFieldMutations: readonly Written[] = [
  mutation('quote-id-only-when-executing', 'order.quote-id.set-on-acceptance')
    .summary('quote_id of an order is set when its settlement starts, not on acceptance.')
    .dropWhen(orderAnswers, statusIs('QUOTED'), 'quote_id'),
  mutation('winner-hidden-from-custodian', 'order.market-maker-party-id.set-on-acceptance')
    .summary('A custodian reads an accepted order without its market maker.')
    .dropWhen(orderReads, byCustodian, 'market_maker_party_id'),
  mutation('rate-missing-in-list-once-settled', 'order.fx-rate.set-on-acceptance')
    .summary('Filtered by SETTLED, orders are listed without their rate.')
    .dropWhen('order.list', (_, { query }) => query.status === 'SETTLED', 'fx_rate'),
  mutation('actual-amount-only-when-settled', 'order.source-amount-actual.set-on-acceptance')
    .also('quote.accept.returns-source-amount-actual')
    .summary('source_amount_actual is set when the order settles, not on acceptance.')
    .dropWhen(orderAnswers, (item) => item.status !== 'SETTLED', 'source_amount_actual'),
  mutation('accepted-at-missing-after-custodian', 'order.quote-accepted-at.set-on-acceptance')
    .summary('An order whose quote the custodian accepted has no quote_accepted_at when read.')
    .together(
      note('quote.accept', ({ caller, params }, { reply }) => {
        return caller.role === 'custodian' && reply?.ok && params.intent_id;
      }),
      dropWhen(orderReads, noted, 'quote_accepted_at'),
    ),
  mutation('best-quote-shown-while-pending', 'order.fx-rate.not-before-acceptance')
    .summary('A pending order with quotes shows the rate of the first.')
    .when(statusIs('PENDING'), quotedTimes(1))
    .set(orderReads, (_, { quotes }) => ({ fx_rate: quotes[0]?.rate })),
  mutation('only-quote-counts-as-chosen', 'order.quote-id.not-before-acceptance')
    .summary('A pending order with a single quote names that quote in lists.')
    .when(statusIs('PENDING'), (_, { quotes }) => quotes.length === 1)
    .set('order.list', (_, { quotes }) => ({ quote_id: quotes[0]?.id })),
  mutation('maker-of-last-quote-on-expired', 'order.market-maker-party-id.not-before-acceptance')
    .summary('An order that expired unaccepted names the maker of its last quote.')
    .when(statusIs('EXPIRED'), lacks('quote_id'), quotedTimes(1))
    .set(orderReads, (_, { quotes }) => ({ market_maker_party_id: quotes.at(-1)?.makerPartyId })),
  mutation('actual-amount-starts-as-maximum', 'order.source-amount-actual.not-before-acceptance')
    .summary('A created order is returned with its maximum as the actual amount.')
    .set('order.create', (item) => ({ source_amount_actual: item.source_amount_max })),
  mutation('accepted-at-of-proposal', 'order.quote-accepted-at.not-before-acceptance')
    .summary('An accepted proposal fills in quote_accepted_at.')
    .when(lacks('quote_accepted_at'), (_, { order }) => order?.proposalAccepted)
    .set(['proposal.accept', ...orderReads], (item) => ({ quote_accepted_at: item.created_at })),
  mutation('rate-changes-when-settled', 'order.fx-rate.unchanged')
    .summary('Once settled an order shows its rate with four decimals at most.')
    .when(statusIs('SETTLED'))
    .change(orderAnswers, 'fx_rate', (value) => cut(value, 4)),
  mutation('actual-amount-rounded-when-settled', 'order.source-amount-actual.unchanged')
    .summary('Once settled the actual amount is shown as whole units.')
    .when(statusIs('SETTLED'))
    .change(orderAnswers, 'source_amount_actual', whole),
  mutation('winner-gone-once-failed', 'order.market-maker-party-id.unchanged')
    .summary('An order whose settlement failed names no market maker any more.')
    .rule('views', (views) => ({
      order: (order) => {
        const dropped = order.failureReason === 'REVERT' ? ['market_maker_party_id'] : [];
        return without(views.order(order) as never, ...dropped);
      },
    })),
  mutation('settled-event-names-a-rival-quote', 'order.quote-id.unchanged')
    .summary('order_updated of a settled order names another quote than the accepted one.')
    .setPayloadWhen('order_updated', statusIs('SETTLED'), (_, { quotes }) => {
      const rival = quotes.find(statusIs('REJECTED'));
      return rival && { quote_id: rival.id };
    }),
  mutation('accepted-at-moves-when-executing', 'order.quote-accepted-at.unchanged')
    .summary('quote_accepted_at becomes the start of the settlement.')
    .storeOrder(({ status, accepted }, before, { now }) => {
      const isStart = status === 'EXECUTING' && before?.status === 'QUOTED' && accepted;
      return isStart && { accepted: { ...accepted, acceptedAt: now } };
    }),
  mutation('hash-known-when-executing', 'order.transaction-hash.not-before-settlement')
    .summary('The hash of the transaction shows while the settlement still runs.')
    .when(statusIs('EXECUTING'))
    .set('order.read', (item) => ({ transaction_hash: hashLike(item.quote_id) })),
  mutation('settled-at-foretold', 'order.settled-at.not-before-settlement')
    .summary('Lists show as settled_at when an executing order is going to settle.')
    .when(statusIs('EXECUTING'))
    .set('order.list', (item) => ({ settled_at: shifted(item.quote_accepted_at, 4_000) })),
  mutation('hash-of-a-cancelled-acceptance', 'settlement.atomic')
    .summary('An order that was cancelled after a quote had been accepted carries a hash.')
    .when(reasonIs('USER_CANCELLED'), has('quote_id'))
    .set(orderReads, (item) => ({ transaction_hash: hashLike(item.quote_id) })),
  mutation('hash-missing-for-custodian', 'order.transaction-hash.set-on-settlement')
    .summary('A custodian reads settled orders without their hash.')
    .dropWhen('order.read', byCustodian, 'transaction_hash'),
  mutation('settled-at-missing-in-filtered-lists', 'order.settled-at.set-on-settlement')
    .also('order.settled.sets-hash')
    .summary('Filtered lists show settled orders without settled_at.')
    .dropWhen('order.list', (_, { query }) => query.status !== undefined, 'settled_at'),
  mutation('hash-changes-with-each-reader', 'order.transaction-hash.unchanged')
    .summary('The hash that a custodian reads is in reverse.')
    .when(byCustodian, has('transaction_hash'))
    .change(orderReads, 'transaction_hash', (value) => value.split('').toReversed().join('')),
  mutation('settled-at-is-now', 'order.settled-at.unchanged')
    .summary('settled_at of an order is the moment at which it is read.')
    .setWhen('order.read', has('settled_at'), (_, { now }) => ({ settled_at: written(now) })),
];
