import { about, needing, needs, part, vague } from './needs.ts';

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
  ...about({}, 'convention', 'wrong form')('conventions', needs.sender, {
    timestamps:
      'Every field that holds a moment is ISO 8601 in UTC with milliseconds, at any depth of any message.',
    'amounts-as-strings': needing.settlement(
      'No amount and no rate is ever a JSON number: each is a decimal number in a string.',
    ),
    'ids-are-uuids': needing.settlement(
      'Every `intent_id` and every `quote_id`, at any depth of any message, is a UUID string.',
    ),
    parties:
      'Every party identifier, at any depth of any message, is a name, two colons and hexadecimal digits.',
    currencies: 'Every currency code is a string that is not empty.',
  }),
};
