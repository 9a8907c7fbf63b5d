import { isObject } from '../history/json.ts';

/** What a HAR file holds, entry by entry. */
export interface HarText {
  /** `log.creator.name`, or nothing. */
  readonly creator: string;
  /** Undefined for one that is no JSON. */
  readonly entries: readonly unknown[];
  /** The file ends at so many bytes, before its list of entries does. */
  readonly cutAt?: number;
  /** Of a run: its report (`log._report`). */
  readonly report?: unknown;
}

export type HarTextReading =
  | { readonly ok: true; readonly har: HarText }
  | { readonly ok: false; readonly problem: string };

/** First characters of files that hold a HAR only once they are unpacked, as they look when read as UTF-8. */
const packed: readonly (readonly [string, string])[] = [
  ['PK\u0003\u0004', 'it is a zip file: unpack it, and give the .har file in it'],
  ['\u001f\ufffd', 'it is compressed by gzip: unpack it (gunzip)'],
  ['x\ufffd', 'it is compressed by zlib, as a .zhar file of mitmproxy is: export it as .har'],
  ['\ufffd\ufffd', 'it is not UTF-8: save it as UTF-8'],
];

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The objects of a list that begins at a place of a text, as far as they are whole. */
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
      if (depth === 0) found.push(parsed(text.slice(start, mark.index + 1)));
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

/** A file that is no JSON as a whole: it was cut off, or an entry in it is broken. */
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

/** Whether a file begins as a HAR does: then it is not taken for anything else. */
const beginsAsHar = (text: string): boolean => /^\s*\{\s*"log"\s*:/.test(text);

/** Undefined for a text that is no HAR, and may be something else. */
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
