import { must, needing, ordering, requesting, settling, unseen, vague, waits } from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 7, and refusals in general: which status is open, but not that it is a refusal. */
export const errorRequirements = {
  'error.refusal-is-4xx': must(
    '7',
    'A request that is refused is answered with a 4xx status.',
    ordering,
  ),
  'error.refusal-changes-nothing': must(
    '7',
    'A refused request changes nothing that anybody can read.',
    requesting,
  ),
  'error.refusal-sends-no-event': must('7', 'A refused request sends no event.', requesting),
  'error.reasons-are-outcomes': vague(
    '7',
    'The failure reasons of orders are not used as codes of API errors.',
    requesting,
  ),
  'order.create.not-json-refused': must(
    '7',
    'A create-order body that is not JSON is refused.',
    ordering,
  ),
  'order.create.malformed-amount-refused': must(
    '7',
    'An order is not created with an amount that is no decimal number.',
    ordering,
  ),
  'order.create.number-amount-refused': vague(
    '7',
    'An order is not created with an amount that is a JSON number.',
    ordering,
  ),
  'order.create.negative-amount-refused': vague(
    '7',
    'An order is not created with a negative amount.',
    ordering,
  ),
  'order.create.malformed-party-refused': vague(
    '7',
    'An order is not created with a party that is no party identifier.',
    ordering,
  ),
  'order.create.malformed-contract-refused': vague(
    '7',
    'An order is not created with a contract that is no contract identifier.',
    ordering,
  ),
  'quote.submit.not-json-refused': must(
    '7',
    'A quote body that is not JSON is refused.',
    requesting,
  ),
  'quote.submit.malformed-rate-refused': must(
    '7',
    'A quote is not taken with a rate that is no decimal number.',
    requesting,
  ),
  'quote.submit.malformed-deadline-refused': must(
    '7',
    'A quote is not taken with a deadline that is no moment.',
    requesting,
  ),
  'quote.submit.missing-rate-refused': must(
    '7',
    'A quote is not taken without a rate.',
    requesting,
  ),
  'quote.submit.missing-deadline-refused': must(
    '7',
    'A quote is not taken without a deadline.',
    requesting,
  ),
} as const satisfies Record<string, Requirement>;

/** Part 8. */
export const limitRequirements = {
  'limit.heartbeat-interval.order-stream': must(
    '8',
    'On an order stream a heartbeat follows the last one after 30 seconds.',
    needing(['sender'], { waitMs: waits.heartbeatMs }),
  ),
  'limit.heartbeat-interval.maker-stream': must(
    '8',
    'On a market maker stream a heartbeat follows the last one after 30 seconds.',
    needing(['maker_a'], { waitMs: waits.heartbeatMs }),
  ),
  'limit.token-lifetime': vague('8', 'A token lasts 3600 seconds by default.', ordering),
  'limit.settlement-duration': vague(
    '8',
    'Settlement takes about four seconds from acceptance.',
    settling,
  ),
} as const satisfies Record<string, Requirement>;

/** Part 9. */
export const versionRequirements = {
  'version.prefix': must('9.1', 'All business endpoints are below `/api/v1`.', ordering),
  'version.prefix.required': vague(
    '9.1',
    'No business endpoint answers without the prefix.',
    ordering,
  ),
  'version.schema-pinned': must('9.2', '`schema_version` is `v2`.', ordering),
  'version.client-checks': unseen(
    '9.2',
    'A client checks `schema_version` before it trusts a shape.',
    'This binds clients, not backends; the suite itself does so before any check.',
  ),
} as const satisfies Record<string, Requirement>;
