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

/** One name for a quantity that several fields show. */
export const quantityOf = (field: string): string => otherNames(field)[0] ?? field;

/**
 * JSON path of a field in the body of a record, without item indexes: `data[].memo`. If several match, the one with
 * `value`. If none matches, the path at which the field belongs. Other names of the same quantity match as well, unless
 * the field is missing: a field under another name is not the missing one.
 */
export function pathsTo(
  record: Exchange | Frame | undefined,
  field: string,
  value: unknown,
  isMissing = false,
): string {
  // Fields of the envelope or of a request are paths already.
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

/** Bounds of the search: a body may be nested to any depth and have any number of items. */
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
