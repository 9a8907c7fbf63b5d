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

/** The world that a record is of, as far as its id tells: `world 2 party.sender#3`. */
function worldInId(record: HistoryRecord): string | undefined {
  const id = record.kind === 'exchange' ? record.id : record.stream;
  const start = isBySelf(record) ? id.indexOf(`${record.by}#`) : -1;
  return start < 0 ? undefined : id.slice(0, Math.max(0, start - 1));
}

/**
 * Histories of before December 2026 have no worlds: where there were several, ids alone told them apart, of what parties
 * did by themselves. Each world stood in one piece, with such a record before all others.
 */
export function withWorlds(records: readonly HistoryRecord[]): readonly HistoryRecord[] {
  // One record alone tells nothing of those around it.
  if (records.length < 2 || records.some(({ world }) => world !== undefined)) return records;
  if (!records.some((record) => worldInId(record))) return records;
  let world = '';
  return records.map((record) => {
    world = worldInId(record) ?? world;
    return world === '' ? record : { ...record, world };
  });
}
