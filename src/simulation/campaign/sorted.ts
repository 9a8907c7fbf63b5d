/** Counts by name in the order of the names, however they came. */
export const sortedCounts = (
  counts: ReadonlyMap<string, number>,
): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
