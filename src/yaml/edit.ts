import { isMap, parseDocument, YAMLMap } from 'yaml';

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
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
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
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
