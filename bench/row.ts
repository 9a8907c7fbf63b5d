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
