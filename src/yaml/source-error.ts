/** A place in a file; both count from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly col: number;
  /** Number of columns that the caret underlines; at least 1. */
  readonly width: number;
}

/** Contents of a file, with its name for messages. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** An error in a file that a person wrote. */
export interface SourceError {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly width?: number;
  /** The problem, as a phrase: `unknown key "roll"`. */
  readonly message: string;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
}

/** The expected value, and a hint that may help. */
export type Advice = Pick<SourceError, 'expected' | 'hint'>;

const widestLine = 120;

/** Replaces each control character by one visible sign: it would move the caret, or control the terminal. */
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

/** Maximum number of errors shown for one file: more of them are one error that repeats. */
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
