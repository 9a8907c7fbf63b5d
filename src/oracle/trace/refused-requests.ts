import { groupBy } from '../../history/group-by.ts';
import { compare, parseDecimal } from '../../protocol/decimal.ts';
import { type Call, isRefusal } from './calls.ts';
import type { HistoryView } from './history-view.ts';
import { possiblyEffective, type OrderTrace } from './traces.ts';

/** Requests under an order's path that are none of the document's, as with an id that is no UUID. */
const unknownRequests = (view: HistoryView): ReadonlyMap<string, readonly Call[]> =>
  groupBy(
    view.calls.filter(({ endpoint, exchange }) => !endpoint && exchange.request.method === 'POST'),
    ({ exchange }) => /\/(?:orders|quote-requests)\/([^/?]+)\//.exec(exchange.request.path)?.[1],
  );

/** Everything that was asked of an order and could have changed something, in the order of the asking. */
export const requestsOn = (view: HistoryView, trace: OrderTrace): readonly Call[] =>
  [
    ...trace.submissions,
    ...trace.acceptances,
    ...trace.cancels,
    ...trace.proposals,
    ...(view.once(unknownRequests).get(trace.id) ?? []),
  ].sort((a, b) => a.open - b.open);

export interface RequestsOnOrder {
  readonly refused: readonly Call[];
  readonly effective: readonly Call[];
}

/** Requests on an order that were refused, beside those that the target may have carried out. */
export function splitRequests(view: HistoryView, trace: OrderTrace): RequestsOnOrder {
  const all = requestsOn(view, trace);
  return { refused: all.filter(isRefusal), effective: possiblyEffective(all) };
}

/** An acceptance of a quote above the maximum may be refused and fail the order (gap `quote.above_max`). */
export function mayFailOrder({ quotes, sent }: OrderTrace, { exchange }: Call): boolean {
  const quote = quotes.find(({ id }) => id === exchange.params.quote_id);
  const most = parseDecimal(sent?.['source_amount_max']);
  const costs = (quote?.snapshots ?? []).flatMap(
    ({ value }) => parseDecimal(value['source_amount']) ?? [],
  );
  return quote !== undefined && (!most || costs.every((cost) => compare(cost, most) > 0));
}
