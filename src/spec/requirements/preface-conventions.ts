import { must, needsSender, needsSettlement, vague } from './needs.ts';
import type { Requirement } from './requirement.ts';

/** The preface, and the conventions that open part 2. */
export const prefaceRequirements = {
  'base-url.paths-relative': must(
    'preface',
    'Every path is reached below the base URL, a path in the base URL included.',
    needsSender,
  ),
  'body.json': must(
    'preface',
    'Every successful answer with a body is JSON; streams and the open `/health` aside.',
    needsSender,
  ),
  'body.content-type': vague('preface', 'A JSON body is announced as JSON.', needsSender),
  'stream.content-type': must(
    'preface',
    'An event stream is a server-sent event stream: its content type is `text/event-stream`.',
    needsSender,
  ),
  'convention.timestamps': must(
    'conventions',
    'Every field that holds a moment is ISO 8601 in UTC with milliseconds, at any depth of any message.',
    needsSender,
  ),
  'convention.amounts-as-strings': must(
    'conventions',
    'No amount and no rate is ever a JSON number: each is a decimal number in a string.',
    needsSettlement,
  ),
  'convention.ids-are-uuids': must(
    'conventions',
    'Every `intent_id` and every `quote_id`, at any depth of any message, is a UUID string.',
    needsSettlement,
  ),
  'convention.parties': must(
    'conventions',
    'Every party identifier, at any depth of any message, is a name, two colons and hexadecimal digits.',
    needsSender,
  ),
  'convention.currencies': must(
    'conventions',
    'Every currency code is a string that is not empty.',
    needsSender,
  ),
} as const satisfies Record<string, Requirement>;
