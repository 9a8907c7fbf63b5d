/** Tables as Markdown has them; a bar in a cell is escaped. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

export const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] => [row(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(row)];
