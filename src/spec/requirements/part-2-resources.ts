import { family } from './families.ts';
import { at, breach, needs, notObservable, of, part, vague } from './needs.ts';

const asOnOrder = [
  'source_currency',
  'target_currency',
  'target_amount',
  'source_amount_actual',
  'fx_rate',
  'quote_id',
  'transaction_hash',
  'settled_at',
] as const;

/** Parts 2.3 to 2.8. */
export const otherResourceRequirements = {
  ...part('2.3', needs.maker, {
    'quote.quote-id.unique': of('quote_id').twoMakers('No two quotes share a `quote_id`.'),
    'quote.intent-id.names-order': of('intent_id')(
      '`intent_id` of a quote is the order that it quotes.',
    ),
    'quote.market-maker-party-id.is-submitter': of('market_maker_party_id').twoMakers(
      '`market_maker_party_id` of a quote is the party that submitted it.',
    ),
    'quote.fx-rate.as-submitted': of('fx_rate')(
      'The order-side list shows the rate that the market maker submitted.',
    ),
    'quote.target-amount.as-submitted': of('target_amount')(
      "The order-side list shows the order's own target amount for a quote submitted with it at the rate one.",
    ),
    'quote.valid-until.as-submitted': of('valid_until')(
      "The order-side list shows the deadline that was submitted, where it is not beyond the order's.",
    ),
    'quote.source-amount.agrees-with-rate': of('source_amount')(
      '`source_amount`, `target_amount` and `fx_rate` of a quote agree, in one of the two orientations, up to the last place shown.',
    ),
    'quote.submitted-at.at-submission': of('submitted_at')(
      '`submitted_at` is the moment at which the quote was submitted.',
    ),
    'quote.views-agree':
      'A quote has the same rate, deadline and moment of submission for its maker and for the order side.',
    'quote.terms-unchanged': breach('changed')(
      'A quote keeps its id, order, maker, rate, amounts, deadline and moment of submission.',
    ),
    'own-quote.intent-id.echo': of('intent_id')(
      'The answer to a submission names the order that was quoted.',
    ),
    'own-quote.fx-rate.echo': of('fx_rate')(
      'The answer to a submission, and the own lists, show the rate that was sent.',
    ),
    'own-quote.target-amount.echo': of('target_amount')(
      'The answer to a submission shows the amount that was sent.',
    ),
    'own-quote.valid-until.echo': of('valid_until')(
      "The answer to a submission, and the own lists, show the deadline that was sent, where it is not beyond the order's.",
    ),
  }),
  ...part('2.4', needs.maker, {
    'rfq.list.hides-sender-identity': breach('gives away', { endpoint: 'rfq.list' })(
      "No listed request identifies the sender or the sender's custodian, at any depth.",
    ),
    'rfq.read.hides-sender-identity': breach('gives away', { endpoint: 'rfq.read' })(
      "A single request does not identify the sender or the sender's custodian, at any depth.",
    ),
    'maker.sees-no-sender-identity': breach('gives away')(
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
  ...family(
    'rfq',
    ['source_currency', 'target_currency', 'target_amount'],
    'as-order',
    '2.4',
    needs.maker,
    ({ name }) => `\`${name}\` of a request is that of the order.`,
  ),
  ...family('rfq', ['created_at', 'expires_at'], 'as-order', '2.4', needs.maker, ({ name }) =>
    vague('rfq.times', 'same-request').says(`\`${name}\` of a request is that of the order.`),
  ),
  ...family(
    'settlement',
    asOnOrder,
    'as-order',
    '2.5',
    needs.settlement,
    ({ name }) => `\`${name}\` of a settlement is that of the order.`,
  ),
  ...part('2.5', needs.settlement, {
    'settlement.mm-quoted-source-amount.as-quote': of('mm_quoted_source_amount')(
      '`mm_quoted_source_amount` is the source amount of the quote that won.',
    ),
    'settlement.mm-delivered-target-amount.as-order': of('mm_delivered_target_amount')(
      "`mm_delivered_target_amount` is the order's target amount, where the quote was for that amount.",
    ),
    'settlement.hides-sender-identity': vague(
      'result.extra_fields',
      'same-request',
      'gives away',
    ).says('A settlement identifies neither the sender nor its custodian.'),
    'settlement.unchanged': breach('changed')('A settlement never changes once it is shown.'),
  }),
  ...part('2.6', needs.sender, {
    'token.expires-in.positive': of('expires_in')('`expires_in` is a positive number of seconds.'),
    'token.role.as-claim': of('role')(
      '`role` of a token result is the role that the token claims.',
    ),
    'token.canton-party-id.as-claim': of('canton_party_id')(
      '`canton_party_id` of a token result is the party that the token claims.',
    ),
    'token.token.is-jwt': breach(
      'wrong form',
      'token',
    )('`token` is a JWT: three parts whose first two decode to JSON objects.'),
  }),
  ...part('2.7', needs.sender, {
    'identity.participant-id.stable': breach(
      'changed',
      'participant_id',
    )('`participant_id` is found at start-up, so it stays the same from one answer to the next.'),
    'identity.operator-party-id.stable': breach(
      'changed',
      'operator_party_id',
    )('The operator party stays the same from one answer to the next.'),
    'identity.participant-id.empty-in-sandbox': notObservable(
      '`participant_id` is empty where the backend runs without a ledger, and only there.',
      'How the backend was configured cannot be seen from outside.',
    ),
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
