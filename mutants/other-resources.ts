import { ordersOf } from '../src/reference/core/index.ts';
import { quotedTimes, statusIs } from './defects/conditions.ts';
import { byCustodian, byMaker, hasQuoted } from './defects/stored.ts';
import { orderReads } from './defects/reading.ts';
import { cut, hashLike, shifted, swappedCurrencies, whole } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

const makers = ['rfq.list', 'rfq.read'] as const;

const both = ['settlement.list', 'settlement.read'] as const;

/** Requests for quote, settlements, and identities (2.4 to 2.8, 4.1, 9.2). */
export const resourceMutations: readonly Written[] = [
  // Defects in requests for quote, and leaks to makers (2.4).
  mutation('request-detail-lacks-expiry', 'rfq.expires-at.present')
    .summary('A single request does not say when it expires.')
    .drop('rfq.read', 'expires_at'),
  mutation('request-detail-abbreviates-the-sender', 'rfq.read.hides-sender-identity')
    .summary('A single request shows the name of its sender and the first digits of its key.')
    .leak('rfq.read', (order) => ({ from: order.senderPartyId.replace(/(?<=::.{6}).*$/, '…') })),
  mutation('request-without-memo-names-its-sender', 'rfq.read.hides-sender-identity')
    .summary('A single request whose order has no memo names its sender in place of one.')
    .set('rfq.read', (_, { order }) => order?.memo === undefined && { note: order?.senderPartyId }),
  mutation('request-list-lacks-created-at', 'rfq.created-at.present')
    .summary('Listed requests do not say when they were created.')
    .drop('rfq.list', 'created_at'),
  mutation('request-lacks-source-currency-once-quoted', 'rfq.source-currency.present')
    .summary('A request that has quotes is read without its source currency.')
    .dropWhen('rfq.read', quotedTimes(1), 'source_currency'),
  mutation('request-amount-as-number', 'rfq.target-amount.form', 'convention.amounts-as-strings')
    .summary('A single request carries its amount as a JSON number.')
    .change('rfq.read', 'target_amount', Number),
  mutation('sender-shown-to-those-who-quoted', 'rfq.read.hides-sender-identity')
    .summary('A maker that has quoted a request sees who asks.')
    .set('rfq.read', (_, about) => hasQuoted(about) && { client: about.order?.senderPartyId }),
  mutation('key-of-the-sender-cut', 'rfq.read.hides-sender-identity')
    .summary("A single request carries the first digits of the sender's key as a reference.")
    .leak('rfq.read', (order) => ({
      client_ref: order.senderPartyId.split('::')[1]?.slice(0, 16),
    })),
  mutation('custodian-deep-in-request', 'rfq.read.hides-sender-identity')
    .summary("A single request tells under settlement details which custodian's account pays.")
    .leak('rfq.read', ({ senderCustodianPartyId: from }) => ({ settlement: { legs: [{ from }] } })),
  mutation('sender-name-in-listed-requests', 'rfq.list.hides-sender-identity')
    .summary('Listed requests carry a reference made of the name of the sender and a number.')
    .leak('rfq.list', ({ senderPartyId, seq }) => ({ reference: `${senderPartyId}/${seq}` })),
  mutation('sender-on-second-page-of-requests', 'rfq.list.hides-sender-identity')
    .summary('Requests on a later page are written by the view of orders.')
    .when((_, { pagination }) => (pagination?.page ?? 1) > 1)
    .set('rfq.list', (_, { order }) => ({ sender_party_id: order?.senderPartyId })),
  mutation('sender-in-new-request-event', 'event.quote-request-new.hides-sender-identity')
    .summary('quote_request_new carries the sender.')
    .setPayload('quote_request_new', (_, { order }) => ({ sender_party_id: order?.senderPartyId })),
  mutation('sender-in-expired-request-event', 'maker.sees-no-sender-identity')
    .summary('quote_request_expired tells which custodian held the order.')
    .setPayload('quote_request_expired', (_, about) => ({
      custodian: about.order?.senderCustodianPartyId,
    })),
  mutation('sender-in-own-quotes', 'maker.sees-no-sender-identity')
    .summary('A maker finds under a request whom each of its pending quotes was made to.')
    .leak('rfq.quotes', ({ senderPartyId }) => ({ counterparty: senderPartyId })),
  mutation('sender-in-submission-answer-after-rival', 'maker.sees-no-sender-identity')
    .summary('Once a rival has quoted, the answer to a submission names the sender.')
    .when(quotedTimes(2))
    .set('quote.submit', (_, { order }) => ({ parties: { buyer: order?.senderPartyId } })),
  mutation('sender-in-header-of-submission', 'maker.sees-no-sender-identity')
    .summary('A header of the answer to a submission, left from tracing, names the sender.')
    .setAnswer('quote.submit', ({ headers }, { order }) => ({
      headers: { ...headers, 'x-counterparty': order?.senderPartyId ?? '' },
    })),
  mutation('sender-told-to-losers', 'maker.sees-no-sender-identity')
    .summary('quote_rejected tells whose order it was that the maker lost.')
    .setPayload('quote_rejected', (_, { order }) => ({ buyer: order?.senderPartyId })),
  mutation('memo-in-request-detail', 'rfq.hides-order-particulars')
    .summary('A single request shows the memo of the order.')
    .leak('rfq.read', ({ memo }) => ({ memo: memo ?? null })),
  mutation('contract-in-listed-requests', 'rfq.hides-order-particulars')
    .summary('Listed requests show the source contract.')
    .leak('rfq.list', ({ sourceContractId }) => ({ source_contract_id: sourceContractId })),
  mutation('request-currencies-swapped', 'rfq.source-currency.as-order')
    .also('rfq.target-currency.as-order')
    .summary('A single request has its currencies the wrong way round.')
    .set('rfq.read', swappedCurrencies),
  mutation('request-amount-rounded-in-list', 'rfq.target-amount.as-order')
    .summary('Listed requests show amounts in whole units.')
    .change('rfq.list', 'target_amount', whole),
  mutation('request-shows-the-maximum', 'rfq.target-amount.as-order')
    .summary('A single request shows what the sender would pay as its target amount.')
    .leak('rfq.read', ({ sourceAmountMax }) => ({ target_amount: sourceAmountMax })),
  mutation('request-created-when-read', 'rfq.created-at.as-order')
    .summary('A request is said to have been created a minute before its order.')
    .change(makers, 'created_at', (value) => shifted(value, -60_000)),
  mutation('request-expires-earlier', 'rfq.expires-at.as-order')
    .summary('Makers see requests expire five seconds before they do.')
    .rule('views', ({ rfqItem }) => ({
      rfqItem: (order) => rfqItem({ ...order, expiresAt: order.expiresAt - 5_000 }),
    })),
  mutation('request-says-for-whom', 'rfq.list.hides-sender-identity')
    .also('rfq.read.hides-sender-identity')
    .summary('A note on a request has the name of its sender among other words.')
    .leak(makers, (order) => ({ note: `for ${order.senderPartyId.split('::')[0]}, by agreement` })),
  // Settlements as their makers see them (2.5).
  mutation('settlement-list-lacks-hash', 'settlement.transaction-hash.present')
    .summary('Listed settlements have no hash; only a single one has.')
    .drop('settlement.list', 'transaction_hash'),
  mutation('settlement-lacks-delivered-amount', 'settlement.mm-delivered-target-amount.present')
    .summary('A single settlement does not say what the maker delivered.')
    .drop('settlement.read', 'mm_delivered_target_amount'),
  mutation('settlement-lacks-quote-id-among-several', 'settlement.quote-id.present')
    .summary('A settlement that was one of several quotes does not name its quote.')
    .dropWhen(both, quotedTimes(2), 'quote_id'),
  mutation('quoted-amount-missing-in-list', 'settlement.mm-quoted-source-amount.present')
    .summary('Listed settlements have no quoted amount.')
    .drop('settlement.list', 'mm_quoted_source_amount'),
  mutation('settlement-amounts-as-numbers', 'settlement.mm-quoted-source-amount.form')
    .also('convention.amounts-as-strings')
    .summary('What a maker quoted and delivered are JSON numbers in a single settlement.')
    .set('settlement.read', (item) => ({
      mm_quoted_source_amount: +String(item.mm_quoted_source_amount),
      mm_delivered_target_amount: +String(item.mm_delivered_target_amount),
    })),
  mutation('settled-at-as-local-time', 'settlement.settled-at.form', 'convention.timestamps')
    .summary('Listed settlements write settled_at with an offset in place of UTC.')
    .change('settlement.list', 'settled_at', (value) =>
      shifted(value, 3_600_000).replace('Z', '+01:00'),
    ),
  mutation('settlement-hash-in-base64', 'settlement.transaction-hash.form')
    .summary('A single settlement writes its hash in base 64.')
    .change('settlement.read', 'transaction_hash', (value) => `${value.slice(0, 40)}+/==`),
  mutation('settlement-currencies-swapped', 'settlement.source-currency.as-order')
    .also('settlement.target-currency.as-order')
    .summary('A settlement names currencies from the side of the maker: the wrong way round.')
    .set(both, swappedCurrencies),
  mutation('delivered-amount-is-source-amount', 'settlement.mm-delivered-target-amount.as-order')
    .summary('What the maker delivered is given in the source currency.')
    .set('settlement.list', (item) => ({ mm_delivered_target_amount: item.source_amount_actual })),
  mutation('quoted-amount-of-first-quote', 'settlement.mm-quoted-source-amount.as-quote')
    .summary('The quoted amount is that of the first quote on the order, whoever made it.')
    .set(both, (_, { quotes }) => ({ mm_quoted_source_amount: quotes[0]?.sourceAmount })),
  mutation('settlement-target-amount-rounded', 'settlement.target-amount.as-order')
    .summary('Listed settlements show the target amount in whole units.')
    .change('settlement.list', 'target_amount', whole),
  mutation('settlement-pays-the-maximum', 'settlement.source-amount-actual.as-order')
    .summary('A single settlement gives the maximum of the order as the actual amount.')
    .leak('settlement.read', ({ sourceAmountMax }) => ({ source_amount_actual: sourceAmountMax })),
  mutation('settlement-rate-cut', 'settlement.fx-rate.as-order')
    .summary('Settlements keep four decimals of the rate.')
    .change(both, 'fx_rate', (value) => cut(value, 4)),
  mutation('settlement-names-last-quote', 'settlement.quote-id.as-order')
    .summary('A settlement names the last quote on its order.')
    .set(both, (_, { quotes }) => ({ quote_id: quotes.at(-1)?.id })),
  mutation('settlement-hash-of-its-own', 'settlement.transaction-hash.as-order')
    .summary('A single settlement shows another hash than its order.')
    .set('settlement.read', (item) => ({ transaction_hash: hashLike(item.intent_id) })),
  mutation('settlement-settled-later', 'settlement.settled-at.as-order')
    .summary('Listed settlements settle a second after their orders.')
    .change('settlement.list', 'settled_at', (value) => shifted(value, 1_000)),
  mutation('settlement-shows-sender', 'settlement.hides-sender-identity')
    .summary('A single settlement shows who was the sender.')
    .leak('settlement.read', ({ senderPartyId }) => ({ sender_party_id: senderPartyId })),
  mutation('settlement-drifts-with-reads', 'settlement.unchanged')
    .summary('From the second read on a settlement has settled a millisecond later.')
    .when((item, context) => context.count(`read ${String(item.intent_id)}`) > 1)
    .change('settlement.read', 'settled_at', (value) => shifted(value, 1)),
  mutation('reverted-order-keeps-a-hash', 'settlement.atomic')
    .summary('An order whose settlement reverted keeps a transaction hash.')
    .storeOrder(({ failureReason, settled }, _before, { now }) => {
      const isReverted = failureReason === 'REVERT' && !settled;
      return isReverted && { settled: { transactionHash: 'ab'.repeat(32), at: now } };
    }),
  mutation('hash-stored-after-the-state', 'order.settled.sets-hash')
    .summary('The hash is written half a second after the order was made SETTLED.')
    .when((_, { order, now }) => order?.settled && now - order.settled.at < 500)
    .drop(orderReads, 'transaction_hash', 'settled_at'),
  // The token result, the identity result and the stats (2.6 to 2.8, 4.1, 9.2).
  mutation('token-for-the-party-asked-for', 'auth.identity-from-backend')
    .summary('A request for a token that names a party of this service gets that party.')
    .set('token.create', (_, { query, parties }) => {
      const named = parties.find(({ partyId }) => partyId === query.party_id);
      return named && { canton_party_id: named.partyId, role: named.role };
    }),
  mutation('token-lifetime-as-text', 'token.expires-in.form')
    .summary('expires_in is a text.')
    .change('token.create', 'expires_in', (value) => value),
  mutation('token-lifetime-in-milliseconds', 'token.exp-matches-expires-in')
    .summary('expires_in is in milliseconds.')
    .change('token.create', 'expires_in', (value) => Number(value) * 1000),
  mutation('token-lifetime-zero-for-custodians', 'token.expires-in.positive')
    .summary('Custodians are told that their tokens expire at once.')
    .set('token.create', (item) => item.role === 'custodian' && { expires_in: 0 }),
  mutation('token-result-without-party', 'token.canton-party-id.present')
    .summary('The token result of market makers names no party.')
    .dropWhen('token.create', (item) => item.role === 'market-maker', 'canton_party_id'),
  mutation('token-role-in-snake-case', 'token.role.form', 'token.role.as-claim')
    .summary('The role of a market maker is written with an underscore in the token result.')
    .change('token.create', 'role', (value) => value.replace('-', '_')),
  mutation('token-role-of-custodian-as-institution', 'token.role.as-claim')
    .summary('A custodian is an institution in its token result, not in its token.')
    .set('token.create', (item) => item.role === 'custodian' && { role: 'institution' }),
  mutation('token-result-names-operator', 'token.canton-party-id.as-claim')
    .summary('The token result names the first party of the service, whoever asked.')
    .set('token.create', (_, { parties }) => ({ canton_party_id: parties[0]?.partyId })),
  mutation('whoami-without-operator', 'identity.operator-party-id.present')
    .summary('whoami does not name the operator to market makers.')
    .dropWhen('identity.read', byMaker, 'operator_party_id'),
  mutation('whoami-participant-null', 'identity.participant-id.form')
    .also('identity.participant-id.present')
    .summary('Without a ledger participant_id is null and not an empty string.')
    .set('identity.read', { participant_id: null }),
  mutation('whoami-without-participant', 'identity.participant-id.present')
    .summary('Without a ledger there is no participant_id.')
    .drop('identity.read', 'participant_id'),
  mutation('whoami-participant-looked-up-each-time', 'identity.participant-id.stable')
    .summary('participant_id is looked up anew for each answer.')
    .set('identity.read', (_, context) => ({
      participant_id: `participant-${context.count('participant')}`,
    })),
  mutation('whoami-operator-of-the-day', 'identity.operator-party-id.stable')
    .summary('The operator that whoami names is another one after midnight.')
    .set('identity.read', ({ operator_party_id: operator }, { now }) => ({
      operator_party_id: `${String(operator)}${Math.floor(now / 86_400_000).toString(16)}`,
    })),
  mutation('whoami-names-operator-as-party', 'identity.party-id.as-token')
    .summary('Custodians are told the party of the operator as their own.')
    .setWhen('identity.read', byCustodian, (item) => ({ party_id: item.operator_party_id })),
  mutation('whoami-role-of-makers-short', 'identity.role.form', 'identity.role.as-token')
    .summary('The role of a market maker is "maker" for whoami.')
    .setWhen('identity.read', byMaker, { role: 'maker' }),
  mutation('whoami-operator-without-namespace', 'identity.operator-party-id.form')
    .also('convention.parties')
    .summary('The operator is named without its namespace.')
    .change('identity.read', 'operator_party_id', (value) => value.split('::')[0]),
  mutation('schema-version-v1-for-custodians', 'version.schema-pinned')
    .summary('The backends of custodians still say v1.')
    .setWhen('identity.read', byCustodian, { schema_version: 'v1' }),
  mutation('schema-version-with-minor', 'version.schema-pinned')
    .summary('The schema version is v2.1.')
    .set('identity.read', { schema_version: 'v2.1' }),
  mutation('schema-version-a-number', 'identity.schema-version.form')
    .summary('The schema version is the number 2.')
    .set('identity.read', { schema_version: 2 }),
  mutation('stats-as-a-list', 'stats.read.returns-object')
    .summary('The stats of institutions are a list of figures.')
    .setData('stats.read', (data, { party }) => {
      return party?.role === 'institution' ? Object.entries(data as object) : data;
    }),
  mutation('health-fails-for-makers', 'health.read.succeeds')
    .summary('The backend of a market maker says that it is not well, though it is.')
    .setAnswer('health.read', (_, { party }) => party?.role === 'market-maker' && { status: 503 }),
  mutation('whoami-names-last-client', 'maker.sees-no-sender-identity')
    .summary('A market maker that asks who it is reads beside it whose order was the last.')
    .setWhen('identity.read', byMaker, (_, { state }) => ({
      last_client: ordersOf(state).at(-1)?.senderPartyId,
    })),
  mutation('stats-of-makers-list-open-orders', 'stats.read.hides-sender-identity')
    .summary('The stats of a market maker list the clients whose orders are open.')
    .setWhen('stats.read', byMaker, (_, { state }) => {
      const open = ordersOf(state).filter(statusIs('PENDING'));
      return { open_clients: open.map(({ senderPartyId }) => senderPartyId) };
    }),
];
