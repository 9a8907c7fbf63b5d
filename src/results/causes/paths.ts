import { isObject } from '../../history/json.ts';
import type { Exchange, Frame } from '../../history/records.ts';

export const envelopeMembers: readonly string[] = ['pagination', 'meta', 'data'];

/** One amount, or one party, under several names (2.2, 2.3, 2.5, 2.6, 2.7). */
const namesOfOne: readonly (readonly [string, ...string[]])[] = [
  ['source_amount', 'source_amount_actual', 'mm_quoted_source_amount'],
  ['target_amount', 'mm_delivered_target_amount'],
  ['party_id', 'canton_party_id'],
];

const otherNames = (field: string): readonly string[] =>
  namesOfOne.find((names) => names.includes(field)) ?? [field];

/** The name that stands for all names of what a field shows. */
export const quantityOf = (field: string): string => otherNames(field)[0] ?? field;

/**
 * The JSON path of a field in what a record shows, without the numbers of items: `data[].memo`. Of several the one with
 * a value; where it is missing, where it belongs. What a record shows of it under another name counts as well, unless it
 * is missing: then what stands under another name is not what is missing.
 */
export function pathsTo(
  record: Exchange | Frame | undefined,
  field: string,
  value: unknown,
  isMissing = false,
): string {
  // Of the envelope, or of a request.
  if (field.includes('.') || field === 'authorization' || envelopeMembers.includes(field))
    return field;
  const body = record?.kind === 'frame' ? { data: record.data } : record?.response?.body;
  const names = isMissing ? [field] : [field, ...otherNames(field)];
  const found = membersNamed(body, new Set(names)).toSorted(
    (one, other) => names.indexOf(leafOf(one.path)) - names.indexOf(leafOf(other.path)),
  );
  const best = found.find((one) => one.value === value) ?? found[0];
  if (best) return best.path;
  const { headers = {} } = (record?.kind === 'exchange' && record.response) || {};
  if (Object.hasOwn(headers, field)) return `headers.${field}`;
  const isList = isObject(body) && Array.isArray(body['data']);
  return isList ? `data[].${field}` : `data.${field}`;
}

/** A target may nest, and repeat, without end. */
const [deepest, mostItems, mostFound] = [8, 200, 200];

function membersNamed(
  body: unknown,
  names: ReadonlySet<string>,
): { readonly path: string; readonly value: unknown }[] {
  const found: { path: string; value: unknown }[] = [];
  const visit = (one: unknown, path: string, depth: number): void => {
    if (depth > deepest || found.length > mostFound) return;
    if (Array.isArray(one)) {
      for (const item of one.slice(0, mostItems)) visit(item, `${path}[]`, depth + 1);
      return;
    }
    if (!isObject(one)) return;
    for (const [key, inner] of Object.entries(one)) {
      const next = path === '' ? key : `${path}.${key}`;
      if (names.has(key)) found.push({ path: next, value: inner });
      else visit(inner, next, depth + 1);
    }
  };
  visit(body, '', 0);
  return found;
}

/** The last name of a path. */
export const leafOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
