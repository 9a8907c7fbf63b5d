import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
  type YAMLParseError,
} from 'yaml';
import type { Place, SourceError, SourceText } from './source-error.ts';
import type { YamlEntry, YamlNode } from './tree.ts';

/** Limits of a file. Nesting and aliases cost far more than their bytes, so a limit of size is not enough. */
export const bounds = { characters: 1_000_000, depth: 64, nodes: 100_000, aliases: 1_000 } as const;

export type Parsed =
  | { readonly ok: true; readonly tree: YamlNode }
  | { readonly ok: false; readonly errors: readonly SourceError[] };

/** Parses one YAML 1.2 document; reports its syntax errors up to the first that hides the others. */
export function parseYaml(source: SourceText): Parsed {
  const lines = new LineCounter();
  const at = (start: number, end: number): Place => {
    const from = lines.linePos(start);
    const to = lines.linePos(Math.max(start, end));
    return { ...from, width: to.line === from.line ? Math.max(1, to.col - from.col) : 1 };
  };
  const error = (place: Place, message: string, more: Partial<SourceError> = {}): SourceError => ({
    file: source.file,
    ...place,
    message,
    ...more,
  });
  const refuse = (...errors: SourceError[]): Parsed => ({ ok: false, errors });
  const top: Place = { line: 1, col: 1, width: 1 };

  if (source.text.length > bounds.characters) {
    return refuse(error(top, `the file is larger than ${bounds.characters} characters`));
  }
  const tokens = [...new Parser(lines.addNewLine).parse(source.text)];
  const deep = tooDeep(tokens);
  if (deep !== undefined) {
    return refuse(error(at(deep, deep + 1), `nested more than ${bounds.depth} levels deep`));
  }
  const documents = [...new Composer({ keepSourceTokens: true }).compose(tokens)];
  const found = trustworthy(documents.flatMap((document) => document.errors)).map((problem) =>
    error(at(...problem.pos), inWords(problem, source.text)),
  );
  if (found.length > 0) return refuse(...found);
  const [first, second] = documents;
  if (second?.contents) return refuse(error(at(...startOf(second)), 'a second document'));
  if (!first?.contents) return refuse(error(top, 'the file is empty'));
  return convert(first, at, error);
}

const startOf = (document: Document.Parsed): [number, number] => [
  document.range[0],
  document.range[0] + 1,
];

/** Errors up to the first one after which the structure is only guessed: the others would follow from it. */
function trustworthy(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const sorted = errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  const first = sorted.findIndex(({ code }) => !isLocal.has(code));
  return first === -1 ? sorted : sorted.slice(0, first + 1);
}
const isLocal = new Set(['DUPLICATE_KEY', 'TAB_AS_INDENT']);

const messages: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key stands here twice',
  TAB_AS_INDENT: 'a tab in the indentation; YAML takes spaces only',
  BAD_INDENT: 'wrong indentation',
};

/** For an unclosed bracket the library reports wrong indentation of the text after it. */
const leftOpen: Readonly<Record<string, string>> = {
  'Flow map': 'a { stands open before this: its } is missing',
  'Flow sequence': 'a [ stands open before this: its ] is missing',
};

function inWords({ code, message, pos }: YAMLParseError, text: string): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY') {
    const [rest = ''] = text.slice(pos[0]).split('\n', 1);
    return /:\s/.test(rest)
      ? 'a text with ": " in it needs quotes'
      : 'wrong indentation below this';
  }
  const open = code === 'BAD_INDENT' ? /^Flow (?:map|sequence)/.exec(message)?.[0] : undefined;
  const [first = code] = message.split('\n');
  return leftOpen[open ?? ''] ?? messages[code] ?? lowerFirst(withoutPlace(first));
}

/** Removes the location from the message: the snippet shows it. */
const withoutPlace = (text: string): string => text.replace(/ at line \d+, column \d+:?$/, '');

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** Offset of the first token below the deepest level allowed. The composer recurses, so this must not. */
function tooDeep(tokens: readonly CST.Token[]): number | undefined {
  const stack: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { token, depth } = next;
    if (depth > bounds.depth) return 'offset' in token ? token.offset : 0;
    if (token.type === 'document' && token.value) stack.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const item of token.items) {
      if (item.key) stack.push({ token: item.key, depth: depth + 1 });
      if (item.value) stack.push({ token: item.value, depth: depth + 1 });
    }
  }
  return undefined;
}

/** Converts the library's nodes to ours: resolves aliases, and enforces the bounds. */
function convert(
  document: Document.Parsed,
  at: (start: number, end: number) => Place,
  error: (place: Place, message: string) => SourceError,
): Parsed {
  const errors: SourceError[] = [];
  let nodes = 0;
  let aliases = 0;
  const placeOf = (node: Node): Place => at(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
  const nothing = (place: Place): YamlNode => ({
    kind: 'scalar',
    place,
    value: null,
    written: '',
    quoted: false,
  });
  /** `here` is the alias that led to the node: an error is reported where the file uses the alias. */
  const walk = (node: Node | null, parent: Place, depth: number, here?: Place): YamlNode => {
    if (node === null) return nothing(parent);
    const place = here ?? placeOf(node);
    nodes += 1;
    if (isAlias(node)) aliases += 1;
    if (nodes > bounds.nodes || depth > bounds.depth || aliases > bounds.aliases) {
      if (errors.length === 0) errors.push(error(place, 'grows too large through its aliases'));
      return nothing(place);
    }
    if (isAlias(node)) {
      const meant = node.resolve(document);
      if (meant) return walk(meant, place, depth + 1, place);
      errors.push(error(place, `no anchor named &${node.source} stands before this alias`));
      return nothing(place);
    }
    if (isSeq<ParsedNode>(node)) {
      const items = node.items.map((item) => walk(item, place, depth + 1, here));
      return { kind: 'list', place, items };
    }
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const entries = node.items.map((pair): YamlEntry => {
        const keyPlace = here ?? placeOf(pair.key);
        if (!isScalar(pair.key)) errors.push(error(keyPlace, 'a key must be a plain word'));
        const key = isScalar(pair.key) ? (pair.key.source ?? String(pair.key.value)) : '';
        return { key, keyPlace, value: walk(pair.value, keyPlace, depth + 1, here) };
      });
      return { kind: 'map', place: { ...place, width: 1 }, entries };
    }
    return scalarOf(node, place);
  };
  const tree = walk(document.contents, { line: 1, col: 1, width: 1 }, 0);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, tree };
}

function scalarOf(node: Node, place: Place): YamlNode {
  if (!isScalar(node)) throw new Error('a node that is neither alias, list, mapping nor scalar');
  const quoted = node.type !== undefined && node.type !== 'PLAIN';
  const { value } = node;
  const known =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return {
    kind: 'scalar',
    place,
    value: known ? value : null,
    written: node.source ?? (known ? String(value) : ''),
    quoted,
  };
}
