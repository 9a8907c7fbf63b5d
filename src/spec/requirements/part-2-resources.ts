import { ofFields } from './families.ts';
import { needs } from './needs.ts';
import { at, breach, needing, notObservable, of, part, vague } from './statements.ts';

/** Parts 2.3 to 2.8. */
export const otherResourceRequirements = {
  ...ofFields('quote', '2.3', needs.maker, {
    quote_id: { unique: needing.twoMakers('No two quotes share a `quote_id`.') },
    intent_id: { 'names-order': '`intent_id` of a quote is the order that it quotes.' },
    market_maker_party_id: {
      'is-submitter': needing.twoMakers(
        '`market_maker_party_id` of a quote is the party that submitted it.',
      ),
    },
    fx_rate: {
      'as-submitted': 'The order-side list shows the rate that the market maker submitted.',
    },
    target_amount: {
      'as-submitted':
        "The order-side list shows the order's own target amount for a quote submitted with it at the rate one.",
    },
    valid_until: {
      'as-submitted':
        "The order-side list shows the deadline that was submitted, where it is not beyond the order's.",
    },
    source_amount: {
      'agrees-with-rate':
        '`source_amount`, `target_amount` and `fx_rate` of a quote agree, in one of the two orientations, up to the last place shown.',
    },
    submitted_at: {
      'at-submission': '`submitted_at` is the moment at which the quote was submitted.',
    },
  }),
  ...part('2.3', needs.maker, {
    'quote.views-agree':
      'A quote has the same rate, deadline and moment of submission for its maker and for the order side.',
    'quote.terms-unchanged': breach('changed').says(
      'A quote keeps its id, order, maker, rate, amounts, deadline and moment of submission.',
    ),
  }),
  ...ofFields('own-quote', '2.3', needs.maker, {
    intent_id: { echo: 'The answer to a submission names the order that was quoted.' },
    fx_rate: {
      echo: 'The answer to a submission, and the own lists, show the rate that was sent.',
    },
    target_amount: { echo: 'The answer to a submission shows the amount that was sent.' },
    valid_until: {
      echo: "The answer to a submission, and the own lists, show the deadline that was sent, where it is not beyond the order's.",
    },
  }),
  ...part('2.4', needs.maker, {
    'rfq.list.hides-sender-identity': breach('gives away', { endpoint: 'rfq.list' }).says(
      "No listed request identifies the sender or the sender's custodian, at any depth.",
    ),
    'rfq.read.hides-sender-identity': breach('gives away', { endpoint: 'rfq.read' }).says(
      "A single request does not identify the sender or the sender's custodian, at any depth.",
    ),
    'maker.sees-no-sender-identity': breach('gives away').says(
      "Nothing else that a market maker receives of a request that it has not won identifies the sender or the sender's custodian.",
    ),
    'rfq.senders-not-told-apart': breach('gives away').outsiderMaker(
      'Nothing that comes to a market maker with requests is the same for all of one sender and another for those of another.',
    ),
    'rfq.list.answers-nothing-of-senders': of({ endpoint: 'rfq.list' }).outsiderMaker(
      'No filter that a market maker tries, and no count, tells which requests are of a sender that it names.',
    ),
    'rfq.hides-order-particulars': vague('rfq.detail', 'same-request', 'gives away').says(
      'A request shows nothing that could point to its sender: no receiver, contract, signature or memo.',
    ),
  }),
  ...ofFields('rfq', '2.4', needs.maker, {
    source_currency: { 'as-order': '`source_currency` of a request is that of the order.' },
    target_currency: { 'as-order': '`target_currency` of a request is that of the order.' },
    target_amount: { 'as-order': '`target_amount` of a request is that of the order.' },
    created_at: {
      'as-order': vague('rfq.times', 'same-request').says(
        '`created_at` of a request is that of the order.',
      ),
    },
    expires_at: {
      'as-order': vague('rfq.times', 'same-request').says(
        '`expires_at` of a request is that of the order.',
      ),
    },
  }),
  ...ofFields('settlement', '2.5', needs.settlement, {
    source_currency: { 'as-order': '`source_currency` of a settlement is that of the order.' },
    target_currency: { 'as-order': '`target_currency` of a settlement is that of the order.' },
    target_amount: { 'as-order': '`target_amount` of a settlement is that of the order.' },
    source_amount_actual: {
      'as-order': '`source_amount_actual` of a settlement is that of the order.',
    },
    fx_rate: { 'as-order': '`fx_rate` of a settlement is that of the order.' },
    quote_id: { 'as-order': '`quote_id` of a settlement is that of the order.' },
    transaction_hash: { 'as-order': '`transaction_hash` of a settlement is that of the order.' },
    settled_at: { 'as-order': '`settled_at` of a settlement is that of the order.' },
    mm_quoted_source_amount: {
      'as-quote': '`mm_quoted_source_amount` is the source amount of the quote that won.',
    },
    mm_delivered_target_amount: {
      'as-order':
        "`mm_delivered_target_amount` is the order's target amount, where the quote was for that amount.",
    },
  }),
  ...part('2.5', needs.settlement, {
    'settlement.hides-sender-identity': vague(
      'result.extra_fields',
      'same-request',
      'gives away',
    ).says('A settlement identifies neither the sender nor its custodian.'),
    'settlement.unchanged': breach('changed').says('A settlement never changes once it is shown.'),
  }),
  ...ofFields('token', '2.6', needs.sender, {
    expires_in: { positive: '`expires_in` is a positive number of seconds.' },
    role: { 'as-claim': '`role` of a token result is the role that the token claims.' },
    canton_party_id: {
      'as-claim': '`canton_party_id` of a token result is the party that the token claims.',
    },
    token: {
      'is-jwt': breach('wrong form').says(
        '`token` is a JWT: three parts whose first two decode to JSON objects.',
      ),
    },
  }),
  ...ofFields('identity', '2.7', needs.sender, {
    participant_id: {
      stable: breach('changed').says(
        '`participant_id` is found at start-up, so it stays the same from one answer to the next.',
      ),
      'empty-in-sandbox': notObservable(
        '`participant_id` is empty where the backend runs without a ledger, and only there.',
        'How the backend was configured cannot be seen from outside.',
      ),
    },
  }),
  ...at('stats.read')('2.8', needs.maker, {
    'hides-sender-identity': vague('stats.fields', 'never', 'gives away').says(
      'The stats of a market maker identify no sender that it has not traded with, nor its custodian.',
    ),
    'orders-and-volume': notObservable(
      'The stats of an institution or a custodian give order counts and settlement volume.',
      'The names of the fields are not shown, so no number can be told from another.',
    ),
    'quoting-and-volume': notObservable(
      'The stats of a market maker give quoting performance and volume.',
      'The names of the fields are not shown, so no number can be told from another.',
    ),
  }),
};
