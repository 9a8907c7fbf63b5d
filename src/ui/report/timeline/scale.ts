/** Width of each entry in units, so that entries of one moment are side by side in their order. */
const own = 100;

/** Width of a wait in units: its first milliseconds count most, so that an hour is a few times as wide as a second. */
export const waitUnits = (ms: number): number => (ms <= 0 ? 0 : 60 * Math.log2(1 + ms / 50));

/** Positions of entries on an axis with collapsed waits. */
export interface Scale {
  readonly positions: Float64Array;
  readonly length: number;
  /** Position of any moment, even without an entry. */
  at(ms: number): number;
  /** The first entry at or after a position. */
  firstFrom(position: number): number;
}

/** @param moments in the order of time */
export function scaleOf(moments: readonly number[]): Scale {
  const positions = new Float64Array(moments.length);
  let position = 0;
  for (const [index, ms] of moments.entries()) {
    position += own + waitUnits(ms - (moments[index - 1] ?? ms));
    positions[index] = position;
  }
  /** First index for which a condition holds that also holds for all later ones. */
  const search = (holds: (index: number) => boolean): number => {
    let [low, high] = [0, moments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    positions,
    length: position + own,
    at(ms) {
      const next = search((index) => (moments[index] ?? 0) >= ms);
      if (moments[next] === ms) return positions[next] ?? 0;
      if (next === 0) return 0;
      const since = waitUnits(ms - (moments[next - 1] ?? 0));
      return Math.min((positions[next - 1] ?? 0) + since, (positions[next] ?? position + own) - 1);
    },
    firstFrom: (sought) => search((index) => (positions[index] ?? 0) >= sought),
  };
}
