import { isObject, type JsonObject } from '../history/json.ts';

export { isObject, type JsonObject } from '../history/json.ts';

/** Null and absent are the two ways of not being set (gap `order.unset_fields`). */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** Value of a field if it is a string. */
export const textOf = (fields: unknown, name: string): string | undefined => {
  const value = isObject(fields) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** Any JSON value as a text. An object may hold members named as its methods, so that `String` fails on it. */
export const shownText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Members have no order, and a target may write them in another one each time. */
export const sameJson = (a: unknown, b: unknown): boolean =>
  a === b || orderedJson(a) === orderedJson(b);

/** JSON of a value, with the members of each object by name. */
export const orderedJson = (root: unknown): string | undefined =>
  JSON.stringify(root, (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : value,
  );

/** Maximum depth. No honest message is deeper; a target may send values nested deeper than our stack allows. */
const deepest = 100;

/** Visits every member of a JSON value at any depth, with its name (items of a list have the name of the list). */
export function visit(
  root: unknown,
  see: (name: string, value: unknown) => void,
  name = '',
  depth = 0,
): void {
  see(name, root);
  if (typeof root !== 'object' || root === null || depth > deepest) return;
  if (Array.isArray(root)) for (const item of root) visit(item, see, name, depth + 1);
  else for (const key in root) visit((root as JsonObject)[key], see, key, depth + 1);
}
