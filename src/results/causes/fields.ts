import { isObject } from '../../history/json.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import { acceptanceFields, settlementFields, type Subject } from '../../spec/requirements/index.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import type { FoundFailure } from '../source-report.ts';
import type { Deviation } from '../../spec/deviations.ts';

export type Evidence = Exchange | Frame;

/** Names of the fields that a failure is about. */
export function fieldsOf(
  { fields = [], expected, actual }: FoundFailure,
  deviation: Deviation,
  { field }: Subject,
  decisive: Evidence | undefined,
): string[] {
  // Two views that differ: the fields with different values.
  const compared =
    isObject(expected) && isObject(actual)
      ? Object.keys(expected).filter((key) => key in actual && !isSame(expected[key], actual[key]))
      : [];
  // The document leaves the name of the failure reason field open: the finding has it.
  const isCalledOtherwise = field === 'failure_reason' && fields.length > 0;
  const named = field === undefined || isCalledOtherwise ? [] : [field];
  const found = [named, fields, compared].find((some) => some.length > 0) ?? [];
  // Fields that depend on the state: the field or the state may be wrong.
  const goesWithState =
    deviation === 'too early' ||
    isState(expected) ||
    isState(actual) ||
    (compared.length > 0 && found.every((name) => fieldsOfStates.has(name)));
  const counts = found.includes('pagination.total_items') ? countsIn(decisive) : [];
  return [
    ...new Set([...found.slice(0, 4), ...fields, ...counts, ...(goesWithState ? ['status'] : [])]),
  ];
}

const fieldsOfStates: ReadonlySet<string> = new Set([...acceptanceFields, ...settlementFields]);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other));

/** Fields that may explain what is wrong with an answer or a request as a whole. */
export function besides(
  { fields = [], actual, expected }: FoundFailure,
  deviation: Deviation,
  { token }: Subject,
  decisive: Evidence | undefined,
): string[] {
  const isExchange = decisive?.kind === 'exchange';
  const byState =
    deviation === 'out of order' ||
    isState(expected) ||
    isState(actual) ||
    (isExchange &&
      (decisive.endpoint === 'order.cancel' || decisive.query['status'] !== undefined));
  const isOfToken = token || (isExchange && decisive.auth !== 'own');
  return [
    ...countsIn(decisive),
    // Items are known by their ids, and filtered by their states.
    ...(deviation === 'left out' ? ['intent_id', 'quote_id'] : []),
    ...fields,
    ...(byState ? ['status'] : []),
    ...(isOfToken ? ['authorization'] : []),
  ];
}

/**
 * The page count, if the answer itself shows that it is too low: a walk then ends early, and the items of further pages
 * are not seen.
 */
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
