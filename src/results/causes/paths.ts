import { isObject } from '../../history/json.ts';
import type { Exchange, Frame } from '../../history/records.ts';

export const envelopeMembers: readonly string[] = ['pagination', 'meta', 'data'];

/**
 * The JSON path of a field in what a record shows, without the numbers of items: `data[].memo`. Of several the one with
 * a value; where it is missing, where it belongs.
 */
export function pathsTo(
  record: Exchange | Frame | undefined,
  field: string,
  value: unknown,
): string {
  // Of the envelope, or of a request.
  if (field.includes('.') || field === 'authorization' || envelopeMembers.includes(field))
    return field;
  const body = record?.kind === 'frame' ? { data: record.data } : record?.response?.body;
  const found: { path: string; isSame: boolean }[] = [];
  const visit = (one: unknown, path: string, depth: number): void => {
    if (depth > 8 || found.length > 200) return;
    if (Array.isArray(one)) {
      for (const item of one.slice(0, 200)) visit(item, `${path}[]`, depth + 1);
      return;
    }
    if (!isObject(one)) return;
    for (const [key, inner] of Object.entries(one)) {
      const next = path === '' ? key : `${path}.${key}`;
      if (key === field) found.push({ path: next, isSame: inner === value });
      else visit(inner, next, depth + 1);
    }
  };
  visit(body, '', 0);
  const best = found.find(({ isSame }) => isSame) ?? found[0];
  if (best) return best.path;
  const isList = isObject(body) && Array.isArray(body['data']);
  return isList ? `data[].${field}` : `data.${field}`;
}

/** The last name of a path. */
export const leafOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
