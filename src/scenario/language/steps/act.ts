import { type CastName, castNames } from '../../../spec/requirements/requirement.ts';
import { type ActionArgs, type ActionKey, actionNames, actionOf } from '../actions.ts';
import { matcher } from '../matchers.ts';
import type { Eventually, Refusal, Step } from '../model.ts';
import type { ArgEntry } from '../reader.ts';
import {
  anyArg,
  type At,
  described,
  durationShape,
  listOf,
  oneOf,
  readPartial,
  record,
  reference,
  type Shape,
  type StepSource,
  wholeNumber,
  literalText,
} from '../shapes.ts';

/** A name to save a value under: not the name of a party. */
export const nameShape: Shape<At<string>> = {
  read(node, reader) {
    const name = literalText('a name of letters, digits and underscores', /^[A-Za-z_]\w*$/).read(
      node,
      reader,
    );
    if (!name || !(castNames as string[]).includes(name.value)) return name;
    return reader.problems.wrong(node, "a name that is no party's");
  },
  schema: { type: 'string', pattern: '^[A-Za-z_]\\w*$' },
};

const argMap: Shape<readonly ArgEntry[]> = {
  read(node, reader) {
    const arg = reader.arg(node);
    return arg.kind === 'map' ? arg.entries : reader.problems.wrong(node, 'a mapping');
  },
  schema: { type: 'object' },
};

/** Keys that only some actions take, by `ActionKey`. */
export const actionFields = {
  of: described(reference('the order it concerns'), 'The order it concerns: $order.'),
  for: described(reference('the order to quote on'), 'The order to quote on: $order.'),
  quote: described(reference('the quote'), 'The quote: $quote.'),
  with: described(argMap, 'Fields of the body. Fields that it does not name get defaults.'),
  without: described(
    listOf(literalText('the name of a field'), 'fields'),
    'Fields to leave out of the body.',
  ),
  as_is: described(argMap, 'Fields of the body that are sent unchecked. They replace all others.'),
  where: described(argMap, 'Filters of the list: { status: SETTLED }.'),
  page: described(
    anyArg,
    'The number of the page, counted from 1; or `all`: the items of all pages as one list.',
  ),
  page_size: described(anyArg, 'The number of items of a page.'),
  limit_to: described(reference('an order'), 'Limits the stream to one order.'),
  on: described(reference('a saved stream'), 'A saved stream, instead of its own.'),
  token: described(anyArg, 'Instead of its own token: none, $outsider, a saved one or any text.'),
  method: described(literalText('a method', /^[A-Z]+$/), 'GET, POST, ...'),
  path: described(anyArg, 'The path below the base URL, with its query.'),
  query: described(argMap, 'Query parameters.'),
  headers: described(argMap, 'More headers.'),
  body: described(anyArg, 'The body, sent as JSON.'),
  raw_body: described(anyArg, 'The body, sent as this text.'),
} satisfies { readonly [key in ActionKey]: Shape<unknown> };

/**
 * 503 does not refuse the contents of a request, but nothing may have changed either: the target had no room to store
 * it.
 */
const refusedStatus: Shape<At<number>> = {
  read(node, reader) {
    const what = '4xx, maybe, a status from 400 to 499, 503, or a list of them';
    const isFull = node.kind === 'scalar' && node.value === 503;
    return wholeNumber(what, 400, isFull ? 503 : 499).read(node, reader);
  },
  schema: { type: 'integer', minimum: 400 },
};

const refusal: Shape<Refusal> = {
  read(node, reader) {
    const at = reader.location(node.place);
    if (node.kind === 'scalar' && (node.value === '4xx' || node.value === true)) {
      return { at, statuses: 'any' };
    }
    if (node.kind === 'scalar' && node.value === 'maybe') return { at, statuses: 'maybe' };
    const list =
      node.kind === 'list'
        ? listOf(refusedStatus, 'statuses').read(node, reader)
        : refusedStatus.read(node, reader);
    if (!list) return undefined;
    return { at, statuses: [list].flat().map((status) => (status as At<number>).value) };
  },
  schema: {
    anyOf: [
      { enum: ['4xx', 'maybe'] },
      { type: 'integer', minimum: 400 },
      { type: 'array', items: { type: 'integer', minimum: 400 }, minItems: 1 },
    ],
  },
};

const pause = record('eventually', { within: durationShape, every: durationShape }, ['within']);
const eventually: Shape<Eventually> = {
  read(node, reader) {
    const at = reader.location(node.place);
    if (node.kind === 'scalar') {
      const within = durationShape.read(node, reader);
      return within && { at, withinMs: within.value, everyMs: defaultEveryMs(within.value) };
    }
    const read = pause.read(node, reader);
    if (!read) return undefined;
    const withinMs = read.within.value;
    const everyMs = Math.max(1, read.every?.value ?? defaultEveryMs(withinMs));
    return { at, withinMs, everyMs };
  },
  schema: { anyOf: [durationShape.schema, pause.schema] },
};
const defaultEveryMs = (withinMs: number): number => Math.min(1_000, Math.max(50, withinMs / 20));

/** Keys of every action. */
export const commonFields = {
  save: described(nameShape, 'Saves the answer under this name.'),
  expect: described(matcher, 'A matcher for the answer.'),
  whole_answer: described(
    matcher,
    'A matcher for the whole answer: its `status`, its `headers` (names in lower case) and its `body`.',
  ),
  answered: described(
    wholeNumber('a status from 200 to 299', 200, 299),
    'The exact status of success, from 200 to 299.',
  ),
  refused: described(
    refusal,
    'The request must be refused (`4xx`, a status, or a list of them) and must change nothing; `maybe`: success or refusal.',
  ),
  eventually: described(eventually, 'Repeats a read until `expect` holds, at most this long.'),
  before: described(reference('a moment'), 'The answer must come before this moment.'),
};
const actFields = { ...actionFields, ...commonFields };

export function readAct({ head, rest, at, reader }: StepSource): Step | undefined {
  const action = oneOf('an action', actionNames).read(head.value, reader);
  if (!action) return undefined;
  const { needs, takes } = actionOf(action.value);
  const known = [...needs, ...takes, ...Object.keys(commonFields)];
  const fields = Object.fromEntries(
    Object.entries(actFields).filter(([key]) => known.includes(key)),
  ) as typeof actFields;
  const read = readPartial(`"${action.value}"`, fields, needs, rest, at, reader, known);
  const {
    save,
    expect,
    whole_answer: wholeAnswer,
    answered,
    refused,
    eventually: again,
    before,
    at: _,
    ...args
  } = read;
  return {
    kind: 'act',
    at,
    party: head.key as CastName,
    action,
    args: args as ActionArgs,
    ...(save && { save }),
    ...(expect && { expect }),
    ...(wholeAnswer && { wholeAnswer }),
    ...(answered && { answered }),
    ...(refused && { refused }),
    ...(again && { eventually: again }),
    ...(before && { before }),
  };
}
