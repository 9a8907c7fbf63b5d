/** One line of what `npm run bench` prints. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the value should be: at most a ratio, at least a rate. Empty where only the ratio below it counts. */
  readonly aim: string;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * What a machine does that others use too: they only ever slow a round down. The first rounds are left out, in which V8
 * compiles what runs often.
 */
export const quickest = (rates: readonly number[], warmUp: number): number =>
  Math.max(...rates.slice(warmUp));
