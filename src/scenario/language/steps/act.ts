import { type CastName } from '../../../spec/requirements/requirement.ts';
import { actionFields, type ActionName, actionNames, actionOf, nameShape } from '../actions.ts';
import { matcher } from '../matchers.ts';
import {
  type At,
  described,
  durationShape,
  listOf,
  oneOf,
  type ReadBy,
  record,
  type RecordShape,
  type Shape,
  type SourceLocation,
  wholeNumber,
} from '../../../yaml/index.ts';
import { reference, type StepSource } from '../arg.ts';

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
const refusedStatuses = listOf(refusedStatus, 'statuses');

/** Expected refusal: any 4xx, one of these statuses, or `maybe` none at all, if other steps run at the same time. */
export interface Refusal {
  readonly at: SourceLocation;
  readonly statuses: 'any' | 'maybe' | readonly number[];
}

const refusal: Shape<Refusal> = {
  read(node, reader) {
    const at = reader.location(node.place);
    const value = node.kind === 'scalar' ? node.value : undefined;
    if (value === '4xx' || value === true) return { at, statuses: 'any' };
    if (value === 'maybe') return { at, statuses: 'maybe' };
    if (node.kind === 'list') {
      const list = refusedStatuses.read(node, reader);
      return list && { at, statuses: list.map((status) => status.value) };
    }
    const status = refusedStatus.read(node, reader);
    return status && { at, statuses: [status.value] };
  },
  schema: {
    anyOf: [{ enum: ['4xx', 'maybe'] }, refusedStatus.schema, refusedStatuses.schema],
  },
};

const pause = record('eventually', { within: durationShape, every: durationShape }, ['within']);
const eventually: Shape<ReturnType<typeof patienceOf>> = {
  read(node, reader) {
    if (node.kind === 'scalar') {
      const within = durationShape.read(node, reader);
      return within && patienceOf({ at: within.at, within });
    }
    const read = pause.read(node, reader);
    return read && patienceOf(read);
  },
  schema: { anyOf: [durationShape.schema, pause.schema] },
};
function patienceOf({ at, within: { value: withinMs }, every }: ReadBy<typeof pause>) {
  const everyMs = Math.max(1, every?.value ?? Math.min(1_000, Math.max(50, withinMs / 20)));
  return { at, withinMs, everyMs };
}

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

type ActFields = typeof actionFields & typeof commonFields;
type ActKeys = { readonly [K in keyof ActFields]?: ReadBy<ActFields[K]> };

export interface ActStep extends ActKeys {
  readonly kind: 'act';
  /** Location of the key with the party. */
  readonly at: SourceLocation;
  readonly party: CastName;
  readonly action: At<ActionName>;
}

/** The keys of a step with this action. */
export function actionKeys(name: ActionName): RecordShape<ActFields, keyof typeof actionFields> {
  const { needs, takes } = actionOf(name);
  const own = Object.fromEntries([...needs, ...takes].map((key) => [key, actionFields[key]]));
  return record(`"${name}"`, { ...own, ...commonFields } as ActFields, needs);
}

export function readAct({ head, rest, at, reader }: StepSource): ActStep | undefined {
  const action = oneOf('an action', actionNames).read(head.value, reader);
  if (!action) return undefined;
  const keys: ActKeys = actionKeys(action.value).readSome(rest, at, reader);
  return { ...keys, kind: 'act', at, party: head.key as CastName, action };
}
