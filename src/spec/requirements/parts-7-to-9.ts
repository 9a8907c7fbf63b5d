import { heartbeat } from '../events.ts';
import { about, at, breach, needing, needs, notObservable, of, part, vague } from './needs.ts';

/** Part 7, and refusals in general: the exact status is open, but it must be a refusal. */
export const errorRequirements = {
  ...part('7', needs.maker, {
    'error.refusal-is-4xx': needing.sender(
      'A request that is refused is answered with a 4xx status.',
    ),
    'error.refusal-changes-nothing': 'A refused request changes nothing that anybody can read.',
    'error.refusal-sends-no-event': 'A refused request sends no event.',
    'error.reasons-are-outcomes':
      'The failure reasons of orders are not used as codes of API errors.',
  }),
  ...at('order.create')('7', needs.sender, {
    'not-json-refused': 'A create-order body that is not JSON is refused.',
    'malformed-amount-refused': 'An order is not created with an amount that is no decimal number.',
    'number-amount-refused': vague('money.input', 'never').says(
      'An order is not created with an amount that is a JSON number.',
    ),
    'negative-amount-refused': vague('money.zero', 'never').says(
      'An order is not created with a negative amount.',
    ),
    'malformed-party-refused': vague('order.party_check', 'never').says(
      'An order is not created with a party that is no party identifier.',
    ),
    'malformed-contract-refused': vague('order.contract_check', 'never').says(
      'An order is not created with a contract that is no contract identifier.',
    ),
    'malformed-signature-refused': vague('order.signature_check', 'never').says(
      'An order is not created with a signature that is not hexadecimal.',
    ),
    'other-type-refused': vague('order.required_fields', 'never').says(
      'An order is not created of JSON of other types: a list around it, an object or a list where a text belongs.',
    ),
  }),
  ...at('quote.submit')('7', needs.maker, {
    'not-json-refused': 'A quote body that is not JSON is refused.',
    'malformed-rate-refused': 'A quote is not taken with a rate that is no decimal number.',
    'malformed-amount-refused': 'A quote is not taken with an amount that is no decimal number.',
    'malformed-deadline-refused': 'A quote is not taken with a deadline that is no moment.',
    'missing-rate-refused': 'A quote is not taken without a rate.',
    'missing-deadline-refused': 'A quote is not taken without a deadline.',
  }),
};

/** Part 8. */
export const limitRequirements = {
  ...about({ event: heartbeat }, 'limit.heartbeat-interval')('8', needs.heartbeat, {
    'order-stream': breach('late or early')(
      'On a quiet order stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
    ),
    'maker-stream': breach('late or early').heartbeatMaker(
      'On a quiet market maker stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
    ),
  }),
  ...part('8', needs.sender, {
    'limit.token-lifetime': vague('token.lifetime', 'never', 'late or early').says(
      'A token lasts 3600 seconds by default.',
    ),
    'limit.settlement-duration': vague('settlement.steps', 'never', 'late or early').settlement(
      'Settlement takes about four seconds from acceptance.',
    ),
  }),
};

/** Part 9. */
export const versionRequirements = {
  ...part('9.1', needs.sender, {
    'version.prefix': 'All business endpoints are below `/api/v1`.',
  }),
  ...part('9.2', needs.sender, {
    'version.schema-pinned': of('schema_version')('`schema_version` is `v2`.'),
    'version.client-checks': notObservable(
      'A client checks `schema_version` before it trusts a shape.',
      'This binds clients, not backends; the suite itself does so before any check.',
    ),
  }),
};
