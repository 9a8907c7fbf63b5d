/** Tables as Markdown has them; a bar in a cell is escaped. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

export const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly string[]): string[] => [
  row(...head),
  `|${' --- |'.repeat(head.length)}`,
  ...rows,
];
