import type { HistoryRecord, Span } from '../history/records.ts';
import { driver as recordingDriver, type Recording } from './har-history.ts';
import { said } from './har-limits.ts';

/** A line of a history.jsonl, or an entry of its HAR, that is no record. */
export interface LostPlace {
  /** `line 4`, counted from 1, or `log.entries[3]`. */
  readonly place: string;
  readonly message: string;
}

/** Driver of the records that `assay proxy` made. */
const proxyDriver = 'proxy';

/** Numbers of exchanges and frames that no record has. Each driver counts from 1. */
function countMissing(records: readonly HistoryRecord[]): number {
  const numbers = new Map<string, Set<number>>();
  for (const record of records) {
    // A proxy also counts requests that went elsewhere, and an audit counts again from 1.
    if (record.kind === 'end' || record.by === proxyDriver) continue;
    const number = Number(record.id.slice(record.id.lastIndexOf('#') + 1));
    if (!Number.isSafeInteger(number)) continue;
    numbers.set(record.by, (numbers.get(record.by) ?? new Set()).add(number));
  }
  let missing = 0;
  for (const seen of numbers.values()) {
    missing += [...seen].reduce((most, number) => Math.max(most, number), 0) - seen.size;
  }
  return missing;
}

/** Span from the first record of each party to its last. */
function spansIn(records: readonly HistoryRecord[]): (party: string) => readonly Span[] {
  const spans = new Map<string, Span>();
  for (const record of records) {
    const received = record.kind === 'end' ? record.at : record.received;
    const known = spans.get(record.party);
    const sent = record.kind === 'exchange' ? record.sent : received;
    spans.set(record.party, {
      sent: Math.min(known?.sent ?? sent, sent),
      received: Math.max(known?.received ?? received, received),
    });
  }
  return (party) => [spans.get(party) ?? []].flat();
}

/** Removes `precededBy`, which was counted in the whole history. */
const uncounted = (records: readonly HistoryRecord[]): readonly HistoryRecord[] =>
  records.map((record) =>
    record.kind === 'exchange' ? { ...record, precededBy: undefined } : record,
  );

const namedLines = 5;

/**
 * Reads a history.jsonl as a recording. The history of a run holds all calls of its parties, unless records are missing
 * in it.
 */
export function historyRecording(
  records: readonly HistoryRecord[],
  lost: readonly LostPlace[],
): Recording {
  const parties = Object.fromEntries(
    records.flatMap((record) =>
      record.kind === 'exchange' ? [[record.party, { role: record.role, base_url: '' }]] : [],
    ),
  );
  const missing = countMissing(records);
  const isPartial = missing > 0 || lost.length > 0;
  const drivers = new Set(records.map(({ by }) => by));
  const isRecorded = drivers.has(recordingDriver) || isPartial;
  return {
    records: isPartial ? uncounted(records) : records,
    parties,
    limits: said(
      ...lost
        .slice(0, namedLines)
        .map(({ place, message }) => `${place} cannot be read, and was left out: ${message}`),
      lost.length > namedLines && `${lost.length} records in all cannot be read`,
      missing > 0 && `${missing} records of the history are missing, by their numbers`,
      isPartial &&
        'what the missing records may explain is held against nobody, nor what they may have shown',
    ),
    ...(isRecorded
      ? { recorded: () => [] }
      : drivers.has(proxyDriver) && { recorded: spansIn(records) }),
  };
}
