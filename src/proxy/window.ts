import type { Exchange, HistoryRecord } from '../history/records.ts';
import { groupBy } from '../history/group-by.ts';
import { createRecorder, type Recorder } from '../history/recorder.ts';
import { createSecrets, type Secrets } from '../history/secrets/secrets.ts';
import { fieldsOf, textOf } from '../protocol/answers.ts';
import { intentIdOf, payloadOf } from '../protocol/event-payload.ts';

/** The order that a record is about; undefined if it is about none, or about many, as a list is. */
function orderOf(record: HistoryRecord): string | undefined {
  if (record.kind === 'end') return undefined;
  const id =
    record.kind === 'frame'
      ? intentIdOf(record, payloadOf(record))
      : (record.params.intent_id ?? textOf(fieldsOf(record), 'intent_id'));
  return id?.toLowerCase();
}

/**
 * Records before index `from` of the orders that later records are about. Orders are kept whole: if the creation of an
 * order stayed and its cancel did not, the order would look as if nobody had cancelled it. Orders with the fewest
 * records come first, up to `most` records in all: of an order with a long history only the newer part stays.
 */
function recordedLives(
  records: readonly HistoryRecord[],
  from: number,
  most: number,
): readonly HistoryRecord[] {
  const goOn = new Set(records.slice(from).flatMap((record) => orderOf(record) ?? []));
  const lives = groupBy(records.slice(0, from), (record) => {
    const order = orderOf(record);
    return goOn.has(order ?? '') ? order : undefined;
  });
  const kept: HistoryRecord[] = [];
  for (const life of [...lives.values()].toSorted((a, b) => a.length - b.length)) {
    if (kept.length + life.length > most) break;
    kept.push(...life);
  }
  return kept;
}

/** Number of records before a place. It is updated when the window is shortened. */
export interface Mark {
  readonly before: number;
}

/**
 * The newest part of a long history, whose oldest records are removed. It knows about how much memory each record takes,
 * by the bytes that came with it.
 */
export interface Window extends Recorder {
  /** Sets the number of bytes that came with the last record. */
  weigh(bytes: number): void;
  /** True if the window holds as much as it may. */
  isFull(): boolean;
  /** A mark after all records of now. It stays correct when the window is shortened, until it is left. */
  mark(): Mark;
  leave(mark: Mark): void;
  /**
   * Removes the older half, except the records that later ones depend on: tokens and identities of the parties,
   * openings of open streams, and earlier records of the orders that later records are about.
   */
  shorten(): void;
}

export interface WindowLimits {
  readonly records: number;
  /** Total bytes of answers and messages, as they came. */
  readonly bytes: number;
}

/** The rules take a few seconds for a full window. */
const usualLimits: WindowLimits = { records: 10_000, bytes: 64 * 1024 * 1024 };

const tellsParty = ({ endpoint }: Exchange): boolean =>
  endpoint === 'token.create' || endpoint === 'identity.read';

/** Records that always stay: the newest token and identity of each party, and the openings of open streams. */
function lasting(records: readonly HistoryRecord[]): Set<HistoryRecord> {
  const ended = new Set(records.flatMap((one) => (one.kind === 'end' ? [one.stream] : [])));
  const newest = new Map<string, HistoryRecord>();
  for (const record of records) {
    if (record.kind !== 'exchange') continue;
    if (tellsParty(record)) newest.set(`${record.party} ${record.endpoint}`, record);
    else if (record.opensStream && !ended.has(record.id)) newest.set(record.id, record);
  }
  return new Set(newest.values());
}

export function createWindow(
  limits: WindowLimits = usualLimits,
  secrets: Secrets = createSecrets(),
): Window {
  const records: HistoryRecord[] = [];
  const recorder = createRecorder(secrets, 'run.kept_bytes', records);
  let weights: number[] = [];
  let weight = 0;
  const marks = new Set<{ before: number }>();
  recorder.watch(() => void weights.push(0));

  return {
    ...recorder,
    // No bound here: a proxy runs until it is stopped, and the window is shortened instead.
    room: { limit: 'run.kept_bytes', bytes: Infinity, streamBytes: Infinity },
    weigh(bytes) {
      weights[weights.length - 1] = bytes;
      weight += bytes;
    },
    mark() {
      const mark = { before: records.length };
      marks.add(mark);
      return mark;
    },
    leave: (mark) => void marks.delete(mark),
    isFull: () => records.length >= limits.records || weight >= limits.bytes,
    shorten() {
      const stays = lasting(records);
      const from = Math.ceil(records.length / 2);
      for (const record of recordedLives(records, from, records.length / 4)) stays.add(record);
      /** Number of kept records before each index. It maps `precededBy` and marks to the shortened window. */
      const keptOf: number[] = [0];
      const kept: number[] = [];
      const all = records.splice(0);
      for (const [index, record] of all.entries()) {
        if (index >= from || stays.has(record)) {
          kept.push(weights[index] ?? 0);
          records.push(record.kind === 'exchange' ? moved(record, keptOf) : record);
        }
        keptOf.push(records.length);
      }
      for (const mark of marks) mark.before = keptOf[mark.before] ?? 0;
      weights = kept;
      weight = weights.reduce((sum, each) => sum + each, 0);
    },
  };
}

/** An exchange of a shortened window. All records before it have been counted. */
const moved = (exchange: Exchange, keptOf: readonly number[]): Exchange =>
  exchange.precededBy === undefined
    ? exchange
    : { ...exchange, precededBy: keptOf[exchange.precededBy] ?? 0 };
