import { isObject } from '../../history/json.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import { fieldsOf as fieldsIn } from '../../spec/fields.ts';
import {
  acceptanceFields,
  fieldTables,
  settlementFields,
  type Subject,
} from '../../spec/requirements/index.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import type { Failure } from '../run-report.ts';
import type { Deviation } from '../../spec/deviations.ts';
import { envelopeMembers, leafOf } from './paths.ts';

export type Evidence = Exchange | Frame;

/** Names of fields that no sentence has for another reason: those of several words, and a few more. */
const tellingFields: ReadonlySet<string> = new Set(
  [
    ...Object.values(fieldTables).flatMap((table) => fieldsIn(table).map(({ name }) => name)),
    'failure_reason',
    'memo',
    'pagination',
  ].filter((name) => name.includes('_') || name === 'memo' || name === 'pagination'),
);

/** Names of the fields that a failure is about. */
export function fieldsOf(
  { requirement = '', message, expected, actual }: Failure,
  deviation: Deviation,
  { field }: Subject,
  decisive: Evidence | undefined,
): string[] {
  if (field !== undefined && envelopeMembers.includes(field)) return [field];
  if (requirement === 'envelope.wraps-every-success') return lackingOf(decisive);
  const inMessage = [...message.matchAll(/[a-z_]+/g)]
    .map(([word]) => word)
    .filter((word) => tellingFields.has(word));
  // Two views that differ: each side shows the members in which they do.
  const compared =
    isObject(expected) && isObject(actual)
      ? Object.keys(expected).filter((key) => key in actual && !isSame(expected[key], actual[key]))
      : [];
  // How the field is called that carries a failure reason is open.
  const reason = field === 'failure_reason' ? namesHolding(decisive, actual) : undefined;
  const named = reason === undefined ? field : undefined;
  // A member that the document does not know may tell what it must not.
  const telling = /^([\w.[\]]+)(?: \(part \d+\))? in [\w.]+ told /.exec(message)?.[1];
  const candidates = [
    named === undefined ? [] : [named],
    changedIn(message),
    telling === undefined ? [] : [leafOf(telling)],
    reason ?? [],
    inMessage,
    compared,
  ];
  const found = candidates.find((some) => some.length > 0) ?? namesHolding(decisive, actual) ?? [];
  // What is set, or is not, by the state that is shown: either may be wrong.
  const goesWithState =
    deviation === 'too early' ||
    statesIn.test(message) ||
    (compared.length > 0 && found.every((name) => fieldsOfStates.has(name)));
  const counts = found.includes('pagination.total_items') ? countsIn(decisive) : [];
  return [
    ...new Set([
      ...found.slice(0, 4),
      ...heldTogether(requirement, inMessage),
      ...counts,
      ...(goesWithState ? ['status'] : []),
    ]),
  ];
}

/** Of fields that do not go together each may be wrong; which member of `pagination` it is, a message says itself. */
const heldTogether = (requirement: string, inMessage: readonly string[]): readonly string[] =>
  requirement.endsWith('.agrees-with-rate')
    ? ['fx_rate', 'target_amount']
    : inMessage.filter((name) => name !== 'pagination');

/** What changed of an order or a quote though no request on it was granted. */
const changedIn = (message: string): string[] =>
  /^the ([a-z_, ]+) of an? (?:order|quote) changed though /.exec(message)?.[1]?.split(', ') ?? [];

const fieldsOfStates: ReadonlySet<string> = new Set([...acceptanceFields, ...settlementFields]);

/** What an answer lacks of an envelope. */
function lackingOf(record: Evidence | undefined): string[] {
  const body = record?.kind === 'exchange' ? record.response?.body : undefined;
  return ['data', 'meta'].filter((member) => !isObject(body) || !isObject(body[member]));
}

/** The one member of a body that holds a value, where it is telling enough. */
function namesHolding(record: Evidence | undefined, value: unknown): string[] | undefined {
  if (record === undefined || !isTelling(value)) return undefined;
  const body = record.kind === 'frame' ? record.data : record.response?.body;
  const names = new Set<string>();
  const visit = (one: unknown, name: string, depth: number): void => {
    if (depth > 8 || names.size > 1) return;
    if (isSame(one, value)) names.add(name);
    else if (Array.isArray(one)) for (const item of one.slice(0, 200)) visit(item, name, depth + 1);
    else if (isObject(one))
      for (const [key, inner] of Object.entries(one)) visit(inner, key, depth + 1);
  };
  visit(body, '', 0);
  const [only = ''] = names;
  const isField = only !== '' && only.length <= 80 && !envelopeMembers.includes(only);
  return names.size === 1 && isField ? [only] : undefined;
}

/** What stands in a body in one place only, mostly: neither nothing nor a yes or no. */
const isTelling = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length > 0);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other));

/** Fields that may explain what is wrong with an answer or a request as a whole. */
export function besides(
  { requirement = '', message, actual, expected }: Failure,
  deviation: Deviation,
  decisive: Evidence | undefined,
): string[] {
  const query = decisive?.kind === 'exchange' ? decisive.query : {};
  const byState =
    deviation === 'out of order' ||
    isState(expected) ||
    isState(actual) ||
    statesIn.test(message) ||
    query['status'] !== undefined;
  // Items are known by their ids, and filtered by their states.
  const ids =
    deviation === 'left out' || /\btwice\b/.test(message) ? ['intent_id', 'quote_id'] : [];
  const isOtherToken = decisive?.kind === 'exchange' && decisive.auth !== 'own';
  return [
    ...countsIn(decisive),
    ...ids,
    ...(byState ? ['status'] : []),
    ...(requirement.startsWith('auth.') || isOtherToken ? ['authorization'] : []),
  ];
}

const statesIn = /\b(?:PENDING|QUOTED|EXECUTING|SETTLED|EXPIRED|FAILED|ACCEPTED|REJECTED)\b/;
/** The count by which a list is walked, where the answer itself shows that it is wrong: what was not asked for is not seen. */
function countsIn(decisive: Evidence | undefined): string[] {
  const body = decisive?.kind === 'exchange' ? decisive.response?.body : undefined;
  const counts = isObject(body) ? body['pagination'] : undefined;
  if (!isObject(counts)) return [];
  const [items, size, pages] = ['total_items', 'page_size', 'total_pages'].map((name) =>
    Number(counts[name]),
  ) as [number, number, number];
  return pages < Math.ceil(items / size) ? ['pagination.total_pages'] : [];
}

const states: ReadonlySet<unknown> = new Set([...orderStates, ...quoteStates]);
const isState = (value: unknown): boolean => states.has(value);
