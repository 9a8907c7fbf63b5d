import type { Exchange, Frame, History } from '../../history/records.ts';

/** A record with its place in time, which whole milliseconds alone cannot tell. */
export interface PlacedRecord {
  readonly record: Exchange | Frame;
  /** Among the frames and the sendings of its history. */
  readonly place: number;
}

/**
 * Exchanges and frames by who drove them, in the order of their places. The history holds an exchange where it was
 * answered; a reader looks for it where it was sent, before the events that it caused.
 */
export function recordsByDriver(
  history: History | undefined,
): ReadonlyMap<string, readonly PlacedRecord[]> {
  const byDriver = new Map<string, PlacedRecord[]>();
  // Histories of several worlds may stand one after another, and each counts from its own beginning.
  let world = 0;
  let isUnderWay = false;
  for (const [index, record] of (history?.records ?? []).entries()) {
    if (record.kind === 'end') continue;
    let place = index;
    if (record.kind === 'exchange' && record.precededBy !== undefined) {
      if (record.precededBy === 0 && isUnderWay) world = index;
      isUnderWay = record.precededBy > 0;
      place = Math.min(index, world + record.precededBy - 0.5);
    }
    const known = byDriver.get(record.by);
    if (known) known.push({ record, place });
    else byDriver.set(record.by, [{ record, place }]);
  }
  for (const records of byDriver.values()) {
    records.sort((one, other) => one.place - other.place || momentOf(one) - momentOf(other));
  }
  return byDriver;
}

export const momentOf = ({ record }: PlacedRecord): number =>
  record.kind === 'exchange' ? record.sent : record.received;
