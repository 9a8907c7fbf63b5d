export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null and absent are the two ways of not being set (gap `order.unset_fields`). */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;

export const textAt = (value: unknown, key: string): string | undefined => {
  if (!isObject(value)) return undefined;
  const found = value[key];
  return typeof found === 'string' ? found : undefined;
};

/**
 * Visits every member of a JSON value at any depth, with the name it stands under (of a list's items: the
 * list's). With a stack of its own: what a target sends may be nested deeper than ours reaches.
 */
export function visit(
  root: unknown,
  see: (name: string, value: unknown, holder: JsonObject | undefined) => void,
): void {
  const stack: [string, unknown, JsonObject | undefined][] = [['', root, undefined]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [name, value, holder] = next;
    see(name, value, holder);
    if (Array.isArray(value)) for (const item of value) stack.push([name, item, holder]);
    else if (isObject(value)) {
      for (const key in value) stack.push([key, value[key], value]);
    }
  }
}
