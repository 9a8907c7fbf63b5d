import type { HistoryRecord } from './records.ts';

/** A record with other ids, so that histories of several worlds can stand in one file. */
export function withRenamedIds(record: HistoryRecord, idOf: (id: string) => string): HistoryRecord {
  switch (record.kind) {
    case 'exchange':
      return { ...record, id: idOf(record.id) };
    case 'frame':
      return { ...record, id: idOf(record.id), stream: idOf(record.stream) };
    case 'end':
      return { ...record, stream: idOf(record.stream) };
  }
}
