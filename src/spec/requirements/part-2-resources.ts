import {
  must,
  needsSender,
  needsMaker,
  needsTwoMakers,
  needsSettlement,
  notObservable,
  vague,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Parts 2.3 to 2.8. */
export const otherResourceRequirements = {
  'quote.quote-id.unique': must('2.3', 'No two quotes share a `quote_id`.', needsTwoMakers),
  'quote.intent-id.names-order': must(
    '2.3',
    '`intent_id` of a quote is the order that it quotes.',
    needsMaker,
  ),
  'quote.market-maker-party-id.is-submitter': must(
    '2.3',
    '`market_maker_party_id` of a quote is the party that submitted it.',
    needsTwoMakers,
  ),
  'quote.fx-rate.as-submitted': must(
    '2.3',
    'The order-side list shows the rate that the market maker submitted.',
    needsMaker,
  ),
  'quote.target-amount.as-submitted': must(
    '2.3',
    "The order-side list shows the order's own target amount for a quote submitted with it at the rate one.",
    needsMaker,
  ),
  'quote.valid-until.as-submitted': must(
    '2.3',
    "The order-side list shows the deadline that was submitted, where it is not beyond the order's.",
    needsMaker,
  ),
  'quote.source-amount.agrees-with-rate': must(
    '2.3',
    '`source_amount`, `target_amount` and `fx_rate` of a quote agree, in one of the two orientations, up to the last place shown.',
    needsMaker,
  ),
  'quote.submitted-at.at-submission': must(
    '2.3',
    '`submitted_at` is the moment at which the quote was submitted.',
    needsMaker,
  ),
  'quote.views-agree': must(
    '2.3',
    'A quote has the same rate, deadline and moment of submission for its maker and for the order side.',
    needsMaker,
  ),
  'quote.terms-unchanged': must(
    '2.3',
    'A quote keeps its id, order, maker, rate, amounts, deadline and moment of submission.',
    needsMaker,
  ),
  'own-quote.intent-id.echo': must(
    '2.3',
    'The answer to a submission names the order that was quoted.',
    needsMaker,
  ),
  'own-quote.fx-rate.echo': must(
    '2.3',
    'The answer to a submission, and the own lists, show the rate that was sent.',
    needsMaker,
  ),
  'own-quote.target-amount.echo': must(
    '2.3',
    'The answer to a submission shows the amount that was sent.',
    needsMaker,
  ),
  'own-quote.valid-until.echo': must(
    '2.3',
    "The answer to a submission, and the own lists, show the deadline that was sent, where it is not beyond the order's.",
    needsMaker,
  ),
  'rfq.list.hides-sender-identity': must(
    '2.4',
    "No listed request identifies the sender or the sender's custodian, at any depth.",
    needsMaker,
  ),
  'rfq.read.hides-sender-identity': must(
    '2.4',
    "A single request does not identify the sender or the sender's custodian, at any depth.",
    needsMaker,
  ),
  'maker.sees-no-sender-identity': must(
    '2.4',
    "Nothing else that a market maker receives of a request that it has not won identifies the sender or the sender's custodian.",
    needsMaker,
  ),
  'rfq.hides-order-particulars': vague(
    '2.4',
    'A request shows nothing that could point to its sender: no receiver, contract, signature or memo.',
    needsMaker,
  ),
  'rfq.source-currency.as-order': must(
    '2.4',
    '`source_currency` of a request is that of the order.',
    needsMaker,
  ),
  'rfq.target-currency.as-order': must(
    '2.4',
    '`target_currency` of a request is that of the order.',
    needsMaker,
  ),
  'rfq.target-amount.as-order': must(
    '2.4',
    '`target_amount` of a request is that of the order.',
    needsMaker,
  ),
  'rfq.created-at.as-order': vague(
    '2.4',
    '`created_at` of a request is that of the order.',
    needsMaker,
  ),
  'rfq.expires-at.as-order': vague(
    '2.4',
    '`expires_at` of a request is that of the order.',
    needsMaker,
  ),
  'settlement.source-currency.as-order': must(
    '2.5',
    '`source_currency` of a settlement is that of the order.',
    needsSettlement,
  ),
  'settlement.target-currency.as-order': must(
    '2.5',
    '`target_currency` of a settlement is that of the order.',
    needsSettlement,
  ),
  'settlement.target-amount.as-order': must(
    '2.5',
    '`target_amount` of a settlement is that of the order.',
    needsSettlement,
  ),
  'settlement.source-amount-actual.as-order': must(
    '2.5',
    '`source_amount_actual` of a settlement is that of the order.',
    needsSettlement,
  ),
  'settlement.fx-rate.as-order': must(
    '2.5',
    '`fx_rate` of a settlement is that of the order.',
    needsSettlement,
  ),
  'settlement.quote-id.as-order': must(
    '2.5',
    '`quote_id` of a settlement is that of the order.',
    needsSettlement,
  ),
  'settlement.transaction-hash.as-order': must(
    '2.5',
    '`transaction_hash` of a settlement is that of the order.',
    needsSettlement,
  ),
  'settlement.settled-at.as-order': must(
    '2.5',
    '`settled_at` of a settlement is that of the order.',
    needsSettlement,
  ),
  'settlement.mm-quoted-source-amount.as-quote': must(
    '2.5',
    '`mm_quoted_source_amount` is the source amount of the quote that won.',
    needsSettlement,
  ),
  'settlement.mm-delivered-target-amount.as-order': must(
    '2.5',
    "`mm_delivered_target_amount` is the order's target amount, where the quote was for that amount.",
    needsSettlement,
  ),
  'settlement.hides-sender-identity': vague(
    '2.5',
    'A settlement identifies neither the sender nor its custodian.',
    needsSettlement,
  ),
  'settlement.unchanged': must(
    '2.5',
    'A settlement never changes once it is shown.',
    needsSettlement,
  ),
  'token.expires-in.positive': must(
    '2.6',
    '`expires_in` is a positive number of seconds.',
    needsSender,
  ),
  'token.role.as-claim': must(
    '2.6',
    '`role` of a token result is the role that the token claims.',
    needsSender,
  ),
  'token.canton-party-id.as-claim': must(
    '2.6',
    '`canton_party_id` of a token result is the party that the token claims.',
    needsSender,
  ),
  'token.token.is-jwt': must(
    '2.6',
    '`token` is a JWT: three parts whose first two decode to JSON objects.',
    needsSender,
  ),
  'identity.participant-id.stable': must(
    '2.7',
    '`participant_id` is found at start-up, so it stays the same from one answer to the next.',
    needsSender,
  ),
  'identity.participant-id.empty-in-sandbox': notObservable(
    '2.7',
    '`participant_id` is empty where the backend runs without a ledger, and only there.',
    'How the backend was configured cannot be seen from outside.',
  ),
  'stats.read.hides-sender-identity': vague(
    '2.8',
    'The stats of a market maker identify no sender that it has not traded with, nor its custodian.',
    needsMaker,
  ),
  'stats.read.orders-and-volume': notObservable(
    '2.8',
    'The stats of an institution or a custodian give order counts and settlement volume.',
    'The names of the fields are not shown, so no number can be told from another.',
  ),
  'stats.read.quoting-and-volume': notObservable(
    '2.8',
    'The stats of a market maker give quoting performance and volume.',
    'The names of the fields are not shown, so no number can be told from another.',
  ),
} as const satisfies Record<string, Requirement>;
