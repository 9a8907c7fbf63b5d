import { CsvError, parse } from 'csv-parse/sync';
import { bounds, type Parsed } from './parse.ts';
import type { Place, SourceText } from './source-error.ts';
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
  const refuse = (line: number, message: string): Parsed => ({
    ok: false,
    errors: [{ file, ...placeOf(line), message }],
  });
  if (text.length > bounds.characters)
    return refuse(1, `the file is larger than ${bounds.characters} characters`);
  let lines: readonly Line[];
  try {
    lines = parse(text, { bom: true, info: true, skip_empty_lines: true }) as unknown as Line[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refuse(Number(error['lines'] ?? 1), error.message);
  }
  const [head, ...rows] = lines;
  const names = head?.record ?? [];
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

const placeOf = (line: number): Place => ({ line, col: 1, width: 1 });
