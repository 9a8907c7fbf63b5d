import type { HistoryRecord } from './records.ts';

/** Who a party's own calls are recorded as made by: for its token, its identity and its shared stream. */
export const selfOf = (party: string): string => `party.${party}`;
export const isBySelf = ({ by, party }: Pick<HistoryRecord, 'by' | 'party'>): boolean =>
  by === selfOf(party);

/** A record of a world that stands beside others in one file, where ids of several may be the same. */
export function inWorld(
  record: HistoryRecord,
  name: string,
  idOf: (id: string) => string,
): HistoryRecord {
  const world = record.world === undefined ? name : `${name} ${record.world}`;
  switch (record.kind) {
    case 'exchange':
      return { ...record, world, id: idOf(record.id) };
    case 'frame':
      return { ...record, world, id: idOf(record.id), stream: idOf(record.stream) };
    case 'end':
      return { ...record, world, stream: idOf(record.stream) };
  }
}
