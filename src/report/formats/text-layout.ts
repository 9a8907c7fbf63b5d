import type { RunOutcome, Verdict } from '../../results/verdicts.ts';

/** Styles of words. Plain paint leaves them unchanged. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  verdict(verdict: Verdict, text: string): string;
  outcome(outcome: RunOutcome, text: string): string;
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const;
type Code = keyof typeof codes;

const verdictCodes: Readonly<Record<Verdict, Code>> = {
  pass: 'green',
  out_of_scope: 'dim',
  not_exercised: 'dim',
  inconclusive: 'cyan',
  warn: 'yellow',
  fail: 'red',
  error: 'magenta',
};
const outcomeCodes: Readonly<Record<RunOutcome, Code>> = {
  conformant: 'green',
  nonconformant: 'red',
  incomplete: 'yellow',
  error: 'magenta',
};

export function createPaint(colour: 'colour' | 'plain'): Paint {
  const paint = (code: Code, text: string): string =>
    colour === 'plain' ? text : `\u001B[${codes[code]}m${text}\u001B[0m`;
  return {
    bold: (text) => paint('bold', text),
    dim: (text) => paint('dim', text),
    verdict: (verdict, text) => paint(verdictCodes[verdict], text),
    outcome: (outcome, text) => paint(outcomeCodes[outcome], text),
  };
}

// oxlint-disable-next-line no-control-regex -- colours are control sequences
const colours = /\u001B\[\d+m/g;
const widthOf = (text: string): number => text.replace(colours, '').length;

const pad = (text: string, width: number, side: 'left' | 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? space + text : text + space;
};

/** Table with two spaces between columns. The first two columns hold words, the others numbers. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string {
  const widths = head.map((title, column) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => pad(cell, widths[column] ?? 0, column < 2 ? 'right' : 'left'))
      .join('  ')
      .trimEnd();
  return [paint.dim(line(head)), ...rows.map(line)].join('\n');
}

export const indent = (text: string, by: number): string =>
  text
    .split('\n')
    .map((line) => ' '.repeat(by) + line)
    .join('\n');

/** Joins pieces into lines of at most the given width. */
export function wrapped(pieces: readonly string[], width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    const next = line === '' ? piece : `${line} · ${piece}`;
    if (line !== '' && next.length > width) {
      lines.push(line);
      line = piece;
    } else line = next;
  }
  if (line !== '') lines.push(line);
  return lines.join('\n');
}
