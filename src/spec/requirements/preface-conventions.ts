import { needs } from './needs.ts';
import { breach, part, vague } from './statements.ts';

/** The preface, and the conventions that open part 2. */
export const prefaceRequirements = {
  ...part('preface', needs.sender, {
    'base-url.paths-relative':
      'Every path is reached below the base URL, a path in the base URL included.',
    'body.json':
      'Every successful answer with a body is JSON; streams and the open `/health` aside.',
    'error.body-json':
      'A refusal of an endpoint of the interface that has a body has JSON in it, whatever its shape.',
    'body.content-type': vague('body.content_type', 'same-answer').says(
      'A JSON body is announced as JSON.',
    ),
    'stream.content-type':
      'An event stream is a server-sent event stream: its content type is `text/event-stream`.',
  }),
  ...part('conventions', needs.sender, {
    'convention.timestamps': breach('wrong form')(
      'Every field that holds a moment is ISO 8601 in UTC with milliseconds, at any depth of any message.',
    ),
    'convention.amounts-as-strings': breach('wrong form').settlement(
      'No amount and no rate is ever a JSON number: each is a decimal number in a string.',
    ),
    'convention.ids-are-uuids': breach('wrong form').settlement(
      'Every `intent_id` and every `quote_id`, at any depth of any message, is a UUID string.',
    ),
    'convention.parties': breach('wrong form')(
      'Every party identifier, at any depth of any message, is a name, two colons and hexadecimal digits.',
    ),
    'convention.currencies': breach('wrong form')(
      'Every currency code is a string that is not empty.',
    ),
  }),
};
