import { isObject, parsedJson } from '../history/json.ts';

/** Contents of a HAR file, entry by entry. */
export interface HarText {
  /** `log.creator.name`; empty if there is none. */
  readonly creator: string;
  /** An entry that is no JSON is undefined. */
  readonly entries: readonly unknown[];
  /** Size of the file in bytes, if it ends before its list of entries does. */
  readonly cutAt?: number;
  /** Report of a run (`log._report`), if the file is of one. */
  readonly report?: unknown;
}

export type HarTextReading =
  | { readonly ok: true; readonly har: HarText }
  | { readonly ok: false; readonly problem: string };

/** First characters of files that must be unpacked first, as they look when read as UTF-8. */
const packed: readonly (readonly [string, string])[] = [
  ['PK\u0003\u0004', 'it is a zip file: unpack it, and give the .har file in it'],
  ['\u001f\ufffd', 'it is compressed by gzip: unpack it (gunzip)'],
  ['x\ufffd', 'it is compressed by zlib, as a .zhar file of mitmproxy is: export it as .har'],
  ['\ufffd\ufffd', 'it is not UTF-8: save it as UTF-8'],
];

/** Complete objects of a list that begins at an index of a text. */
function wholeObjects(text: string, from: number): { found: unknown[]; isWhole: boolean } {
  const found: unknown[] = [];
  let [depth, start] = [0, 0];
  const marks = /["[\]{}]/g;
  marks.lastIndex = from;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [sign] = mark;
    if (sign === '"') {
      const end = endOfString(text, mark.index + 1);
      if (end === -1) break;
      marks.lastIndex = end + 1;
    } else if (sign === '{' || sign === '[') {
      if (depth === 0) start = mark.index;
      depth += 1;
    } else {
      depth -= 1;
      if (depth < 0) return { found, isWhole: true };
      if (depth === 0) found.push(parsedJson(text.slice(start, mark.index + 1)));
    }
  }
  return { found, isWhole: false };
}

function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** Reads a file that is no JSON as a whole: it was cut off, or one of its entries is broken. */
function brokenHar(text: string, why: string): HarTextReading {
  const list = /"entries"\s*:\s*\[/.exec(text);
  const { found: entries, isWhole } = list
    ? wholeObjects(text, list.index + list[0].length)
    : { found: [], isWhole: false };
  const cutAt = Buffer.byteLength(text);
  const isBrokenElsewhere = isWhole && !entries.includes(undefined);
  if (isBrokenElsewhere || entries.every((entry) => entry === undefined)) {
    const end = isWhole ? '' : `; it ends at byte ${cutAt}, before any of its entries is whole`;
    return { ok: false, problem: `it is no JSON: ${why}${end}: export it again` };
  }
  const creator = /"creator"\s*:\s*\{[^{}]*"name"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? '';
  return { ok: true, har: { creator, entries, ...(!isWhole && { cutAt }) } };
}

/** True if a file begins like a HAR: then it is read as nothing else. */
const beginsAsHar = (text: string): boolean => /^\s*\{\s*"log"\s*:/.test(text);

/** Reads a HAR. Undefined if the text is no HAR; it may be something else. */
export function readHarText(text: string): HarTextReading | undefined {
  const reason = packed.find(([start]) => text.startsWith(start))?.[1];
  if (reason !== undefined) return { ok: false, problem: reason };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!beginsAsHar(text)) return undefined;
    return brokenHar(text, error instanceof Error ? error.message : String(error));
  }
  if (!isObject(value) || value['kind'] !== undefined) return undefined;
  const { log } = value;
  if (log === undefined) return { ok: false, problem: 'it has no "log", as a HAR file has' };
  if (!isObject(log)) return { ok: false, problem: 'log: expected an object' };
  const { entries, creator } = log;
  if (!Array.isArray(entries)) return { ok: false, problem: 'log.entries: expected a list' };
  const name = isObject(creator) ? creator['name'] : undefined;
  const report = log['_report'];
  return {
    ok: true,
    har: {
      creator: typeof name === 'string' ? name : '',
      entries,
      ...(report !== undefined && { report }),
    },
  };
}
