import { didYouMean, oneOfThese, suggestion } from './did-you-mean.ts';
import { durationForm, parseDuration } from './duration.ts';
import type { Advice, Place, SourceError } from './source-error.ts';
import { describe, type YamlMap, type YamlNode } from './tree.ts';

/**
 * Reads the nodes of one file, and collects their problems, so that all of them can be reported at once. A reader of a
 * node returns undefined if the node is missing, or if it has a problem, which is then recorded.
 */
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

  unknownKey(key: string, at: Place, what: string, known: readonly string[]): undefined {
    const shown = key.length > 60 ? `${key.slice(0, 57)}...` : key;
    const advice = known.length > 0 ? oneOfThese(key, known) : { expected: 'no keys' };
    return this.add(at, `unknown key ${JSON.stringify(shown)} in ${what}`, advice);
  }

  map(node: YamlNode | undefined, what: string): YamlMap | undefined {
    if (!node || node.kind === 'map') return node;
    return this.wrong(node, `${what}, as a mapping`);
  }

  /** Values of a mapping with a fixed set of keys. An unknown key and a missing required key are problems. */
  fields<Key extends string>(
    node: YamlNode | undefined,
    what: string,
    { required = [], optional = [] }: { required?: readonly Key[]; optional?: readonly Key[] },
  ): { readonly [key in Key]?: YamlNode } | undefined {
    const map = this.map(node, what);
    if (!map) return undefined;
    const known = [...required, ...optional];
    const fields: { [key in Key]?: YamlNode } = {};
    const misspelled = new Set<string>();
    for (const { key, keyPlace, value } of map.entries) {
      const meant = known.find((one) => one === key);
      if (meant !== undefined) fields[meant] = value;
      else {
        this.unknownKey(key, keyPlace, what, known);
        misspelled.add(didYouMean(key, known) ?? '');
      }
    }
    for (const key of required) {
      if (fields[key] !== undefined || misspelled.has(key)) continue;
      this.add(map.place, `${what} lacks ${JSON.stringify(key)}`);
    }
    return fields;
  }

  /** Reads a string. A number or a word such as `yes` must be quoted, so that it is read exactly as written. */
  text(node: YamlNode | undefined, what: string): string | undefined {
    if (!node) return undefined;
    if (node.kind !== 'scalar' || node.value === null) return this.wrong(node, what);
    if (typeof node.value === 'string') return node.value;
    return this.wrong(node, what, `write it in quotes: ${JSON.stringify(node.written)}`);
  }

  word<Word extends string>(node: YamlNode | undefined, words: readonly Word[]): Word | undefined {
    if (!node) return undefined;
    const written = node.kind === 'scalar' ? String(node.value) : undefined;
    const meant = words.find((word) => word === written);
    const hint = written === undefined ? undefined : suggestion(written, words);
    return meant ?? this.wrong(node, `one of ${words.join(', ')}`, hint);
  }

  /** Milliseconds. */
  duration(node: YamlNode | undefined): number | undefined {
    if (!node) return undefined;
    const isText = node.kind === 'scalar' && typeof node.value === 'string';
    return (
      (isText ? parseDuration(String(node.value)) : undefined) ?? this.wrong(node, durationForm)
    );
  }
}
