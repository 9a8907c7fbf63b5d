/** Units that each entry has to itself, so that those of one moment stand side by side in their order. */
const own = 100;

/** Units of a wait: its first milliseconds count most, so that an hour is a few times as wide as a second. */
export const waitUnits = (ms: number): number => (ms <= 0 ? 0 : 60 * Math.log2(1 + ms / 50));

/** Where entries stand on an axis on which waits are collapsed. */
export interface Scale {
  readonly positions: Float64Array;
  readonly length: number;
  /** Of a moment that need not be one of an entry. */
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
  /** The first index of which something holds that holds of all that follow. */
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
