import { isObject } from '../history/json.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import { readHistory } from '../history/jsonl.ts';
import { harHistory, type Recording } from './har-history.ts';
import { type HarEntry, readHar } from './har-shape.ts';
import type { KnownParty } from './places.ts';

export type { Recording } from './har-history.ts';
export type { KnownParty } from './places.ts';
export { bodyAsSent } from './request-parts.ts';

/** A file of recorded traffic. */
export interface RecordedFile {
  readonly name: string;
  readonly text: string;
}

export type RecordingsResult =
  | { readonly ok: true; readonly recordings: readonly Recording[] }
  /** Each with the name of its file and where in it. */
  | { readonly ok: false; readonly problems: readonly string[] };

type FileReading =
  | { readonly kind: 'har'; readonly entries: readonly HarEntry[] }
  | { readonly kind: 'history'; readonly recording: Recording }
  | { readonly kind: 'problem'; readonly problem: string };

function historyIn(text: string): FileReading {
  const reading = readHistory(text);
  if (!reading.ok) return { kind: 'problem', problem: `${reading.line}: ${reading.message}` };
  const { records, isCut } = reading;
  const parties = Object.fromEntries(
    records.flatMap((record) =>
      record.kind === 'exchange' ? [[record.party, { role: record.role, base_url: '' }]] : [],
    ),
  );
  const limits = isCut ? ['the last line breaks off: it was left out'] : [];
  return { kind: 'history', recording: { records, parties, limits } };
}

function readFile(text: string): FileReading {
  if (text.trim() === '') return { kind: 'problem', problem: ' it is empty' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return historyIn(text);
  }
  // A history of one record is one JSON value as well.
  if (isObject(value) && value['kind'] !== undefined) return historyIn(text);
  if (!isObject(value) || value['log'] === undefined) {
    return { kind: 'problem', problem: ' it has no "log", as a HAR file has' };
  }
  const har = readHar(value);
  return har.ok
    ? { kind: 'har', entries: har.entries }
    : { kind: 'problem', problem: ` ${har.path}: expected ${har.expected}` };
}

/**
 * Reads recorded traffic. HTTP archives (HAR) of several clients are one recording of one target; each history.jsonl is
 * one of its own.
 */
export function readRecordings(
  files: readonly RecordedFile[],
  known: readonly KnownParty[],
  secrets?: Secrets,
): RecordingsResult {
  const read = files.map(({ name, text }) => ({ name, reading: readFile(text) }));
  const problems = read.flatMap(({ name, reading }) =>
    reading.kind === 'problem' ? [`${name}:${reading.problem}`] : [],
  );
  if (problems.length > 0) return { ok: false, problems };
  const entries = read.flatMap(({ reading }) => (reading.kind === 'har' ? [reading.entries] : []));
  const histories = read.flatMap(({ reading }) =>
    reading.kind === 'history' ? [reading.recording] : [],
  );
  const archives = entries.length > 0 ? [harHistory(entries.flat(), known, secrets)] : [];
  return { ok: true, recordings: [...archives, ...histories] };
}
