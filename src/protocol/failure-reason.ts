import { failureReasons } from '../spec/vocabulary.ts';
import { isObject, type JsonObject } from './json.ts';

/**
 * Location of the failure reason in an order. The document lists six reasons but no field for them (gap
 * `order.failure_reason_field`), so a reason is recognised by its value, in any field.
 */

const reasons: ReadonlySet<unknown> = new Set(failureReasons);

/** Texts of the sender, and the state of the order: the name of a reason in these fields is no failure reason. */
const otherFields = new Set(['memo', 'intent_signature', 'source_contract_id', 'status']);

/** No honest order is nested deeper. */
const deepest = 6;

/** Cache by object: each object is looked up many times, and is never changed. */
const known = new WeakMap<object, readonly string[] | 'none'>();

/** Path of field names to the failure reason (the index for an item of a list); undefined if the value shows none. */
export function failureReasonPath(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const before = known.get(value);
  if (before !== undefined) return before === 'none' ? undefined : before;
  const path = pathFrom(value, 0);
  known.set(value, path ?? 'none');
  return path;
}

function pathFrom(value: unknown, depth: number): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  for (const name in value) {
    if (otherFields.has(name)) continue;
    const inner = (value as JsonObject)[name];
    if (reasons.has(inner)) return [name];
    const below = pathFrom(inner, depth + 1);
    if (below) return [name, ...below];
  }
  return undefined;
}

export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (isObject(inner) || Array.isArray(inner) ? Object(inner)[name] : undefined),
    value,
  );

/** Failure reason of an order, one of the six, in a field of any name. */
export function failureReasonIn(order: unknown): string | undefined {
  const path = failureReasonPath(order);
  return path && String(valueAt(order, path));
}

/** Failure reason of an order and the name of its field, for a finding. */
export const reasonShown = (order: unknown) => ({
  fields: failureReasonPath(order)?.slice(-1) ?? [],
  actual: failureReasonIn(order),
});

/**
 * Value of the field in which this target is known to put its failure reasons, even if it is not one of the six.
 * @param field the answer to gap `order.failure_reason_field`: names with dots between them
 */
export const reasonFieldOf = (order: unknown, field: string | undefined): unknown =>
  field === undefined ? undefined : valueAt(order, field.split('.'));
