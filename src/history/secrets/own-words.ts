import { endpoints } from '../../spec/endpoints.ts';
import { eventKinds } from '../../spec/events.ts';
import { gapIds } from '../../spec/gaps/index.ts';
import { requirementIds } from '../../spec/requirements/index.ts';
import { resources } from '../../spec/resources.ts';
import { failureReasons, orderStates, quoteStates, roles } from '../../spec/vocabulary.ts';

/** Members of records and reports, and words that clients send in place of a token by mistake. */
const others = `kind exchange party sent received params request response headers preceded precededby opensstream frame
  stream eventid comments oddities message outcome conformant nonconformant inconclusive out_of_scope not_exercised
  suite digest target participants base_url started_at finished_at wall_ms target_ms started_with totals checks rules
  causes coverage preflight notes failures expected actual exchanges deviation evidence sender receiver custodian
  sender_custodian receiver_custodian maker_a maker_b undefined null not.a.token token bearer application/json
  text/event-stream 127.0.0.1 localhost content-type`;

let words: string | undefined;

/**
 * True if a text is a word of the interface, or part of one: such a word is public, so hiding it everywhere would hide
 * no secret.
 */
export function isOwnWord(text: string): boolean {
  words ??= [
    others,
    ...requirementIds,
    ...gapIds,
    ...roles,
    ...orderStates,
    ...quoteStates,
    ...failureReasons,
    ...Object.keys(eventKinds),
    ...Object.values(endpoints).map(({ path }) => path),
    ...Object.values(resources).flatMap(({ properties }) => Object.keys(properties)),
  ]
    .join('\n')
    .toLowerCase();
  return words.includes(text.toLowerCase());
}
