import { needing, needs, notObservable, part, vague } from './needs.ts';

/** Part 7, and refusals in general: which status is open, but not that it is a refusal. */
export const errorRequirements = part('7', needs.maker, {
  'error.refusal-is-4xx': needing.sender(
    'A request that is refused is answered with a 4xx status.',
  ),
  'error.refusal-changes-nothing': 'A refused request changes nothing that anybody can read.',
  'error.refusal-sends-no-event': 'A refused request sends no event.',
  'error.reasons-are-outcomes':
    'The failure reasons of orders are not used as codes of API errors.',
  'order.create.not-json-refused': needing.sender(
    'A create-order body that is not JSON is refused.',
  ),
  'order.create.malformed-amount-refused': needing.sender(
    'An order is not created with an amount that is no decimal number.',
  ),
  'order.create.number-amount-refused': vague(
    'money.input',
    'never',
    needing.sender('An order is not created with an amount that is a JSON number.'),
  ),
  'order.create.negative-amount-refused': vague(
    'money.zero',
    'never',
    needing.sender('An order is not created with a negative amount.'),
  ),
  'order.create.malformed-party-refused': vague(
    'order.party_check',
    'never',
    needing.sender('An order is not created with a party that is no party identifier.'),
  ),
  'order.create.malformed-contract-refused': vague(
    'order.contract_check',
    'never',
    needing.sender('An order is not created with a contract that is no contract identifier.'),
  ),
  'order.create.malformed-signature-refused': vague(
    'order.signature_check',
    'never',
    needing.sender('An order is not created with a signature that is not hexadecimal.'),
  ),
  'order.create.other-type-refused': vague(
    'order.required_fields',
    'never',
    needing.sender(
      'An order is not created of JSON of other types: a list around it, an object or a list where a text belongs.',
    ),
  ),
  'quote.submit.not-json-refused': 'A quote body that is not JSON is refused.',
  'quote.submit.malformed-rate-refused':
    'A quote is not taken with a rate that is no decimal number.',
  'quote.submit.malformed-amount-refused':
    'A quote is not taken with an amount that is no decimal number.',
  'quote.submit.malformed-deadline-refused':
    'A quote is not taken with a deadline that is no moment.',
  'quote.submit.missing-rate-refused': 'A quote is not taken without a rate.',
  'quote.submit.missing-deadline-refused': 'A quote is not taken without a deadline.',
});

/** Part 8. */
export const limitRequirements = part('8', needs.heartbeat, {
  'limit.heartbeat-interval.order-stream':
    'On a quiet order stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
  'limit.heartbeat-interval.maker-stream': needing.heartbeatMaker(
    'On a quiet market maker stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
  ),
  'limit.token-lifetime': vague(
    'token.lifetime',
    'never',
    needing.sender('A token lasts 3600 seconds by default.'),
  ),
  'limit.settlement-duration': vague(
    'settlement.steps',
    'never',
    needing.settlement('Settlement takes about four seconds from acceptance.'),
  ),
});

/** Part 9. */
export const versionRequirements = {
  ...part('9.1', needs.sender, {
    'version.prefix': 'All business endpoints are below `/api/v1`.',
  }),
  ...part('9.2', needs.sender, {
    'version.schema-pinned': '`schema_version` is `v2`.',
    'version.client-checks': notObservable(
      'A client checks `schema_version` before it trusts a shape.',
      'This binds clients, not backends; the suite itself does so before any check.',
    ),
  }),
};
