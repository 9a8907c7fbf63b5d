import { Document, isDocument, isMap, isPair, isScalar, isSeq, visit } from 'yaml';

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
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
