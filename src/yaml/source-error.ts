/** A place in a file; both count from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly col: number;
  /** How many columns the caret underlines; at least 1. */
  readonly width: number;
}

/** A file as it was read, under the name to show. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** Something wrong with a file that a person wrote. */
export interface SourceError {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly width?: number;
  /** What was found, as a phrase: `unknown key "roll"`. */
  readonly message: string;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
}

/** What was expected instead, and what may help. */
export type Advice = Pick<SourceError, 'expected' | 'hint'>;

const widestLine = 120;

/** Control characters would move the caret, or the terminal: each becomes one visible sign. */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => (sign === '\t' ? ' ' : '\u00b7'));

/** A window of a long line around the caret, and the caret's column in it. */
function windowOf(line: string, col: number): { readonly shown: string; readonly at: number } {
  if (line.length <= widestLine) return { shown: line, at: col - 1 };
  const from = Math.max(0, Math.min(col - 1 - 40, line.length - widestLine));
  const before = from > 0 ? '…' : '';
  const after = from + widestLine < line.length ? '…' : '';
  const shown = before + line.slice(from, from + widestLine) + after;
  return { shown, at: col - 1 - from + before.length };
}

/** The error as `file:line:col: message`, the line of the source with a caret under it, what was expected. */
export function renderSourceError(error: SourceError, text: string | undefined): string {
  const lines = [`${error.file}:${error.line}:${error.col}: ${visible(error.message)}`];
  const source = text?.split(/\r\n|\r|\n/)[error.line - 1];
  if (source !== undefined && source.trim() !== '') {
    const { shown, at } = windowOf(source, error.col);
    const gutter = ' '.repeat(String(error.line).length);
    const width = Math.max(1, Math.min(error.width ?? 1, shown.length - at));
    lines.push(`${gutter} |`);
    lines.push(`${error.line} | ${visible(shown)}`);
    lines.push(`${gutter} | ${' '.repeat(at)}${'^'.repeat(width)}`);
  }
  if (error.expected !== undefined) lines.push(`  expected: ${visible(error.expected)}`);
  if (error.hint !== undefined) lines.push(`  hint: ${visible(error.hint)}`);
  return lines.join('\n');
}

/** So many errors of one file are told: whoever has more has one that repeats. */
const mostTold = 100;

/** The errors of one file, in the order of its lines. */
export function renderSourceErrors(errors: readonly SourceError[], text: string | undefined) {
  const told = errors
    .toSorted((a, b) => a.line - b.line || a.col - b.col)
    .slice(0, mostTold)
    .map((error) => renderSourceError(error, text));
  const left = errors.length - told.length;
  return [...told, ...(left > 0 ? [`${left} more errors`] : [])].join('\n\n');
}
