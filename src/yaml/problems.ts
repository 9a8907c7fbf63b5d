import { didYouMean, oneOfThese, suggestion } from './did-you-mean.ts';
import { durationForm, parseDuration } from './duration.ts';
import type { Advice, Place, SourceError } from './source-error.ts';
import { describe, type YamlMap, type YamlNode } from './tree.ts';

/** Collects the problems of one file while it is read, so that all of them can be reported at once. */
export class Problems {
  readonly file: string;
  readonly found: SourceError[] = [];

  constructor(file: string) {
    this.file = file;
  }

  /** Records one problem; returns undefined so that a reader can return it. */
  add({ line, col, width }: Place, message: string, more: Advice = {}): undefined {
    this.found.push({ file: this.file, line, col, width, message, ...more });
    return undefined;
  }

  wrong(node: YamlNode, expected: string, hint?: string): undefined {
    return this.add(node.place, `found ${describe(node)}`, { expected, hint });
  }
}

export function readMap(node: YamlNode, what: string, problems: Problems): YamlMap | undefined {
  return node.kind === 'map' ? node : problems.wrong(node, `${what}, as a mapping`);
}

/**
 * Values of a mapping with a fixed set of keys. An unknown key and a missing required key are problems; undefined if
 * the node is no mapping.
 */
export function readFields<Key extends string>(
  node: YamlNode,
  what: string,
  keys: { readonly required?: readonly Key[]; readonly optional?: readonly Key[] },
  problems: Problems,
): { readonly [key in Key]?: YamlNode } | undefined {
  const map = readMap(node, what, problems);
  if (!map) return undefined;
  const known = [...(keys.required ?? []), ...(keys.optional ?? [])];
  const fields: { [key in Key]?: YamlNode } = {};
  const misspelled = new Set<string>();
  for (const { key, keyPlace, value } of map.entries) {
    const meant = known.find((one) => one === key);
    if (meant !== undefined) fields[meant] = value;
    else {
      unknownKey(key, keyPlace, what, known, problems);
      misspelled.add(didYouMean(key, known) ?? '');
    }
  }
  for (const key of keys.required ?? []) {
    if (fields[key] !== undefined || misspelled.has(key)) continue;
    problems.add(map.place, `${what} lacks ${JSON.stringify(key)}`);
  }
  return fields;
}

export function unknownKey(
  key: string,
  at: Place,
  what: string,
  known: readonly string[],
  problems: Problems,
): void {
  const shown = key.length > 60 ? `${key.slice(0, 57)}...` : key;
  const advice = known.length > 0 ? oneOfThese(key, known) : { expected: 'no keys' };
  problems.add(at, `unknown key ${JSON.stringify(shown)} in ${what}`, advice);
}

/** Reads a string. A number or a word such as `yes` must be quoted, so that it is read exactly as written. */
export function readText(
  node: YamlNode | undefined,
  what: string,
  problems: Problems,
): string | undefined {
  if (!node) return undefined;
  if (node.kind !== 'scalar' || node.value === null) return problems.wrong(node, what);
  if (typeof node.value === 'string') return node.value;
  return problems.wrong(node, what, `write it in quotes: ${JSON.stringify(node.written)}`);
}

export function readWord<Word extends string>(
  node: YamlNode | undefined,
  words: readonly Word[],
  problems: Problems,
): Word | undefined {
  if (!node) return undefined;
  const written = node.kind === 'scalar' ? String(node.value) : undefined;
  const meant = words.find((word) => word === written);
  if (meant !== undefined) return meant;
  return problems.wrong(
    node,
    `one of ${words.join(', ')}`,
    written === undefined ? undefined : suggestion(written, words),
  );
}

/** Milliseconds. */
export function readDuration(node: YamlNode | undefined, problems: Problems): number | undefined {
  if (!node) return undefined;
  const ms =
    node.kind === 'scalar' && typeof node.value === 'string'
      ? parseDuration(node.value)
      : undefined;
  return ms ?? problems.wrong(node, durationForm);
}
