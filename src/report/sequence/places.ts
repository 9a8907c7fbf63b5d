import type { Exchange, Frame, HistoryRecord } from '../../history/records.ts';

/** A record with its place in time: whole milliseconds alone do not give the order. */
export interface PlacedRecord {
  readonly record: Exchange | Frame;
  /** Position among the frames and sent requests of its history. */
  readonly place: number;
}

/**
 * Returns a function that gives the place of each record; it must be called in the order of the history. The history
 * has an exchange at its answer, but a reader expects it at its sending, before the events that it caused.
 */
export function createPlacer(): (record: HistoryRecord, index: number) => number {
  // Histories of several worlds may follow one another, and each counts from its own beginning.
  let world = 0;
  let isUnderWay = false;
  return (record, index) => {
    if (record.kind !== 'exchange' || record.precededBy === undefined) return index;
    if (record.precededBy === 0 && isUnderWay) world = index;
    isUnderWay = record.precededBy > 0;
    return Math.min(index, world + record.precededBy - 0.5);
  };
}

export const momentOf = ({ record }: PlacedRecord): number =>
  record.kind === 'exchange' ? record.sent : record.received;
