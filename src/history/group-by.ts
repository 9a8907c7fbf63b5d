/** Groups by a key, keeping the order inside each group; items without a key are left out. */
export function groupBy<T, K>(
  items: readonly T[],
  keyOf: (item: T) => K | undefined,
): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
