import type { LineEntry } from './line-entry.ts';

/** One course of events: what was done, and how far time has come. */
export interface Line {
  readonly name: string;
  /** Gaps with another answer than the usual one. */
  readonly answers: Readonly<Record<string, string>>;
  entries: readonly LineEntry[];
  /** Milliseconds since the epoch on the target's clock. */
  end: number;
}

/** A line as it was at a moment of it: the row at `place`, which came at `at`. */
export const lineUpTo = (
  { entries, answers }: Pick<Line, 'entries' | 'answers'>,
  { place, at }: { readonly place: number; readonly at: number },
  name: string,
): Line => ({ name, answers, entries: entries.filter(({ from }) => from <= place), end: at });
