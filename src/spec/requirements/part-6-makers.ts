import { breach, needing, needs, on, vague } from './needs.ts';

/** Part 6: the events of a market maker. */
export const makerEventRequirements = {
  ...on('quote_request_new')('6', needs.maker, {
    sent: breach('not sent')(
      'A new order that can be quoted sends `quote_request_new` to a market maker.',
    ),
    'to-every-maker': breach('not sent').twoMakers(
      '`quote_request_new` goes to every market maker.',
    ),
    once: breach('repeated')('One new request sends one `quote_request_new` to a stream.'),
    'names-request': vague('event.payload', 'same-request').says(
      '`quote_request_new` carries the request as an object, so that its `intent_id` can be read; no field is named.',
    ),
    'hides-sender-identity': breach('gives away')(
      '`quote_request_new` identifies neither the sender nor its custodian, at any depth.',
    ),
    'agrees-with-read': 'What `quote_request_new` shows is what reading the request shows.',
  }),
  ...on('quote_request_expired')('6', needs.maker, {
    sent: breach('not sent').rfqExpiryTwoMakers(
      'Where one market maker has quoted a request and one has not, `quote_request_expired` tells at least one of them that it has expired.',
    ),
    'not-while-open': breach('out of order')(
      '`quote_request_expired` is not sent for a request that can still be quoted.',
    ),
    once: breach('repeated').rfqExpiry(
      'One end of a request sends at most one `quote_request_expired` to a stream.',
    ),
  }),
  ...on('quote_accepted')('6', needs.maker, {
    sent: breach('not sent')('The selection of a quote sends `quote_accepted` to its maker.'),
    'on-custodian-acceptance': breach('not sent').custodianMaker(
      "A selection by the sender's custodian sends `quote_accepted` as well.",
    ),
    'not-to-others': breach('to others').twoMakers(
      '`quote_accepted` goes to no other market maker.',
    ),
    once: breach('repeated')('One selection sends one `quote_accepted` to a stream.'),
    'has-intent-id': breach('missing', 'intent_id')('`quote_accepted` names the order.'),
    'has-fx-rate': breach('missing', 'fx_rate')('`quote_accepted` carries the rate.'),
    'agrees-with-quote': needing.twoMakers(
      'The rate in `quote_accepted`, and what else it shows of a quote, is that of the accepted quote.',
    ),
  }),
  ...on('quote_rejected')('6', needs.twoMakers, {
    sent: breach('not sent')(
      "The selection of another maker's quote sends `quote_rejected` to each maker whose pending quote lost.",
    ),
    'to-every-loser': breach('not sent').threeMakers(
      'With several losers each gets `quote_rejected`.',
    ),
    'on-custodian-acceptance': breach('not sent').custodianTwoMakers(
      "A selection by the sender's custodian sends `quote_rejected` as well.",
    ),
    'not-to-winner': breach('to others')(
      '`quote_rejected` does not go to a winner with a single quote.',
    ),
    'not-to-uninvolved': breach('to others').threeMakers(
      '`quote_rejected` does not go to a market maker that has not quoted.',
    ),
    once: breach('repeated')('A maker with a single quote gets one `quote_rejected` on a stream.'),
    'has-intent-id': breach('missing', 'intent_id')('`quote_rejected` names the order.'),
    'keeps-winner-secret': vague('event.payload', 'same-request', 'gives away').says(
      '`quote_rejected` tells nothing of who won, and at which rate.',
    ),
  }),
  ...on('settlement_completed')('6', needs.settlement, {
    sent: breach('not sent')('A settled trade sends `settlement_completed` to its maker.'),
    'not-to-others': breach('to others').settlementTwoMakers(
      '`settlement_completed` goes to no other market maker.',
    ),
    once: breach('repeated')('One settlement sends one `settlement_completed` to a stream.'),
    'only-settled': breach('out of order').settlementFailure(
      '`settlement_completed` is not sent for a trade that has not settled.',
    ),
    'has-transaction-hash': breach(
      'missing',
      'transaction_hash',
    )('`settlement_completed` carries the transaction hash.'),
    'agrees-with-read': 'What `settlement_completed` shows is what reading the settlement shows.',
  }),
  ...on('heartbeat')('6', needs.heartbeatMaker, {
    'maker-stream': breach('not sent')('A market maker stream carries `heartbeat`.'),
  }),
};
