import { needing, needs, part, vague } from './needs.ts';

/** Part 6: the events of a market maker. */
export const makerEventRequirements = part('6', needs.maker, {
  'event.quote-request-new.sent':
    'A new order that can be quoted sends `quote_request_new` to a market maker.',
  'event.quote-request-new.to-every-maker': needing.twoMakers(
    '`quote_request_new` goes to every market maker.',
  ),
  'event.quote-request-new.once': 'One new request sends one `quote_request_new` to a stream.',
  'event.quote-request-new.names-request': vague(
    'event.payload',
    'same-request',
    '`quote_request_new` carries the request as an object, so that its `intent_id` can be read; no field is named.',
  ),
  'event.quote-request-new.hides-sender-identity':
    '`quote_request_new` identifies neither the sender nor its custodian, at any depth.',
  'event.quote-request-new.agrees-with-read':
    'What `quote_request_new` shows is what reading the request shows.',
  'event.quote-request-expired.sent': needing.rfqExpiryTwoMakers(
    'Where one market maker has quoted a request and one has not, `quote_request_expired` tells at least one of them that it has expired.',
  ),
  'event.quote-request-expired.not-while-open':
    '`quote_request_expired` is not sent for a request that can still be quoted.',
  'event.quote-request-expired.once': needing.rfqExpiry(
    'One end of a request sends at most one `quote_request_expired` to a stream.',
  ),
  'event.quote-accepted.sent': 'The selection of a quote sends `quote_accepted` to its maker.',
  'event.quote-accepted.on-custodian-acceptance': needing.custodianMaker(
    "A selection by the sender's custodian sends `quote_accepted` as well.",
  ),
  'event.quote-accepted.not-to-others': needing.twoMakers(
    '`quote_accepted` goes to no other market maker.',
  ),
  'event.quote-accepted.once': 'One selection sends one `quote_accepted` to a stream.',
  'event.quote-accepted.has-intent-id': '`quote_accepted` names the order.',
  'event.quote-accepted.has-fx-rate': '`quote_accepted` carries the rate.',
  'event.quote-accepted.agrees-with-quote': needing.twoMakers(
    'The rate in `quote_accepted`, and what else it shows of a quote, is that of the accepted quote.',
  ),
  'event.quote-rejected.sent': needing.twoMakers(
    "The selection of another maker's quote sends `quote_rejected` to each maker whose pending quote lost.",
  ),
  'event.quote-rejected.to-every-loser': needing.threeMakers(
    'With several losers each gets `quote_rejected`.',
  ),
  'event.quote-rejected.on-custodian-acceptance': needing.custodianTwoMakers(
    "A selection by the sender's custodian sends `quote_rejected` as well.",
  ),
  'event.quote-rejected.not-to-winner': needing.twoMakers(
    '`quote_rejected` does not go to a winner with a single quote.',
  ),
  'event.quote-rejected.not-to-uninvolved': needing.threeMakers(
    '`quote_rejected` does not go to a market maker that has not quoted.',
  ),
  'event.quote-rejected.once': needing.twoMakers(
    'A maker with a single quote gets one `quote_rejected` on a stream.',
  ),
  'event.quote-rejected.has-intent-id': needing.twoMakers('`quote_rejected` names the order.'),
  'event.quote-rejected.keeps-winner-secret': vague(
    'event.payload',
    'same-request',
    needing.twoMakers('`quote_rejected` tells nothing of who won, and at which rate.'),
  ),
  'event.settlement-completed.sent': needing.settlement(
    'A settled trade sends `settlement_completed` to its maker.',
  ),
  'event.settlement-completed.not-to-others': needing.settlementTwoMakers(
    '`settlement_completed` goes to no other market maker.',
  ),
  'event.settlement-completed.once': needing.settlement(
    'One settlement sends one `settlement_completed` to a stream.',
  ),
  'event.settlement-completed.only-settled': needing.settlementFailure(
    '`settlement_completed` is not sent for a trade that has not settled.',
  ),
  'event.settlement-completed.has-transaction-hash': needing.settlement(
    '`settlement_completed` carries the transaction hash.',
  ),
  'event.settlement-completed.agrees-with-read': needing.settlement(
    'What `settlement_completed` shows is what reading the settlement shows.',
  ),
  'event.heartbeat.maker-stream': needing.heartbeatMaker(
    'A market maker stream carries `heartbeat`.',
  ),
});
