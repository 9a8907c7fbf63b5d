import type { Place } from './source-error.ts';

/** A YAML document as data, with the location of each node. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

export interface YamlEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: YamlNode;
}

export interface YamlMap {
  readonly kind: 'map';
  readonly place: Place;
  /** In the order of the file; no duplicate keys. */
  readonly entries: readonly YamlEntry[];
}

export interface YamlList {
  readonly kind: 'list';
  readonly place: Place;
  readonly items: readonly YamlNode[];
}

export interface YamlScalar {
  readonly kind: 'scalar';
  readonly place: Place;
  readonly value: string | number | boolean | null;
  /** The text as written, without its quotes: this keeps `1.10` from becoming 1.1. */
  readonly written: string;
  readonly quoted: boolean;
}

/** The node as plain data. */
export function plain(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  // Assigning would call the setter of `__proto__`; defining does not.
  return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.value)]));
}

/** Kind of a node, in words for an error. */
export function describe(node: YamlNode): string {
  if (node.kind === 'map') return 'a mapping';
  if (node.kind === 'list') return 'a list';
  if (node.value === null) return 'nothing';
  if (typeof node.value === 'string') return shorten(JSON.stringify(node.value));
  return shorten(`the ${typeof node.value === 'number' ? 'number' : 'word'} ${node.written}`);
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
