/** Counts by name, sorted by name. */
export const sortedCounts = (
  counts: ReadonlyMap<string, number>,
): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
