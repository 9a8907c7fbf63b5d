import type { LineEntry } from './line-entry.ts';

/** One line: the actions so far, and the current time. */
export interface Line {
  readonly name: string;
  /** Gap answers that differ from the usual ones. */
  readonly answers: Readonly<Record<string, string>>;
  entries: readonly LineEntry[];
  /** Milliseconds since the epoch on the target's clock. */
  end: number;
}

/** Copy of a line up to a moment: the row at `place`, at time `at`. */
export const lineUpTo = (
  { entries, answers }: Pick<Line, 'entries' | 'answers'>,
  { place, at }: { readonly place: number; readonly at: number },
  name: string,
): Line => ({ name, answers, entries: entries.filter(({ from }) => from <= place), end: at });
