import type { HistoryRecord } from '../../src/history/records.ts';

/** Beyond it, checks of the aged core move a driven clock by minutes and hours at once. */
const youngMs = 170_000;

const endOf = (record: HistoryRecord): number =>
  record.kind === 'end' ? record.at : record.received;

/** The first minutes of a run on a driven clock. A HAR of more shows silences of an hour, and not that the clock leapt. */
export function youngPart(records: readonly HistoryRecord[]): readonly HistoryRecord[] {
  const first = Math.min(...records.map(endOf));
  return records.filter((record) => endOf(record) < first + youngMs);
}
