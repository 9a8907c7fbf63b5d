import type { Order } from '../src/reference/core/index.ts';
import { dropWhen } from './defects/answers.ts';
import { has, lacks, noted, quotedTimes, reasonIs, statusIs } from './defects/conditions.ts';
import { byCustodian, byInstitution, endedAs, isCancelled } from './defects/stored.ts';
import { note } from './defects/outcomes.ts';
import { orderAnswers, orderIn, orderReads, ordersBy } from './defects/reading.ts';
import {
  type Json,
  cut,
  decodedInPieces,
  hashLike,
  shifted,
  whole,
  without,
  written,
} from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

/** Copy of a JSON value in which cancelled orders, at any depth, have the state CANCELLED. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one));
  if (typeof value !== 'object' || value === null) return value;
  const item = value as Json;
  if (item.failure_reason === 'USER_CANCELLED') return { ...item, status: 'CANCELLED' };
  return Object.fromEntries(Object.entries(item).map(([name, one]) => [name, renamed(one)]));
}

const asAscii = (memo: string): string =>
  Array.from(memo, (one) => ((one.codePointAt(0) ?? 0) < 128 ? one : '?')).join('');

const isAccepted = (after: Order, before: Order | undefined): boolean =>
  before !== undefined && after.accepted !== undefined && !before.accepted;

/** Fields of orders: presence and values (2.2). */
export const orderFieldMutations: readonly Written[] = [
  // Defects in the fields that an order has from its creation on: presence and values (2.2).
  mutation('list-leaves-out-sender', 'order.sender-party-id.present')
    .summary('Lists of orders leave out who sent them, as the caller knows.')
    .drop('order.list', 'sender_party_id'),
  mutation('sender-as-the-body-says', 'order.sender-party-id.is-creator')
    .summary('An order is created for whichever sender its body names.')
    .set('order.create', (item, { requestBody }) => ({
      sender_party_id: (requestBody as Json | undefined)?.sender_party_id ?? item.sender_party_id,
    })),
  mutation('expiry-gone-once-accepted', 'order.expires-at.present')
    .summary('An order with an accepted quote shows no expires_at any more.')
    .dropWhen(orderAnswers, has('quote_id'), 'expires_at'),
  mutation('created-at-gone-from-cancelled', 'order.created-at.present')
    .summary('A cancelled order is read without created_at.')
    .dropWhen('order.read', statusIs('FAILED'), 'created_at'),
  mutation('status-missing-on-later-pages', 'order.status.present')
    .summary('Orders on a later page of a list are abridged: they carry no status.')
    .dropWhen('order.list', (_, { pagination }) => (pagination?.page ?? 1) > 1, 'status'),
  mutation('id-missing-in-filtered-lists-of-custodian', 'order.intent-id.present')
    .summary("A custodian's filtered list names orders under id in place of intent_id.")
    .when(byCustodian, (_, { query }) => query.status !== undefined)
    .set('order.list', (item) => ({ id: item.intent_id, intent_id: undefined })),
  mutation('signature-withheld-from-custodian', 'order.intent-signature.present')
    .summary("The sender's custodian reads an order without its signature.")
    .dropWhen('order.read', byCustodian, 'intent_signature'),
  mutation('contract-withheld-in-lists', 'order.source-contract-id.present')
    .summary('Lists show no source contract once an order has settled.')
    .dropWhen('order.list', statusIs('SETTLED'), 'source_contract_id'),
  mutation('receiver-gone-when-expired', 'order.receiver-party-id.present')
    .also('order.receiver-party-id.unchanged')
    .summary('An expired order does not show who was to receive.')
    .dropWhen(orderAnswers, statusIs('EXPIRED'), 'receiver_party_id'),
  mutation('maximum-withheld-from-receiver-custodian', 'order.source-amount-max.present')
    .summary("The receiver's custodian reads orders without their maximum.")
    .when((_, { order, party }) => order?.receiverCustodianPartyId === party?.partyId)
    .drop('order.read', 'source_amount_max'),
  mutation('acceptance-answer-lacks-target-currency', 'order.target-currency.present')
    .summary('The order that an acceptance returns has no target currency.')
    .dropWhen('quote.accept', byInstitution, 'target_currency'),
  mutation('status-in-lower-case-on-creation', 'order.status.form', 'order.create.returns-pending')
    .summary('A created order has the status in lower case.')
    .change('order.create', 'status', (value) => value.toLowerCase()),
  mutation('cancelled-is-a-state', 'order.status.form', 'order.state.cancel-ends-order')
    .summary('A cancelled order is CANCELLED, a state of its own.')
    .response((wire) => {
      if (wire.status >= 300) return wire;
      return { ...wire, body: renamed(wire.body) };
    }),
  mutation('settling-in-place-of-executing', 'order.status.form')
    .summary('order_updated calls EXECUTING by another name, SETTLING.')
    .setPayloadWhen('order_updated', statusIs('EXECUTING'), { status: 'SETTLING' }),
  mutation('expiry-without-zone', 'order.expires-at.form', 'convention.timestamps')
    .summary("A custodian's list writes expires_at without the zone.")
    .when(byCustodian)
    .change('order.list', 'expires_at', (value) => value.replace('Z', '')),
  mutation('hash-with-prefix', 'order.transaction-hash.form')
    .summary('The transaction hash of an order is written with 0x before it, in lists.')
    .change('order.list', 'transaction_hash', (value) => `0x${value}`),
  mutation('memo-echoed-trimmed', 'order.memo.echo')
    .summary('A memo loses what is beyond its first forty characters.')
    .storeOrder((after) => after.memo !== undefined && { memo: after.memo.slice(0, 40) }),
  mutation('memo-without-its-blanks', 'order.memo.echo')
    .summary('Blanks at the ends of a memo are not stored.')
    .storeOrder((after) => after.memo !== undefined && { memo: after.memo.trim() }),
  mutation('memo-as-ascii', 'order.memo.echo')
    .summary('Characters of a memo that are no ASCII are read back as question marks.')
    .change(orderAnswers, 'memo', asAscii),
  mutation('amount-loses-long-decimals', 'order.target-amount.echo')
    .summary('A target amount keeps two decimals of those that were sent.')
    .storeOrder((after) => ({ targetAmount: after.targetAmount.replace(/(\.\d\d)\d+$/, '$1') })),
  mutation('amount-cut-to-eight-decimals', 'order.target-amount.echo')
    .summary('A target amount is stored with eight decimals, and loses those beyond.')
    .storeOrder((after) => ({ targetAmount: after.targetAmount.replace(/(\.\d{8})\d+$/, '$1') })),
  mutation('maximum-through-a-float', 'order.source-amount-max.echo')
    .summary('A maximum goes through a floating-point number: long ones lose their last digits.')
    .set(orderAnswers, ({ source_amount_max: most }) => {
      const isLong = String(most).replace('.', '').length > 15;
      return isLong && { source_amount_max: String(Number(most)) };
    }),
  mutation('custodians-swapped-for-custodian', 'order.sender-custodian-party-id.echo')
    .also('order.receiver-custodian-party-id.echo')
    .summary('A custodian reads both custodians of an order the wrong way round.')
    .setWhen('order.read', byCustodian, (item) => ({
      sender_custodian_party_id: item.receiver_custodian_party_id,
      receiver_custodian_party_id: item.sender_custodian_party_id,
    })),
  mutation('receiver-is-the-sender-in-lists', 'order.receiver-party-id.echo')
    .summary('Lists of orders show the sender as the receiver.')
    .set('order.list', (item) => ({ receiver_party_id: item.sender_party_id })),
  mutation('contract-index-lost', 'order.source-contract-id.echo', 'order.source-contract-id.form')
    .summary('The index of a source contract is lost when the order is read.')
    .change('order.read', 'source_contract_id', (value) => value.split('#')[0]),
  mutation('signature-truncated', 'order.intent-signature.echo')
    .summary('A signature is kept in a column of 64 characters.')
    .change(orderReads, 'intent_signature', (value) => value.slice(0, 64)),
  mutation('currencies-swapped-in-acceptance', 'order.source-currency.echo')
    .also('order.target-currency.echo')
    .summary('The order that an acceptance returns has its currencies the wrong way round.')
    .setWhen('quote.accept', byInstitution, (item) => ({
      source_currency: item.target_currency,
      target_currency: item.source_currency,
    })),
  mutation('second-order-shares-contract', 'order.source-contract-id.echo')
    .summary('With two orders open the newer is shown over the contract of the older.')
    .set('order.read', (_, context) => {
      const { order } = context;
      const open = ordersBy(context, order?.senderPartyId).filter(statusIs('PENDING'));
      const isNewer = open.length > 1 && open.at(-1)?.id === order?.id;
      return isNewer && { source_contract_id: open[0]?.sourceContractId };
    }),
  mutation('read-answers-the-neighbour', 'order.read.returns-that-order')
    .also('order.intent-id.unchanged')
    .summary('An order that has failed is read under the id of the one created before it.')
    .set('order.read', ({ status }, context) => {
      const { senderPartyId, seq = 0 } = context.order ?? {};
      const before = ordersBy(context, senderPartyId).filter((one) => one.seq < seq);
      return status === 'FAILED' && before.length > 0 && { intent_id: before.at(-1)?.id };
    }),
  mutation('sender-is-the-custodian', 'order.sender-party-id.is-creator')
    .summary('In the list of a custodian an order is sent by the custodian itself.')
    .setWhen('order.list', byCustodian, (_, { party }) => ({ sender_party_id: party?.partyId })),
  mutation('created-at-of-the-request-before', 'order.created-at.at-creation')
    .summary('created_at is rounded down to a whole minute.')
    .storeOrder(({ createdAt: at }, before) => !before && { createdAt: at - (at % 60_000) }),
  mutation('created-at-moves-with-changes', 'order.created-at.unchanged')
    .summary('created_at is the moment of the last change once a quote is accepted.')
    .storeOrder((after, before, { now }) => isAccepted(after, before) && { createdAt: now }),
  mutation('expired-before-created', 'order.expires-at.after-creation')
    .summary('A custodian reads expires_at in a zone nine hours behind, said to be UTC.')
    .when(byCustodian)
    .change(orderReads, 'expires_at', (value) => shifted(value, -9 * 3_600_000)),
  mutation('expiry-extended-by-quotes', 'order.expires-at.unchanged')
    .summary('A cancel moves expires_at to its own moment.')
    .storeOrder((after, before, { now }) => before && isCancelled(after) && { expiresAt: now }),
  mutation('ids-shared-after-a-cancel', 'order.intent-id.unique')
    .summary('The answer to a creation after a cancel names the cancelled order.')
    .set('order.create', (item, context) => {
      const last = ordersBy(context, item.sender_party_id).findLast(endedAs('USER_CANCELLED'));
      return last && context.count(last.id) === 1 && { intent_id: last.id };
    }),
  mutation('amount-read-up-to-the-first-letter', 'order.create.malformed-amount-refused')
    .summary('Of a target amount that begins as a number the rest is ignored.')
    .setBody('order.create', ({ target_amount: amount }) => {
      const begin = /^(\d+(?:\.\d+)?)[^\d.eE+-]/.exec(String(amount));
      return begin && { target_amount: begin[1] };
    }),
  mutation('every-fifth-order-not-listed', 'order.list.complete')
    .summary('Every fifth order of a sender is missing from its unfiltered list.')
    .setData('order.list', (data, context) => {
      const isHidden = (item: Json) => (orderIn(context, item)?.seq ?? 0) % 5 === 4;
      if (context.query.status !== undefined) return data;
      return (data as readonly Json[]).filter((item) => !isHidden(item));
    }),
  mutation('memo-without-marks-between-brackets', 'order.memo.echo')
    .summary('A memo is read without what stands between angle brackets.')
    .change(orderReads, 'memo', (memo) => memo.replace(/<[^>]*>/g, '')),
  mutation('tiny-amount-with-an-exponent', 'order.target-amount.form')
    .summary('An amount below a millionth is written with an exponent.')
    .set('order.read', (item) => {
      const amount = Number(item.target_amount);
      return amount < 1e-6 && { target_amount: String(amount) };
    }),
  mutation('memo-escaped-for-a-page', 'order.memo.echo')
    .summary('A memo is read with its ampersands escaped as in HTML.')
    .change('order.read', 'memo', (memo) => memo.replaceAll('&', '&amp;')),
  mutation('memo-broken-at-each-kilobyte', 'order.memo.echo')
    .summary(
      'A body is decoded in pieces of a kilobyte: a character that is cut becomes two others.',
    )
    .setBody('order.create', ({ memo }) => {
      return typeof memo === 'string' && { memo: decodedInPieces(memo, 1_024) };
    }),
  mutation('blanks-of-a-memo-run-together', 'order.memo.echo')
    .summary('Several blanks between two words of a memo become one.')
    .change(orderAnswers, 'memo', (memo) => memo.replaceAll(/(?<=\S) +(?=\S)/g, ' ')),
  // Fields of an order that an acceptance or a settlement sets: when they are there (2.2).
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
  mutation('accepted-at-moves-with-a-proposal', 'order.quote-accepted-at.unchanged')
    .also('order.quote-accepted-at.at-acceptance')
    .summary('Where a proposal is accepted after a quote, quote_accepted_at is the moment of that.')
    .storeOrder(({ accepted, proposalAccepted }, before, { now }) => {
      const isLate = proposalAccepted && before?.proposalAccepted === false && accepted;
      return isLate && { accepted: { ...accepted, acceptedAt: now } };
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
