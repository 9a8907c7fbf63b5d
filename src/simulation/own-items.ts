import type { HistoryRecord } from '../history/records.ts';
import { fieldsOf, itemsOf, textOf } from '../protocol/answers.ts';
import { isObject } from '../protocol/json.ts';
import type { WorldRun } from './run-plan.ts';

/**
 * Removes the orders of others from the lists of a run on a shared target. The world brought about everything that is
 * still shown.
 */
export function withOwnItems(run: WorldRun): WorldRun {
  const { records } = run.history;
  const own = new Set(
    records.flatMap((record) => {
      if (record.kind !== 'exchange' || record.endpoint !== 'order.create') return [];
      return textOf(fieldsOf(record), 'intent_id')?.toLowerCase() ?? [];
    }),
  );
  return { ...run, history: { records: records.map((record) => withoutForeign(record, own)) } };
}

function withoutForeign(record: HistoryRecord, own: ReadonlySet<string>): HistoryRecord {
  if (record.kind !== 'exchange' || !record.response) return record;
  const items = itemsOf(record);
  const { body } = record.response;
  if (items.length === 0 || !isObject(body)) return record;
  const kept = items.filter((item) => {
    const id = textOf(item, 'intent_id')?.toLowerCase();
    return id === undefined || own.has(id);
  });
  if (kept.length === items.length) return record;
  return { ...record, response: { ...record.response, body: { ...body, data: kept } } };
}
