import type { HistoryRecord } from '../history/records.ts';
import { fieldsOf, textOf } from '../protocol/answers.ts';
import { intentIdOf, payloadOf } from '../protocol/event-payload.ts';

/** The order that a record is about; undefined for what is about none, or about many, as a list is. */
function orderOf(record: HistoryRecord): string | undefined {
  if (record.kind === 'end') return undefined;
  const id =
    record.kind === 'frame'
      ? intentIdOf(record, payloadOf(record))
      : (record.params.intent_id ?? textOf(fieldsOf(record), 'intent_id'));
  return id?.toLowerCase();
}

/**
 * The records before a place of the orders that records after it are about: an order whose creation stays and whose
 * cancel does not would look as if nobody had cancelled it. The shortest lives come first, and no more than so many
 * records: what has gone on for long is known by its newer part alone.
 */
export function recordedLives(
  records: readonly HistoryRecord[],
  from: number,
  most: number,
): readonly HistoryRecord[] {
  const goOn = new Set(records.slice(from).flatMap((record) => orderOf(record) ?? []));
  const lives = new Map<string, HistoryRecord[]>();
  for (const record of records.slice(0, from)) {
    const order = orderOf(record);
    if (order === undefined || !goOn.has(order)) continue;
    const life = lives.get(order);
    if (life) life.push(record);
    else lives.set(order, [record]);
  }
  const kept: HistoryRecord[] = [];
  for (const life of [...lives.values()].toSorted((a, b) => a.length - b.length)) {
    if (kept.length + life.length > most) break;
    kept.push(...life);
  }
  return kept;
}
