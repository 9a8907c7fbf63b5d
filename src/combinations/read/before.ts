import { groupBy } from '../../history/group-by.ts';
import type { HistoryView } from '../../oracle/trace/history-view.ts';
import { manyOrders, type PartOfLife } from '../factors.ts';
import type { End } from './ending.ts';

type Before = Pick<PartOfLife, 'before' | 'earlier'>;

/** By order id, earlier orders of its sender, as far as this history shows them. */
export function historiesBefore(
  view: HistoryView,
  endings: ReadonlyMap<string, End>,
): ReadonlyMap<string, Before> {
  const created = [...view.orders.values()].flatMap((trace) =>
    trace.creation ? [{ id: trace.id, creation: trace.creation, end: endings.get(trace.id) }] : [],
  );
  const found = new Map<string, Before>();
  for (const own of groupBy(created, ({ creation }) => creation.party).values()) {
    const inOrder = own.toSorted((one, other) => one.creation.close - other.creation.close);
    const ends = own.flatMap(({ end }) => end ?? []).toSorted((one, other) => one.at - other.at);
    let ended = 0;
    for (const [place, { id, creation }] of inOrder.entries()) {
      while ((ends[ended]?.at ?? Number.POSITIVE_INFINITY) < creation.open) ended += 1;
      const last = ends[ended - 1];
      const ending = last?.state === 'SETTLED' ? 'settled' : 'unsettled';
      found.set(id, {
        before: place === 0 ? 'first' : last ? ending : 'none-ended',
        earlier: place < manyOrders ? 'few' : 'many',
      });
    }
  }
  return found;
}
