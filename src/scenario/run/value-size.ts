const known = new WeakMap<object, number>();

/**
 * How large a value is once it is written: its characters, and one for each value in it. What stands in it twice counts
 * twice, though it is one object in memory.
 */
export function sizeOf(json: unknown): number {
  if (typeof json === 'string') return json.length;
  if (typeof json !== 'object' || json === null) return 1;
  const before = known.get(json);
  if (before !== undefined) return before;
  let size = 1;
  for (const [key, value] of Object.entries(json)) size += key.length + sizeOf(value);
  known.set(json, size);
  return size;
}
