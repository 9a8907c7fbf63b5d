import {
  Document,
  isDocument,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  YAMLMap,
} from 'yaml';

const layout = { lineWidth: 0, flowCollectionPadding: true };

/**
 * Sets string entries of one top-level mapping of a document, which is added if it is missing. Comments, order and
 * everything else stay unchanged.
 */
export function withEntries(
  text: string,
  section: string,
  entries: readonly (readonly [key: string, value: string])[],
): string {
  const document = parseDocument(text);
  const present = document.get(section);
  const map = isMap(present) ? present : new YAMLMap();
  if (!isMap(present)) document.set(section, map);
  for (const [key, value] of entries) map.set(key, document.createNode(value));
  return document.toString(layout);
}

type Change = (present: string) => string;

/**
 * Sets single values in a document, each by its path of keys, to a text or to what a present text becomes. Everything
 * else stays unchanged.
 */
export function withValues(
  text: string,
  values: readonly (readonly [path: readonly string[], value: string | Change])[],
): string {
  const document = parseDocument(text);
  for (const [path, value] of values) {
    const present = document.getIn(path);
    if (typeof value === 'string') document.setIn(path, value);
    else if (typeof present === 'string') document.setIn(path, value(present));
  }
  return document.toString(layout);
}

/** Text that YAML reads as it is, whatever else it may be. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * A mapping as YAML: its keys, and the keys of each mapping in a list `steps`, stand on lines of their own. All else is on
 * one line.
 */
export function writeYaml(value: Readonly<Record<string, unknown>>): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_, node, path) {
      const parent = path.at(-1);
      const isSteps = isPair(parent) && isScalar(parent.key) && parent.key.value === 'steps';
      const around = isPair(parent) ? path.at(-2) : parent;
      const isInFlow = (isMap(around) || isSeq(around)) && around.flow === true;
      const isBlock = isDocument(parent) || (isSeq(node) ? isSteps : isSeq(parent));
      node.flow = isInFlow || !isBlock;
    },
    Scalar(_, node) {
      if (typeof node.value === 'string' && !isPlain(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString(layout);
}
