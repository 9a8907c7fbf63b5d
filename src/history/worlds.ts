import type { HistoryRecord } from './records.ts';

/** Driver name of a party's own calls: for its token, its identity and its shared stream. */
export const selfOf = (party: string): string => `party.${party}`;
export const isBySelf = ({ by, party }: Pick<HistoryRecord, 'by' | 'party'>): boolean =>
  by === selfOf(party);

/** Marks a record with its world, for a file of several worlds in which ids may repeat. */
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

/** World of a record, if its id names it: `world 2 party.sender#3`. */
function worldInId(record: HistoryRecord): string | undefined {
  const id = record.kind === 'exchange' ? record.id : record.stream;
  const start = isBySelf(record) ? id.indexOf(`${record.by}#`) : -1;
  return start < 0 ? undefined : id.slice(0, Math.max(0, start - 1));
}

/**
 * Adds worlds to histories from before December 2026, which have none. If there were several worlds, only the ids of
 * the parties' own calls told them apart. The records of each world are contiguous, and begin with such a call.
 */
export function withWorlds(records: readonly HistoryRecord[]): readonly HistoryRecord[] {
  // A single record shows nothing about the records around it.
  if (records.length < 2 || records.some(({ world }) => world !== undefined)) return records;
  if (!records.some((record) => worldInId(record))) return records;
  let world = '';
  return records.map((record) => {
    world = worldInId(record) ?? world;
    return world === '' ? record : { ...record, world };
  });
}
