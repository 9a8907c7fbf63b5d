import {
  failing,
  must,
  needing,
  ordering,
  requesting,
  rivalry,
  settling,
  unseen,
  vague,
  waits,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 2.1: the envelope and its pages, beyond the presence and form of each field. */
export const envelopeRequirements = {
  'envelope.data-present': must('2.1', 'A result carries `data`.', ordering),
  'envelope.data-object-or-array': must('2.1', '`data` is an object or an array.', ordering),
  'envelope.item-data-is-object': must('2.1', '`data` of a single result is an object.', ordering),
  'envelope.list-data-is-array': must('2.1', '`data` of a list result is an array.', ordering),
  'envelope.meta-present': must('2.1', 'A result carries `meta`, an object.', ordering),
  'envelope.pagination-on-lists': must('2.1', 'A list result carries `pagination`.', ordering),
  'envelope.pagination-on-lists-only': must(
    '2.1',
    'A result that is no list carries no `pagination`.',
    ordering,
  ),
  'meta.timestamp.time-of-response': must(
    '2.1',
    '`meta.timestamp` lies between the sending of the request and the arrival of the answer.',
    ordering,
  ),
  'meta.request-id.not-empty': must(
    '2.1',
    '`meta.request_id` identifies: it is not empty.',
    ordering,
  ),
  'meta.request-id.distinct': vague(
    '2.1',
    '`meta.request_id` tells requests apart: no two have the same.',
    ordering,
  ),
  'pagination.page-size.holds': must(
    '2.1',
    'A page holds no more items than `pagination.page_size` says.',
    ordering,
  ),
  'pagination.page-size.full-before-last': must(
    '2.1',
    'A page that is not the last holds as many items as `pagination.page_size` says.',
    ordering,
  ),
  'pagination.total-items.counts': must(
    '2.1',
    '`pagination.total_items` is the number of items over all pages.',
    ordering,
  ),
  'pagination.total-pages.arithmetic': must(
    '2.1',
    '`pagination.total_pages` is the number of pages that so many items of that size fill; of no items it is open.',
    ordering,
  ),
  'pagination.page.as-asked': must(
    '2.1',
    '`pagination.page` is the page that was asked for, where pages are asked for by number.',
    ordering,
  ),
  'list.pages-disjoint': must(
    '2.1',
    'No item is on two pages of a list that does not change.',
    ordering,
  ),
  'list.pages-complete': must(
    '2.1',
    'The pages of a list that does not change hold every item together.',
    ordering,
  ),
} as const satisfies Record<string, Requirement>;

/** Part 2.2: what the order's fields mean. */
export const orderRequirements = {
  'order.intent-id.unique': must('2.2', 'No two orders share an `intent_id`.', ordering),
  'order.intent-id.unchanged': must('2.2', 'An order keeps its `intent_id`.', settling),
  'order.sender-party-id.is-creator': must(
    '2.2',
    '`sender_party_id` is the institution that created the order.',
    ordering,
  ),
  'order.sender-party-id.unchanged': must('2.2', 'An order keeps its `sender_party_id`.', settling),
  'order.created-at.at-creation': must(
    '2.2',
    '`created_at` is the moment at which the order was created.',
    ordering,
  ),
  'order.created-at.unchanged': must('2.2', 'An order keeps its `created_at`.', settling),
  'order.expires-at.after-creation': must('2.2', '`expires_at` lies after `created_at`.', ordering),
  'order.expires-at.unchanged': vague('2.2', 'An order keeps its `expires_at`.', settling),
  'order.quote-id.names-accepted-quote': must(
    '2.2',
    '`quote_id` of an order is the quote that was accepted.',
    rivalry,
  ),
  'order.market-maker-party-id.is-winner': must(
    '2.2',
    '`market_maker_party_id` of an order is the party whose quote was accepted.',
    rivalry,
  ),
  'order.fx-rate.of-accepted-quote': must(
    '2.2',
    '`fx_rate` of an order is the rate of the accepted quote.',
    rivalry,
  ),
  'order.source-amount-actual.of-accepted-quote': must(
    '2.2',
    '`source_amount_actual` is the source amount of the accepted quote.',
    rivalry,
  ),
  'order.source-amount-actual.agrees-with-rate': must(
    '2.2',
    '`source_amount_actual`, `fx_rate` and the target amount agree, in one of the two orientations, up to the last place shown.',
    requesting,
  ),
  'order.source-amount-actual.at-most-max': must(
    '2.2',
    '`source_amount_actual` is never above `source_amount_max`.',
    requesting,
  ),
  'order.quote-accepted-at.at-acceptance': must(
    '2.2',
    '`quote_accepted_at` is the moment at which the quote was accepted.',
    requesting,
  ),
  'order.settled-at.at-settlement': must(
    '2.2',
    '`settled_at` lies after `quote_accepted_at` and not after the order was first seen SETTLED.',
    settling,
  ),
  'order.failure-reason.admissible': vague(
    '2.2',
    'The failure reason of an order, in whichever field, is one of the six values.',
    failing,
  ),
  'order.failure-reason.only-when-ended': vague(
    '2.2',
    'Only an order that ended without settling has a failure reason.',
    settling,
  ),
  'order.failure-reason.no-quote': vague(
    '2.2',
    'An order that nobody quoted before it expired has the reason NO_QUOTE, where an expiry has one.',
    needing(['sender'], { waitMs: waits.orderExpiryMs }),
  ),
  'order.failure-reason.slippage': vague(
    '2.2',
    'SLIPPAGE is the reason of an order that failed on the price of its best quote.',
    needing(['sender', 'maker_a'], { waitMs: waits.orderExpiryMs }),
  ),
  'order.failure-reason.timeout': vague(
    '2.2',
    'An order whose settlement outlasted its window has the reason TIMEOUT.',
    needing(['sender', 'maker_a'], {
      waitMs: waits.settlementWindowMs,
      controls: ['stall_settlement'],
    }),
  ),
  'order.failure-reason.revert': must(
    '2.2',
    'Where an order whose settlement was reverted shows a reason, it is REVERT.',
    failing,
  ),
  'order.failure-reason.user-cancelled': must(
    '2.2',
    'Where an order that its sender cancelled shows a reason, it is USER_CANCELLED.',
    ordering,
  ),
  'order.failure-reason.operator-withdrawn': must(
    '2.2',
    'Where an order that the operator withdrew shows a reason, it is OPERATOR_WITHDRAWN.',
    needing(['sender'], { controls: ['withdraw_order'] }),
  ),
} as const satisfies Record<string, Requirement>;

/** Parts 2.3 to 2.8. */
export const otherResourceRequirements = {
  'quote.quote-id.unique': must('2.3', 'No two quotes share a `quote_id`.', rivalry),
  'quote.intent-id.names-order': must(
    '2.3',
    '`intent_id` of a quote is the order that it quotes.',
    requesting,
  ),
  'quote.market-maker-party-id.is-submitter': must(
    '2.3',
    '`market_maker_party_id` of a quote is the party that submitted it.',
    rivalry,
  ),
  'quote.fx-rate.as-submitted': must(
    '2.3',
    'The order-side list shows the rate that the market maker submitted.',
    requesting,
  ),
  'quote.target-amount.as-submitted': must(
    '2.3',
    "The order-side list shows the order's own target amount for a quote submitted with it at the rate one.",
    requesting,
  ),
  'quote.valid-until.as-submitted': must(
    '2.3',
    "The order-side list shows the deadline that was submitted, where it is not beyond the order's.",
    requesting,
  ),
  'quote.source-amount.agrees-with-rate': must(
    '2.3',
    '`source_amount`, `target_amount` and `fx_rate` of a quote agree, in one of the two orientations, up to the last place shown.',
    requesting,
  ),
  'quote.submitted-at.at-submission': must(
    '2.3',
    '`submitted_at` is the moment at which the quote was submitted.',
    requesting,
  ),
  'quote.views-agree': must(
    '2.3',
    'A quote has the same rate, deadline and moment of submission for its maker and for the order side.',
    requesting,
  ),
  'quote.terms-unchanged': must(
    '2.3',
    'A quote keeps its id, order, maker, rate, amounts, deadline and moment of submission.',
    requesting,
  ),
  'own-quote.intent-id.echo': must(
    '2.3',
    'The answer to a submission names the order that was quoted.',
    requesting,
  ),
  'own-quote.fx-rate.echo': must(
    '2.3',
    'The answer to a submission, and the own lists, show the rate that was sent.',
    requesting,
  ),
  'own-quote.target-amount.echo': must(
    '2.3',
    'The answer to a submission, and the own lists, show the amount that was sent.',
    requesting,
  ),
  'own-quote.valid-until.echo': must(
    '2.3',
    "The answer to a submission, and the own lists, show the deadline that was sent, where it is not beyond the order's.",
    requesting,
  ),
  'rfq.list.hides-sender-identity': must(
    '2.4',
    "No listed request identifies the sender or the sender's custodian, at any depth.",
    requesting,
  ),
  'rfq.read.hides-sender-identity': must(
    '2.4',
    "A single request does not identify the sender or the sender's custodian, at any depth.",
    requesting,
  ),
  'maker.sees-no-sender-identity': must(
    '2.4',
    "Nothing else that a market maker receives while a request is open identifies the sender or the sender's custodian.",
    requesting,
  ),
  'rfq.hides-order-particulars': vague(
    '2.4',
    'A request shows nothing that could point to its sender: no receiver, contract, signature or memo.',
    requesting,
  ),
  'rfq.source-currency.as-order': must(
    '2.4',
    '`source_currency` of a request is that of the order.',
    requesting,
  ),
  'rfq.target-currency.as-order': must(
    '2.4',
    '`target_currency` of a request is that of the order.',
    requesting,
  ),
  'rfq.target-amount.as-order': must(
    '2.4',
    '`target_amount` of a request is that of the order.',
    requesting,
  ),
  'rfq.created-at.as-order': vague(
    '2.4',
    '`created_at` of a request is that of the order.',
    requesting,
  ),
  'rfq.expires-at.as-order': vague(
    '2.4',
    '`expires_at` of a request is that of the order.',
    requesting,
  ),
  'settlement.source-currency.as-order': must(
    '2.5',
    '`source_currency` of a settlement is that of the order.',
    settling,
  ),
  'settlement.target-currency.as-order': must(
    '2.5',
    '`target_currency` of a settlement is that of the order.',
    settling,
  ),
  'settlement.target-amount.as-order': must(
    '2.5',
    '`target_amount` of a settlement is that of the order.',
    settling,
  ),
  'settlement.source-amount-actual.as-order': must(
    '2.5',
    '`source_amount_actual` of a settlement is that of the order.',
    settling,
  ),
  'settlement.fx-rate.as-order': must(
    '2.5',
    '`fx_rate` of a settlement is that of the order.',
    settling,
  ),
  'settlement.quote-id.as-order': must(
    '2.5',
    '`quote_id` of a settlement is that of the order.',
    settling,
  ),
  'settlement.transaction-hash.as-order': must(
    '2.5',
    '`transaction_hash` of a settlement is that of the order.',
    settling,
  ),
  'settlement.settled-at.as-order': must(
    '2.5',
    '`settled_at` of a settlement is that of the order.',
    settling,
  ),
  'settlement.mm-quoted-source-amount.as-quote': must(
    '2.5',
    '`mm_quoted_source_amount` is the source amount of the quote that won.',
    settling,
  ),
  'settlement.mm-delivered-target-amount.as-order': must(
    '2.5',
    "`mm_delivered_target_amount` is the order's target amount, where the quote was for that amount.",
    settling,
  ),
  'settlement.hides-sender-identity': vague(
    '2.5',
    'A settlement identifies neither the sender nor its custodian.',
    settling,
  ),
  'settlement.unchanged': must('2.5', 'A settlement never changes once it is shown.', settling),
  'token.expires-in.positive': must(
    '2.6',
    '`expires_in` is a positive number of seconds.',
    ordering,
  ),
  'token.role.as-claim': must(
    '2.6',
    '`role` of a token result is the role that the token claims.',
    ordering,
  ),
  'token.canton-party-id.as-claim': must(
    '2.6',
    '`canton_party_id` of a token result is the party that the token claims.',
    ordering,
  ),
  'token.token.is-jwt': must(
    '2.6',
    '`token` is a JWT: three parts whose first two decode to JSON objects.',
    ordering,
  ),
  'identity.participant-id.stable': must(
    '2.7',
    '`participant_id` is found at start-up, so it stays the same from one answer to the next.',
    ordering,
  ),
  'identity.participant-id.empty-in-sandbox': unseen(
    '2.7',
    '`participant_id` is empty where the backend runs without a ledger, and only there.',
    'How the backend was configured cannot be seen from outside.',
  ),
  'stats.read.orders-and-volume': unseen(
    '2.8',
    'The stats of an institution or a custodian give order counts and settlement volume.',
    'The names of the fields are not shown, so no number can be told from another.',
  ),
  'stats.read.quoting-and-volume': unseen(
    '2.8',
    'The stats of a market maker give quoting performance and volume.',
    'The names of the fields are not shown, so no number can be told from another.',
  ),
} as const satisfies Record<string, Requirement>;
