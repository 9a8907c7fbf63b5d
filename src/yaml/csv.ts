import { CsvError, parse } from 'csv-parse/sync';
import { bounds, type Parsed } from './parse.ts';
import { nameForm } from './shapes.ts';
import type { Advice, Place, SourceText } from './source-error.ts';
import type { YamlEntry, YamlMap } from './tree.ts';

interface Line {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Parses a table (RFC 4180) with column names in its first line, as a list of mappings. All cells are text: `1.10`
 * stays 1.10.
 */
export function parseCsv({ file, text }: SourceText): Parsed {
  const refuse = (line: number, message: string, more: Advice = {}): Parsed => ({
    ok: false,
    errors: [{ file, ...placeOf(line), message, ...more }],
  });
  const [head = ''] = text.split(/[\r\n]/, 1);
  const isSeparatedOtherwise = /[;\t]/.test(head) && !head.includes(',');
  const hint = isSeparatedOtherwise ? 'separate the cells by commas' : undefined;
  if (text.length > bounds.characters)
    return refuse(1, `the file is larger than ${bounds.characters} characters`);
  let lines: readonly Line[];
  try {
    lines = parse(text, { bom: true, info: true, skip_empty_lines: true }) as unknown as Line[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refuse(Number(error['lines'] ?? 1), inWords(error), { hint });
  }
  const [first, ...rows] = lines;
  const names = first?.record ?? [];
  const odd = names.find((name) => !nameForm.test(name));
  if (odd !== undefined) {
    const expected = 'a name of letters, digits and underscores';
    return refuse(1, `found the name ${JSON.stringify(odd)}`, { expected, hint });
  }
  if (rows.length === 0) return refuse(1, 'a table without a row below its names');
  if (rows.length * names.length > bounds.nodes)
    return refuse(1, `the table has more than ${bounds.nodes} cells`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return refuse(1, `two columns are named ${JSON.stringify(twice)}`);
  const items = rows.map(({ record, info }): YamlMap => {
    const place = placeOf(info.lines);
    const entries = record.map((cell, index): YamlEntry => {
      const value = { kind: 'scalar', place, value: cell, written: cell, quoted: true } as const;
      return { key: names[index] ?? '', keyPlace: place, value };
    });
    return { kind: 'map', place, entries };
  });
  return { ok: true, tree: { kind: 'list', place: placeOf(1), items } };
}

function inWords(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'the quote in this line is not closed';
  const cells: unknown = error['record'];
  if (error.code !== 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH' || !Array.isArray(cells))
    return error.message;
  return `the line has ${cells.length} cells, other than the first line with the names`;
}

const placeOf = (line: number): Place => ({ line, col: 1, width: 1 });
