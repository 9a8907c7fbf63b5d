import { dataIn } from '../history/json.ts';
import type { Exchange, Frame, HistoryRecord } from '../history/records.ts';
import { isBySelf } from '../history/worlds.ts';
import { orderNamedIn, ordersOf, quoteNamedIn } from './slice.ts';

/** The evidence of a finding, in its order. */
export function evidenceOf(
  records: readonly HistoryRecord[],
  ids: readonly string[],
): readonly (Exchange | Frame)[] {
  const wanted = new Set(ids);
  const known = new Map(
    records.flatMap((record) =>
      record.kind !== 'end' && wanted.has(record.id) ? [[record.id, record] as const] : [],
    ),
  );
  return ids.flatMap((id) => known.get(id) ?? []);
}

/**
 * Driver of the evidence of a finding: the sender of its last request, or the one that worked on an order that its
 * events name.
 */
export function driverOf(
  records: readonly HistoryRecord[],
  ids: readonly string[],
): string | undefined {
  const evidence = evidenceOf(records, ids).toReversed();
  const sender = evidence.find((record) => !isBySelf(record));
  if (sender) return sender.by;
  for (const record of evidence) {
    const told = record.kind === 'frame' ? idsIn(record.data) : [];
    const worked = records.find(
      (one) =>
        one.kind === 'exchange' &&
        !isBySelf(one) &&
        one.request.method === 'POST' &&
        told.some((id) => ordersOf(one).includes(id) || quoteNamedIn(dataIn(one)) === id),
    );
    if (worked) return worked.by;
  }
  return evidence[0]?.by;
}

const idsIn = (data: unknown): readonly string[] =>
  [orderNamedIn(data), quoteNamedIn(data)].flatMap((id) => id ?? []);
