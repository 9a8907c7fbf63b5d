import { isObject } from '../history/json.ts';

/** What a HAR file holds, entry by entry. */
export interface HarText {
  /** `log.creator.name`, or nothing. */
  readonly creator: string;
  readonly entries: readonly unknown[];
  /** The file ends in the middle of an entry: those before it are there. */
  readonly isCut: boolean;
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

/** The objects of a list that stand whole in a text from a place on. */
function wholeObjects(text: string, from: number): unknown[] {
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
      if (depth < 0) break;
      if (depth === 0) found.push(JSON.parse(text.slice(start, mark.index + 1)));
    }
  }
  return found;
}

function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** The entries of a file that was cut off, as far as they are whole. */
function cutHar(text: string): HarText | undefined {
  const list = /"entries"\s*:\s*\[/.exec(text);
  if (!list) return undefined;
  try {
    const creator = /"creator"\s*:\s*\{[^{}]*"name"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? '';
    const entries = wholeObjects(text, list.index + list[0].length);
    return entries.length > 0 ? { creator, entries, isCut: true } : undefined;
  } catch {
    return undefined;
  }
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
    const har = cutHar(text);
    if (har) return { ok: true, har };
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `it is no JSON: ${why}; export it again` };
  }
  if (!isObject(value) || value['kind'] !== undefined) return undefined;
  const { log } = value;
  if (log === undefined) return { ok: false, problem: 'it has no "log", as a HAR file has' };
  if (!isObject(log)) return { ok: false, problem: 'log: expected an object' };
  const { entries, creator } = log;
  if (!Array.isArray(entries)) return { ok: false, problem: 'log.entries: expected a list' };
  const name = isObject(creator) ? creator['name'] : undefined;
  return {
    ok: true,
    har: { creator: typeof name === 'string' ? name : '', entries, isCut: false },
  };
}
