import { isObject } from './json.ts';
import type { HistoryRecord } from './records.ts';
import { recordProblem } from './record-problem.ts';
import { inRecordShape } from './record-shapes.ts';
import type { Secrets } from './secrets/secrets.ts';
import { withWorlds } from './worlds.ts';

/** The most bytes that are handed on at once, but for a line that is longer. */
const pieceBytes = 1024 * 1024;
/** What one unit of a text can become in UTF-8. */
const mostBytesOfUnit = 3;
const lineEnd = 10;

/** Stands for the items of a list while all around them is written. */
const itemsMark = '\u0000items\u0000';
const itemsMarkText = JSON.stringify(itemsMark);

/**
 * Writes records as lines of JSON without secrets; the same records give the same lines. Most hold no secret, and
 * a look at their text is far cheaper than one at every value in them. What comes again and again as the same object, as
 * items of lists do, is written and looked at once.
 */
export function lineWriter(secrets: Secrets): (record: HistoryRecord) => string {
  const write = cleanWriter(secrets.isClean);
  return (record) => {
    secrets.learn(record);
    const whole = inRecordShape(record);
    const line = secrets.isOfOthers(whole) ? undefined : write(whole);
    return line ?? JSON.stringify(inRecordShape(secrets.maskRecord(whole)));
  };
}

/** Undefined for a record that may hold a secret. */
function cleanWriter(
  isClean: (json: string) => boolean,
): (record: HistoryRecord) => string | undefined {
  const known = new Map<object, string | undefined>();
  const cleanJson = (value: unknown): string | undefined => {
    const json = JSON.stringify(value);
    return isClean(json) ? json : undefined;
  };
  const once = (value: unknown): string | undefined => {
    if (!isObject(value)) return cleanJson(value);
    if (!known.has(value)) known.set(value, cleanJson(value));
    return known.get(value);
  };
  return (record) => {
    const { around, items } = splitItems(record);
    const line = cleanJson(around);
    if (items === undefined || line === undefined) return line;
    const texts = items.map(once);
    if (texts.includes(undefined)) return undefined;
    const [before = '', after, ...more] = line.split(itemsMarkText);
    // A target may have sent the same sign itself.
    if (after === undefined || more.length > 0) return cleanJson(record);
    return `${before}${texts.join(',')}${after}`;
  };
}

/** A record with the part of it that other records may repeat: the payload of an event, or the items of a list. */
function splitItems(record: HistoryRecord): {
  readonly around: HistoryRecord;
  readonly items?: readonly unknown[];
} {
  if (record.kind === 'frame' && isObject(record.data)) {
    return { around: { ...record, data: itemsMark }, items: [record.data] };
  }
  if (record.kind !== 'exchange' || !isObject(record.response?.body)) return { around: record };
  const { response } = record;
  const { body } = record.response;
  const items = body['data'];
  if (!Array.isArray(items) || items.length === 0) return { around: record };
  return {
    around: { ...record, response: { ...response, body: { ...body, data: [itemsMark] } } },
    items,
  };
}

/** Some whole lines, as they go into a file. Its memory is used again for the piece after it. */
export type LinePiece = Uint8Array<ArrayBuffer>;

/** Gathers lines into pieces: a long history is never held as one text. */
export function linePieces(): {
  /** The piece that is full now, and one for a line that is longer than any. */
  readonly add: (line: string) => readonly LinePiece[];
  readonly rest: () => readonly LinePiece[];
} {
  const encoder = new TextEncoder();
  // Two, since a piece that is full is handed on together with the line that had no room in it.
  let [piece, other] = [new Uint8Array(pieceBytes), new Uint8Array(pieceBytes)];
  let length = 0;
  const taken = (): readonly LinePiece[] => {
    if (length === 0) return [];
    const full = piece.subarray(0, length);
    [piece, other] = [other, piece];
    length = 0;
    return [full];
  };
  return {
    // Line by line: joined first, they take ten times as long, since one character beyond Latin-1 widens all the others.
    add(line) {
      const most = line.length * mostBytesOfUnit + 1;
      const full = length + most > pieceBytes ? taken() : [];
      if (most > pieceBytes) return [...full, encoder.encode(`${line}\n`)];
      length += encoder.encodeInto(line, piece.subarray(length)).written;
      piece[length] = lineEnd;
      length += 1;
      return full;
    },
    rest: taken,
  };
}

/** The same of lines that are all there. */
export function* bytesOfLines(lines: Iterable<string>): Generator<LinePiece> {
  const pieces = linePieces();
  for (const line of lines) yield* pieces.add(line);
  yield* pieces.rest();
}

/** A history as it goes into `history.jsonl`. */
export const historyBytes = (
  records: readonly HistoryRecord[],
  secrets: Secrets,
): Generator<LinePiece> => bytesOfLines(historyLines(records, secrets));

function* historyLines(records: readonly HistoryRecord[], secrets: Secrets): Generator<string> {
  const write = lineWriter(secrets);
  for (const record of records) yield write(record);
}

/** Lines that were written before, without what has become known as secret since. */
export function* linesWithout(secrets: Secrets, lines: Iterable<string>): Generator<string> {
  for (const line of lines) {
    if (secrets.isClean(line)) yield line;
    else yield JSON.stringify(inRecordShape(secrets.maskRecord(JSON.parse(line))));
  }
}

/** A history as one text. */
export function writeHistory(records: readonly HistoryRecord[], secrets: Secrets): string {
  const lines = [...historyLines(records, secrets), ''];
  return lines.join('\n');
}

export type HistoryReading =
  | {
      readonly ok: true;
      readonly records: readonly HistoryRecord[];
      /** The last line breaks off, as a crash of the host leaves it; it was left out. */
      readonly isCut?: true;
    }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** Reads what `writeHistory` wrote; the first line that is no record ends it, with its number from 1. */
export function readHistory(text: string): HistoryReading {
  const records: HistoryRecord[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const at = { ok: false, line: index + 1 } as const;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      if (index === lines.length - 1 && records.length > 0) {
        return { ok: true, records: withWorlds(records), isCut: true };
      }
      return { ...at, message: error instanceof Error ? error.message : String(error) };
    }
    const message = recordProblem(value);
    if (message !== undefined) return { ...at, message };
    records.push(value as HistoryRecord);
  }
  return { ok: true, records: withWorlds(records) };
}
