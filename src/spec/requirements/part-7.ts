import { must, needsSender, needsMaker, vague } from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 7, and refusals in general: which status is open, but not that it is a refusal. */
export const errorRequirements = {
  'error.refusal-is-4xx': must(
    '7',
    'A request that is refused is answered with a 4xx status.',
    needsSender,
  ),
  'error.refusal-changes-nothing': must(
    '7',
    'A refused request changes nothing that anybody can read.',
    needsMaker,
  ),
  'error.refusal-sends-no-event': must('7', 'A refused request sends no event.', needsMaker),
  'error.reasons-are-outcomes': vague(
    '7',
    'The failure reasons of orders are not used as codes of API errors.',
    needsMaker,
  ),
  'order.create.not-json-refused': must(
    '7',
    'A create-order body that is not JSON is refused.',
    needsSender,
  ),
  'order.create.malformed-amount-refused': must(
    '7',
    'An order is not created with an amount that is no decimal number.',
    needsSender,
  ),
  'order.create.number-amount-refused': vague(
    '7',
    'An order is not created with an amount that is a JSON number.',
    needsSender,
  ),
  'order.create.negative-amount-refused': vague(
    '7',
    'An order is not created with a negative amount.',
    needsSender,
  ),
  'order.create.malformed-party-refused': vague(
    '7',
    'An order is not created with a party that is no party identifier.',
    needsSender,
  ),
  'order.create.malformed-contract-refused': vague(
    '7',
    'An order is not created with a contract that is no contract identifier.',
    needsSender,
  ),
  'order.create.malformed-signature-refused': vague(
    '7',
    'An order is not created with a signature that is not hexadecimal.',
    needsSender,
  ),
  'order.create.other-type-refused': vague(
    '7',
    'An order is not created of JSON of other types: a list around it, an object or a list where a text belongs.',
    needsSender,
  ),
  'quote.submit.not-json-refused': must(
    '7',
    'A quote body that is not JSON is refused.',
    needsMaker,
  ),
  'quote.submit.malformed-rate-refused': must(
    '7',
    'A quote is not taken with a rate that is no decimal number.',
    needsMaker,
  ),
  'quote.submit.malformed-amount-refused': must(
    '7',
    'A quote is not taken with an amount that is no decimal number.',
    needsMaker,
  ),
  'quote.submit.malformed-deadline-refused': must(
    '7',
    'A quote is not taken with a deadline that is no moment.',
    needsMaker,
  ),
  'quote.submit.missing-rate-refused': must(
    '7',
    'A quote is not taken without a rate.',
    needsMaker,
  ),
  'quote.submit.missing-deadline-refused': must(
    '7',
    'A quote is not taken without a deadline.',
    needsMaker,
  ),
} as const satisfies Record<string, Requirement>;
