import { isObject } from '../history/json.ts';

/** One line of a pretty-printed value. */
export interface JsonLine {
  readonly text: string;
  /** It is what a failure is about. */
  readonly isMarked: boolean;
}

/** What is looked for. */
export interface Sought {
  /** Without numbers of items, as `data[].memo`. */
  readonly path: string | undefined;
  /** The value that was wrong there; undefined where none was. */
  readonly actual: unknown;
  /** The orders that a failure is about: among items that name orders, only those of these count. */
  readonly orders?: ReadonlySet<string>;
}

/** Deeper than any resource of the document; a target may nest without end. */
const deepest = 24;

/**
 * A value as JSON, a member to a line, with the lines marked that a path names. Of several items those are marked that
 * hold the value that was wrong, and are of the orders in question; where there are none, all of them. Where a member is
 * missing, so is the line that would hold it: then the object is marked that lacks it.
 */
export function markedJson(value: unknown, sought: Sought): readonly JsonLine[] {
  const anyOrder: ReadonlySet<string> = new Set();
  const { orders = anyOrder } = sought;
  const values: readonly Walk['which'][] =
    sought.actual === undefined ? ['any value'] : ['that value', 'any value'];
  const walks = values.flatMap((which) => [
    { ...sought, which, orders },
    { ...sought, which, orders: anyOrder },
  ]);
  let lines: readonly JsonLine[] = [];
  for (const walk of walks) {
    lines = linesOf(value, walk);
    if (lines.some(({ isMarked }) => isMarked)) break;
  }
  return lines;
}

interface Walk extends Required<Sought> {
  readonly which: 'that value' | 'any value';
}

/** Of an order that is not in question; what names no order may belong to any. */
function isOfOther(item: unknown, orders: ReadonlySet<string>): boolean {
  const id = isObject(item) ? item['intent_id'] : undefined;
  return orders.size > 0 && typeof id === 'string' && !orders.has(id.toLowerCase());
}

function linesOf(value: unknown, walk: Walk): JsonLine[] {
  const lines: JsonLine[] = [];
  const { path, actual, which, orders } = walk;
  const parent = path?.slice(0, Math.max(0, path.lastIndexOf('.')));
  const member = path?.slice(path.lastIndexOf('.') + 1) ?? '';
  const isSought = (at: string, one: unknown): boolean =>
    at === path && (which === 'any value' || JSON.stringify(one) === JSON.stringify(actual));
  const lacksIt = (at: string, one: object): boolean =>
    which === 'any value' && at === parent && member !== '' && !Object.hasOwn(one, member);
  let isOther = false;

  const visit = (one: unknown, at: string, head: string, tail: string, depth: number): void => {
    const pad = '  '.repeat(depth);
    const push = (text: string, isMarked: boolean): void => {
      lines.push({ text: `${pad}${text}`, isMarked });
    };
    const isObjectHere = isObject(one);
    const entries: readonly (readonly [string | undefined, unknown])[] = Array.isArray(one)
      ? one.map((item) => [undefined, item] as const)
      : isObjectHere
        ? Object.entries(one)
        : [];
    const marked = !isOther && isSought(at, one);
    if (entries.length === 0 || depth >= deepest) {
      const text = depth >= deepest && entries.length > 0 ? '…' : (JSON.stringify(one) ?? 'null');
      push(`${head}${text}${tail}`, marked || (isObjectHere && !isOther && lacksIt(at, one)));
      return;
    }
    const [open, close] = isObjectHere ? ['{', '}'] : ['[', ']'];
    push(`${head}${open}`, marked || (isObjectHere && !isOther && lacksIt(at, one)));
    for (const [place, [name, inner]] of entries.entries()) {
      const next = name === undefined ? `${at}[]` : at === '' ? name : `${at}.${name}`;
      const before = name === undefined ? '' : `${JSON.stringify(name)}: `;
      const former = isOther;
      isOther ||= name === undefined && isOfOther(inner, orders);
      visit(inner, next, before, place < entries.length - 1 ? ',' : '', depth + 1);
      isOther = former;
    }
    push(`${close}${tail}`, false);
  };
  visit(value, '', '', '', 0);
  return lines;
}

/** Some lines in a row, to be shown at once or folded. */
export interface JsonStretch {
  readonly lines: readonly JsonLine[];
  readonly isFolded: boolean;
}

/** How much is shown around what is marked, and how short a stretch need not be folded. */
const [around, shortest] = [8, 12];

/** The lines in stretches: what is far from anything marked is folded, and never cut. */
export function stretchesOf(lines: readonly JsonLine[]): readonly JsonStretch[] {
  const near = new Set<number>();
  const marked = lines.flatMap(({ isMarked }, place) => (isMarked ? [place] : []));
  // Nothing is marked where all of it is wrong: its beginning is shown then.
  for (const place of marked.length > 0 ? marked : [0]) {
    for (let at = place - around; at <= place + around; at += 1) near.add(at);
  }
  const stretches: { lines: JsonLine[]; isFolded: boolean }[] = [];
  for (const [place, line] of lines.entries()) {
    const isFolded = !near.has(place);
    const last = stretches.at(-1);
    if (last?.isFolded === isFolded) last.lines.push(line);
    else stretches.push({ lines: [line], isFolded });
  }
  return stretches.map((one) => ({
    ...one,
    isFolded: one.isFolded && one.lines.length >= shortest,
  }));
}
