import { silence } from './gap.ts';

export const quoteGaps = {
  'quote.target_amount': silence('2.3', {
    question: 'Which amount does the `target_amount` of a submitted quote denote?',
    values: ['target', 'source'],
    because: 'It is named so.',
    observe: 'quote with a rate other than one and compare `source_amount` in the order-side list',
  }),
  'quote.amount_match': silence('2.3', {
    question: 'Must a quote be for the whole amount of the order?',
    values: ['equal', 'any'],
    others: 'within a tolerance',
    because: "The receiver is to get the order's amount.",
    observe: 'quote another amount',
  }),
  'quote.rate_orientation': silence('2.3', {
    question: 'Is `fx_rate` target per source or source per target?',
    values: ['target-per-source', 'source-per-target'],
    because: 'What one unit that you have buys.',
    observe: 'quote a rate other than one and compare the amounts',
  }),
  'money.format': silence('2.2', {
    question: 'How many decimals do computed amounts have, and how are they rounded?',
    values: ['minor-unit-up', '8-decimals-zeros', '10-decimals-trimmed', 'minor-unit-half-even'],
    others: 'any number of decimals, any rounding to the last one',
    because: 'A currency is paid in its minor unit; rounded up, the maker never loses.',
    observe: 'read `source_amount` of a quote whose division does not end',
  }),
  'quote.above_max': silence('2.2', {
    question: 'What happens to a quote above `source_amount_max`?',
    values: ['refuse-accept', 'refuse-submit', 'fail-order'],
    others:
      'the acceptance fails the order at once or a little later; only an amount paid above the maximum is forbidden',
    because: 'The maker does not know the maximum, the sender does.',
    observe: 'quote above the maximum and accept it',
  }),
  'quote.twice': silence('3.2', {
    question: 'May a market maker quote twice on one request?',
    values: ['allow', 'refuse', 'replace'],
    because: "A better price is in everybody's interest.",
    observe: 'quote twice',
  }),
  'quote.winner_others': silence('3.2', {
    question: "What becomes of the winner's other quotes on the order?",
    values: ['REJECTED', 'PENDING'],
    others: 'EXPIRED',
    because: 'They were not selected.',
    observe: 'quote twice, accept one',
  }),
  'quote.orphans': silence('3.2', {
    question: 'What becomes of the pending quotes of an order that was cancelled or has expired?',
    values: ['lapse', 'EXPIRED', 'REJECTED'],
    because:
      'Part 3.2 ends them by acceptance or by time only; `lapse` leaves them PENDING until their `valid_until`.',
    observe: 'cancel an order with a quote and list the quotes',
  }),
  'quote.past_validity': silence('2.3', {
    question: 'What answers a quote whose `valid_until` has passed already?',
    values: ['refuse', 'expired'],
    because: 'It could never be used.',
    observe: 'quote with a moment in the past',
  }),
  'quote.beyond_expiry': silence('2.3', {
    question: 'May a quote be valid longer than its order?',
    values: ['allow', 'refuse'],
    others: "shortened to the order's",
    because: "The order's own deadline ends it anyway.",
    observe: 'quote with a later `valid_until`',
  }),
  'quote.max_validity': silence('8', {
    question: 'How long may a quote be valid?',
    values: ['none', '1h'],
    others: 'any bound, below or above',
    because: 'No bound is stated.',
    observe: 'a quote that was refused and is taken with a shorter validity',
  }),
  'accept.again': silence('4.2', {
    question: 'What answers a second acceptance of the accepted quote?',
    values: ['refuse', 'repeat'],
    because: 'The order is no longer PENDING.',
    observe: 'accept twice',
  }),
  'time.boundary': silence('3.2', {
    question: 'At the very millisecond of `valid_until` or `expires_at`, has it passed?',
    values: ['passed', 'not-yet'],
    because: 'A deadline is the first moment at which it is too late.',
    observe: 'not observed: neither answer can be wrong',
  }),
  'settlement.beyond_validity': silence('3.1', {
    question: 'What if `valid_until` passes while the order is EXECUTING?',
    values: ['settles', 'fails'],
    because: "3.1 lets a quote's deadline end only a QUOTED order.",
    observe: 'accept shortly before `valid_until`',
  }),
  'rfq.detail': silence('2.4', {
    question: 'Which extra fields has a single request for quote?',
    values: ['none', 'status', 'own-quotes'],
    others: "anything that does not identify the sender's side",
    because: 'Nothing more is needed to quote.',
    observe: 'read one request',
  }),
  'rfq.closed': silence('4.4', {
    question: 'Can a request be read that is no longer active?',
    values: ['refuse', 'read'],
    others: 'only by makers that quoted',
    because: 'It can no longer be quoted.',
    observe: 'read a request after its order was accepted',
  }),
};
