/** One line of what `npm run bench` prints. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Target: at most a ratio, at least a rate. Empty if only the ratio in the next row counts. */
  readonly aim: string;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * The highest rate, since other work on the machine can only slow a round down. Leaves out the
 * first rounds, in which V8 still compiles the code.
 */
export const quickest = (rates: readonly number[], warmUp: number): number =>
  Math.max(...rates.slice(warmUp));
