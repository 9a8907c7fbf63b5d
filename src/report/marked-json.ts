import { isObject } from '../history/json.ts';

/** One line of a pretty-printed value. */
export interface JsonLine {
  readonly text: string;
  /** True if a failure is about this line. */
  readonly isMarked: boolean;
}

/** Path and value to mark. */
export interface Sought {
  /** JSON path without item indexes, as `data[].memo`. */
  readonly path: string | undefined;
  /** Wrong value at the path. Undefined if there was none. */
  readonly actual: unknown;
  /** Orders that the failure is about. Items that name other orders are not marked. */
  readonly orders?: ReadonlySet<string>;
}

/** Deeper than any resource of the document; a target may nest without end. */
const deepest = 24;

/**
 * A value as JSON with one member per line. Marks the lines at the path. If several items match, only those with the
 * wrong value and of the orders in question; if none of these exists, all of them. If the member is missing, marks the
 * object that lacks it.
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

/** True if the item names another order. An item without an order id may belong to any. */
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

/** Consecutive lines, shown or folded. */
export interface JsonStretch {
  readonly lines: readonly JsonLine[];
  readonly isFolded: boolean;
}

/** Number of lines shown around a marked line, and length up to which a stretch is not folded. */
const [around, shortest] = [8, 12];

/** Splits lines into stretches. Lines far from a marked line are folded, never cut. */
export function stretchesOf(lines: readonly JsonLine[]): readonly JsonStretch[] {
  const near = new Set<number>();
  const marked = lines.flatMap(({ isMarked }, place) => (isMarked ? [place] : []));
  // If the whole value is wrong, no line is marked: then its beginning is shown.
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
