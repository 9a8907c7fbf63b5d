import type { Exchange, Frame, HistoryRecord } from '../../history/records.ts';

/** A record with its place in time, which whole milliseconds alone cannot tell. */
export interface PlacedRecord {
  readonly record: Exchange | Frame;
  /** Among the frames and the sendings of its history. */
  readonly place: number;
}

/**
 * Tells the place of each record of a history, which is asked for in its order. The history holds an exchange where it
 * was answered; a reader looks for it where it was sent, before the events that it caused.
 */
export function createPlacer(): (record: HistoryRecord, index: number) => number {
  // Histories of several worlds may stand one after another, and each counts from its own beginning.
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
