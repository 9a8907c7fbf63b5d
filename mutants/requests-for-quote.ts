import { quotedTimes } from './defects/conditions.ts';
import { shifted, swappedCurrencies, whole } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const makers = ['rfq.list', 'rfq.read'] as const;

/** Defects in requests for quote, and leaks to makers (2.4). */
export const rfqMutations: readonly Written[] = [
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
    .set('rfq.read', (_, { order, quotes, party }) => {
      const own = quotes.some(({ makerPartyId }) => makerPartyId === party?.partyId);
      return own && { client: order?.senderPartyId };
    }),
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
];
