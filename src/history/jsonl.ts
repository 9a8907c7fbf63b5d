import { isObject } from './json.ts';
import type { HistoryRecord } from './records.ts';
import { recordProblem } from './record-problem.ts';
import { inRecordShape } from './record-shapes.ts';
import type { Secrets } from './secrets/secrets.ts';
import { withWorlds } from './worlds.ts';

/** Maximum size of a piece in bytes; only a single longer line exceeds it. */
const pieceBytes = 1024 * 1024;
/** Maximum number of UTF-8 bytes per UTF-16 unit. */
const mostBytesOfUnit = 3;
const lineEnd = 10;

/** Placeholder for the items of a list while the rest of the record is written. */
const itemsMark = '\u0000items\u0000';
const itemsMarkText = JSON.stringify(itemsMark);

/**
 * Writes records as lines of JSON without secrets; the same records give the same lines. Most records hold no secret,
 * and one scan of their text is far cheaper than a check of every value in them. Objects that recur, as items of lists
 * do, are written and scanned once.
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

/** Returns undefined for a record that may hold a secret. */
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
    // A target may have sent the same placeholder itself.
    if (after === undefined || more.length > 0) return cleanJson(record);
    return `${before}${texts.join(',')}${after}`;
  };
}

/**
 * Splits a record into the part that other records may repeat (the payload of an event, or the items of a list) and the
 * rest.
 */
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

/**
 * Whole lines in UTF-8, ready to be written to a file. The memory of a piece is reused for the piece after the next
 * one.
 */
export type LinePiece = Uint8Array<ArrayBuffer>;

/** Collects lines into pieces, so that a long history is never held as one text. */
export function linePieces(): {
  /** Returns the full pieces, if any: the current one, and a separate one for a line longer than a piece. */
  readonly add: (line: string) => readonly LinePiece[];
  readonly rest: () => readonly LinePiece[];
} {
  const encoder = new TextEncoder();
  // Two buffers: a full piece is returned while the line that had no room in it is written to the other.
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
    // Encodes line by line. Joined lines take ten times as long, since one character beyond Latin-1 widens all the
    // others.
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

/** Encodes a complete set of lines into pieces. */
export function* bytesOfLines(lines: Iterable<string>): Generator<LinePiece> {
  const pieces = linePieces();
  for (const line of lines) yield* pieces.add(line);
  yield* pieces.rest();
}

/** The bytes of a history as `history.jsonl`. */
export const historyBytes = (
  records: readonly HistoryRecord[],
  secrets: Secrets,
): Generator<LinePiece> => bytesOfLines(historyLines(records, secrets));

function* historyLines(records: readonly HistoryRecord[], secrets: Secrets): Generator<string> {
  const write = lineWriter(secrets);
  for (const record of records) yield write(record);
}

/** Masks secrets in lines that were written before those secrets became known. */
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
      /** The last line was incomplete, as after a crash of the host, and was left out. */
      readonly isCut?: true;
    }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** Reads the output of `writeHistory`. Stops at the first line that is no record and returns its number, from 1. */
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
