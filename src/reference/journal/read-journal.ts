import { journalFile, segmentName, snapshotName } from './file-names.ts';
import { framesOf, type ReadFrames } from './framing.ts';
import { journalFormat, type JournalHead, type JournalRecord, type Snapshot } from './records.ts';
import { type SegmentHead, snapshotOf } from './snapshot-frames.ts';

/** Read access to the files of a journal. */
export interface JournalFiles {
  list(): readonly string[];
  read(name: string): Uint8Array;
}

/** A part of a file that no writer has written in this form. */
export interface Damage {
  readonly file: string;
  /** In bytes from the beginning of the file. */
  readonly offset: number;
  readonly reason: string;
  readonly isMissing?: true;
}

export interface PlacedRecord {
  readonly record: JournalRecord;
  readonly file: string;
  readonly offset: number;
}

/** Contents of a journal's files, before any command is carried out. */
export interface JournalContents {
  readonly head: JournalHead;
  /** The file that the head was read from. */
  readonly first: string;
  readonly snapshot?: Snapshot;
  /** Records after the snapshot; all records if there is none. */
  readonly records: readonly PlacedRecord[];
  /** Epoch of the last writer; 0 if no writer has started. */
  readonly epoch: number;
  /** The last moment in the journal. */
  readonly at: number;
  /** Position of the next record. `bytes`: length of the segment's whole records. `records`: number since the start. */
  readonly end: { readonly segment: number; readonly bytes: number; readonly records: number };
  /** Half-written record at the end of the last segment. It belongs to no command that was answered. */
  readonly torn?: { readonly file: string; readonly offset: number; readonly bytes: number };
  /** Files that are no longer needed, left by a writer that was stopped during its cleanup. */
  readonly obsolete: readonly string[];
}

export type ReadResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly contents: JournalContents }
  | { readonly kind: 'damaged'; readonly damage: Damage };

export function readJournal(files: JournalFiles): ReadResult {
  try {
    const contents = contentsOf(files);
    return contents ? { kind: 'read', contents } : { kind: 'none' };
  } catch (error) {
    if (error instanceof Found) return { kind: 'damaged', damage: error.damage };
    throw error;
  }
}

/** Damage in bytes whose checksums are right: this version cannot read their content. */
export const unreadable = (file: string, offset: number, error: unknown): Damage => ({
  file,
  offset,
  reason: `another version of assay wrote it, or somebody edited it: ${error instanceof Error ? error.message : String(error)}`,
});

/** Reads the lines of a file. An error caused by their content becomes damage of the file, not a fault of ours. */
function readIn<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isOfContent = error instanceof TypeError || error instanceof SyntaxError;
    throw isOfContent ? new Found(unreadable(file, 0, error)) : error;
  }
}

/** Stops the reading with the damage that was found; never leaves this module. */
class Found extends Error {
  readonly damage: Damage;
  constructor(damage: Damage) {
    super(damage.reason);
    this.damage = damage;
  }
}

function contentsOf(files: JournalFiles): JournalContents | undefined {
  const known = files.list().flatMap((name) => journalFile(name) ?? []);
  const numbers = (kind: 'segment' | 'snapshot'): number[] =>
    known.flatMap((file) => (file.kind === kind ? [file.number] : [])).sort((a, b) => a - b);
  const [segments, snapshots] = [numbers('segment'), numbers('snapshot')];
  if (segments.length + snapshots.length === 0) return undefined;

  const latest = snapshots.at(-1);
  const first = latest ?? 1;
  const from =
    latest === undefined
      ? undefined
      : readIn(snapshotName(latest), () => readSnapshot(files, latest));
  const records: PlacedRecord[] = [];
  let head = from?.head;
  let count = from?.records ?? 0;
  let end = { segment: first, bytes: 0, records: count };
  let torn: JournalContents['torn'];
  const last = Math.max(segments.at(-1) ?? 0, first);
  for (let number = first; number <= last; number += 1) {
    const file = segmentName(number);
    if (!segments.includes(number))
      throw new Found({ file, offset: 0, reason: 'the file is missing', isMissing: true });
    const bytes = files.read(file);
    const read = framesOf(bytes);
    const expected = count;
    const segment = readIn(file, () => readSegment(file, read, number, expected));
    head ??= segment.head;
    records.push(...segment.records);
    count += segment.records.length;
    end = { segment: number, bytes: read.length, records: count };
    if (read.ending.kind !== 'torn') continue;
    const { offset } = read.ending;
    const reason = 'the file breaks off in the middle of a record, and another one follows';
    if (number < last) throw new Found({ file, offset, reason });
    torn = { file, offset, bytes: bytes.length - offset };
  }
  if (!head) return undefined;
  const firstFile = latest === undefined ? segmentName(first) : snapshotName(first);
  if (head.format !== journalFormat || !Number.isFinite(head.startedAt)) {
    const reason = `it is a journal of ${JSON.stringify(head.format)}, and this version of assay reads ${journalFormat}`;
    throw new Found({ file: firstFile, offset: 0, reason });
  }
  const { snapshot } = from ?? {};
  return {
    head,
    first: firstFile,
    ...(snapshot && { snapshot }),
    records,
    epoch: records.reduce(
      (epoch, { record }) => (record.kind === 'start' ? record.epoch : epoch),
      snapshot?.epoch ?? 0,
    ),
    at: records.reduce((at, { record }) => Math.max(at, record.at), snapshot?.at ?? head.startedAt),
    end,
    ...(torn && { torn }),
    obsolete: known.flatMap((file) =>
      file.kind === 'draft' ||
      file.number < first ||
      (file.kind === 'snapshot' && file.number !== latest)
        ? [file.name]
        : [],
    ),
  };
}

function readSnapshot(files: JournalFiles, number: number) {
  const file = snapshotName(number);
  const { frames, ending, length } = framesOf(files.read(file));
  if (ending.kind === 'damaged')
    throw new Found({ file, offset: ending.offset, reason: ending.reason });
  // The file gets its name only after it is whole.
  const read = ending.kind === 'whole' ? snapshotOf(frames.map(({ text }) => text)) : undefined;
  if (read?.number !== number)
    throw new Found({ file, offset: length, reason: 'the snapshot is not whole' });
  return read;
}

const kinds: readonly JournalRecord['kind'][] = ['start', 'command', 'clock'];

function isRecord(record: JournalRecord): boolean {
  if (!kinds.includes(record.kind) || !Number.isFinite(record.at)) return false;
  if (record.kind !== 'command') return true;
  const { command, events } = record;
  const isCalled = command.type !== 'request' || typeof command.caller.partyId === 'string';
  return isCalled && Number.isSafeInteger(events);
}

function readSegment(
  file: string,
  { frames, ending }: ReadFrames,
  number: number,
  before: number,
): { readonly head: JournalHead; readonly records: readonly PlacedRecord[] } {
  if (ending.kind === 'damaged') {
    const { offset, reason } = ending;
    throw new Found({ file, offset, reason });
  }
  const [first, ...rest] = frames;
  // Like a snapshot, the file gets its name only after its first line is on disk.
  const said = first && (JSON.parse(first.text) as SegmentHead);
  if (said?.kind !== 'segment' || said.number !== number)
    throw new Found({ file, offset: 0, reason: 'the file does not begin as a segment does' });
  if (said.records !== before) {
    const reason = `${JSON.stringify(said.records)} records should stand before it, and there are ${before}`;
    throw new Found({ file, offset: 0, reason });
  }
  return {
    head: said.head,
    records: rest.map(({ offset, text }) => {
      const record = JSON.parse(text) as JournalRecord;
      if (!isRecord(record)) throw new Found(unreadable(file, offset, 'no such record'));
      return { record, file, offset };
    }),
  };
}
