import type { Secrets } from '../history/secrets/secrets.ts';
import { readHistory } from '../history/jsonl.ts';
import { withWorlds } from '../history/worlds.ts';
import type { FileNamed } from './har-body.ts';
import { type HarFile, readHarFile } from './har-file.ts';
import { harHistory, type Recording } from './har-history.ts';
import { historyRecording } from './history-recording.ts';
import { readHarText } from './har-text.ts';
import { ownRecords } from './own-har.ts';
import type { KnownParty } from './places.ts';

export type { Recording } from './har-history.ts';
export type { KnownParty } from './places.ts';
export { plural, said } from './har-limits.ts';
export { harOf } from './own-har.ts';
export { bodyAsSent } from './har-body.ts';
export { createTokenOwners, type TokenOwners } from './token-owners.ts';

/** A file of recorded traffic. */
export interface RecordedFile {
  readonly name: string;
  readonly text: string;
  /** Reads a file beside it: some exporters put bodies there. */
  readonly beside?: (name: string) => Uint8Array | undefined;
}

export type RecordingsResult =
  | { readonly ok: true; readonly recordings: readonly Recording[] }
  /** Each problem names its file and its place in the file. */
  | { readonly ok: false; readonly problems: readonly string[] };

type FileReading =
  | { readonly kind: 'har'; readonly file: HarFile }
  | { readonly kind: 'history'; readonly recording: Recording }
  | { readonly kind: 'problem'; readonly problem: string };

function historyIn(text: string): FileReading {
  const reading = readHistory(text);
  if (reading.ok) {
    const recording = historyRecording(reading.records, []);
    const cut = reading.isCut ? ['the last line breaks off: it was left out'] : [];
    return { kind: 'history', recording: { ...recording, limits: [...cut, ...recording.limits] } };
  }
  const lines = text.split('\n').map((line) => readHistory(`${line}\n`));
  const records = lines.flatMap((read) => (read.ok ? read.records : []));
  const lost = lines.flatMap((read, index) =>
    read.ok ? [] : [{ ...read, place: `line ${index + 1}` }],
  );
  if (records.length < lost.length) {
    return { kind: 'problem', problem: `${reading.line}: ${reading.message}` };
  }
  return { kind: 'history', recording: historyRecording(withWorlds(records), lost) };
}

/** A plain file name, which cannot lead out of the folder. */
const fileName = /^[\w-]+(?:\.[\w-]+)*$/;

function readFile({ name, text: whole, beside }: RecordedFile): FileReading {
  const text = whole.startsWith('\ufeff') ? whole.slice(1) : whole;
  if (text.trim() === '') return { kind: 'problem', problem: ' it is empty' };
  const reading = readHarText(text);
  if (!reading) return historyIn(text);
  if (!reading.ok) return { kind: 'problem', problem: ` ${reading.problem}` };
  const fileNamed: FileNamed = (given) =>
    typeof given === 'string' && fileName.test(given) ? beside?.(given) : undefined;
  const own = ownRecords(reading.har);
  if (!own) return { kind: 'har', file: readHarFile(name, reading.har, fileNamed) };
  const recording = historyRecording(own.records, own.lost);
  return { kind: 'history', recording: { ...recording, report: reading.har.report } };
}

/**
 * Reads recorded traffic. HTTP archives (HAR) of several clients are one recording of one target; each history.jsonl is
 * a recording of its own.
 */
export function readRecordings(
  files: readonly RecordedFile[],
  known: readonly KnownParty[],
  secrets?: Secrets,
): RecordingsResult {
  const read = files.map((file) => ({ name: file.name, reading: readFile(file) }));
  const problems = read.flatMap(({ name, reading }) =>
    reading.kind === 'problem' ? [`${name}:${reading.problem}`] : [],
  );
  if (problems.length > 0) return { ok: false, problems };
  const hars = read.flatMap(({ reading }) => (reading.kind === 'har' ? [reading.file] : []));
  const histories = read.flatMap(({ reading }) =>
    reading.kind === 'history' ? [reading.recording] : [],
  );
  const archives = hars.length > 0 ? [harHistory(hars, known, secrets)] : [];
  return { ok: true, recordings: [...archives, ...histories] };
}
