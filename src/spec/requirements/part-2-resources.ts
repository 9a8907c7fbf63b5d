import { needing, needs, notObservable, part, vague } from './needs.ts';

/** Parts 2.3 to 2.8. */
export const otherResourceRequirements = {
  ...part('2.3', needs.maker, {
    'quote.quote-id.unique': needing.twoMakers('No two quotes share a `quote_id`.'),
    'quote.intent-id.names-order': '`intent_id` of a quote is the order that it quotes.',
    'quote.market-maker-party-id.is-submitter': needing.twoMakers(
      '`market_maker_party_id` of a quote is the party that submitted it.',
    ),
    'quote.fx-rate.as-submitted':
      'The order-side list shows the rate that the market maker submitted.',
    'quote.target-amount.as-submitted':
      "The order-side list shows the order's own target amount for a quote submitted with it at the rate one.",
    'quote.valid-until.as-submitted':
      "The order-side list shows the deadline that was submitted, where it is not beyond the order's.",
    'quote.source-amount.agrees-with-rate':
      '`source_amount`, `target_amount` and `fx_rate` of a quote agree, in one of the two orientations, up to the last place shown.',
    'quote.submitted-at.at-submission':
      '`submitted_at` is the moment at which the quote was submitted.',
    'quote.views-agree':
      'A quote has the same rate, deadline and moment of submission for its maker and for the order side.',
    'quote.terms-unchanged':
      'A quote keeps its id, order, maker, rate, amounts, deadline and moment of submission.',
    'own-quote.intent-id.echo': 'The answer to a submission names the order that was quoted.',
    'own-quote.fx-rate.echo':
      'The answer to a submission, and the own lists, show the rate that was sent.',
    'own-quote.target-amount.echo': 'The answer to a submission shows the amount that was sent.',
    'own-quote.valid-until.echo':
      "The answer to a submission, and the own lists, show the deadline that was sent, where it is not beyond the order's.",
  }),
  ...part('2.4', needs.maker, {
    'rfq.list.hides-sender-identity':
      "No listed request identifies the sender or the sender's custodian, at any depth.",
    'rfq.read.hides-sender-identity':
      "A single request does not identify the sender or the sender's custodian, at any depth.",
    'maker.sees-no-sender-identity':
      "Nothing else that a market maker receives of a request that it has not won identifies the sender or the sender's custodian.",
    'rfq.senders-not-told-apart': needing.outsiderMaker(
      'Nothing that comes to a market maker with requests is the same for all of one sender and another for those of another.',
    ),
    'rfq.list.answers-nothing-of-senders': needing.outsiderMaker(
      'No filter that a market maker tries, and no count, tells which requests are of a sender that it names.',
    ),
    'rfq.hides-order-particulars': vague(
      'rfq.detail',
      'same-request',
      'A request shows nothing that could point to its sender: no receiver, contract, signature or memo.',
    ),
    'rfq.source-currency.as-order': '`source_currency` of a request is that of the order.',
    'rfq.target-currency.as-order': '`target_currency` of a request is that of the order.',
    'rfq.target-amount.as-order': '`target_amount` of a request is that of the order.',
    'rfq.created-at.as-order': vague(
      'rfq.times',
      'same-request',
      '`created_at` of a request is that of the order.',
    ),
    'rfq.expires-at.as-order': vague(
      'rfq.times',
      'same-request',
      '`expires_at` of a request is that of the order.',
    ),
  }),
  ...part('2.5', needs.settlement, {
    'settlement.source-currency.as-order':
      '`source_currency` of a settlement is that of the order.',
    'settlement.target-currency.as-order':
      '`target_currency` of a settlement is that of the order.',
    'settlement.target-amount.as-order': '`target_amount` of a settlement is that of the order.',
    'settlement.source-amount-actual.as-order':
      '`source_amount_actual` of a settlement is that of the order.',
    'settlement.fx-rate.as-order': '`fx_rate` of a settlement is that of the order.',
    'settlement.quote-id.as-order': '`quote_id` of a settlement is that of the order.',
    'settlement.transaction-hash.as-order':
      '`transaction_hash` of a settlement is that of the order.',
    'settlement.settled-at.as-order': '`settled_at` of a settlement is that of the order.',
    'settlement.mm-quoted-source-amount.as-quote':
      '`mm_quoted_source_amount` is the source amount of the quote that won.',
    'settlement.mm-delivered-target-amount.as-order':
      "`mm_delivered_target_amount` is the order's target amount, where the quote was for that amount.",
    'settlement.hides-sender-identity': vague(
      'result.extra_fields',
      'same-request',
      'A settlement identifies neither the sender nor its custodian.',
    ),
    'settlement.unchanged': 'A settlement never changes once it is shown.',
  }),
  ...part('2.6', needs.sender, {
    'token.expires-in.positive': '`expires_in` is a positive number of seconds.',
    'token.role.as-claim': '`role` of a token result is the role that the token claims.',
    'token.canton-party-id.as-claim':
      '`canton_party_id` of a token result is the party that the token claims.',
    'token.token.is-jwt': '`token` is a JWT: three parts whose first two decode to JSON objects.',
  }),
  ...part('2.7', needs.sender, {
    'identity.participant-id.stable':
      '`participant_id` is found at start-up, so it stays the same from one answer to the next.',
    'identity.participant-id.empty-in-sandbox': notObservable(
      '`participant_id` is empty where the backend runs without a ledger, and only there.',
      'How the backend was configured cannot be seen from outside.',
    ),
  }),
  ...part('2.8', needs.maker, {
    'stats.read.hides-sender-identity': vague(
      'stats.fields',
      'never',
      'The stats of a market maker identify no sender that it has not traded with, nor its custodian.',
    ),
    'stats.read.orders-and-volume': notObservable(
      'The stats of an institution or a custodian give order counts and settlement volume.',
      'The names of the fields are not shown, so no number can be told from another.',
    ),
    'stats.read.quoting-and-volume': notObservable(
      'The stats of a market maker give quoting performance and volume.',
      'The names of the fields are not shown, so no number can be told from another.',
    ),
  }),
};
