import { type LeakPatterns, leakPatternsOf, type PartyIdentifiers } from './leak-detection.ts';
import { precedes } from '../../trace/calls.ts';
import { possiblyEffective, type OrderTrace } from '../../trace/traces.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** Identifiers and addresses of the cast members whose ids are among `ids`, or are not. */
function identifiersOf(
  view: HistoryView,
  ids: readonly string[],
  areThey: boolean,
): PartyIdentifiers {
  const chosen = Object.entries(view.context.cast).flatMap(([name, { baseUrl }]) => {
    const id = view.partyIdOf(name);
    return id !== undefined && ids.includes(id) === areThey ? [{ id, baseUrl }] : [];
  });
  return {
    ids: areThey ? ids : chosen.map(({ id }) => id),
    addresses: chosen.flatMap(({ baseUrl }) => baseUrl?.replace(/\/+$/, '') ?? []),
  };
}

export const senderSideIds = (trace: OrderTrace): readonly string[] =>
  [trace.senderId, trace.senderCustodianId].filter(
    (id): id is string => id !== undefined && id.includes('::'),
  );

/** Leak patterns for the sides of some orders, made once for each set of parties: texts recur throughout a history. */
export function leakPatternsIn(
  view: HistoryView,
): (ids: readonly string[]) => LeakPatterns | undefined {
  const made = new Map<string, LeakPatterns>();
  return (ids) => {
    if (ids.length === 0) return undefined;
    const key = ids.join(' ');
    const secrets =
      made.get(key) ??
      leakPatternsOf(identifiersOf(view, ids, true), identifiersOf(view, ids, false));
    made.set(key, secrets);
    return secrets;
  };
}

/** A maker that won a trade may rightly learn with whom; any other never does, nor does a winner before it won. */
export const mayHaveWon = (
  view: HistoryView,
  trace: OrderTrace,
  party: string,
  before?: { readonly close: number },
): boolean =>
  possiblyEffective(trace.acceptances).some((acceptance) => {
    if (before && precedes(before, acceptance)) return false;
    const maker = view.quotes.get(acceptance.exchange.params.quote_id ?? '')?.maker;
    return maker === undefined || maker === party;
  });

/**
 * Ids of parties that were on the sending side of an order by a place in the history, except those of orders that the
 * maker may have won.
 */
export function hiddenSenderIds(
  view: HistoryView,
  maker: string,
  place: number,
): readonly string[] {
  const traces = [...view.orders.values()].filter(
    ({ creation }) => creation !== undefined && creation.open < place,
  );
  const traded = traces.filter((trace) => mayHaveWon(view, trace, maker, { close: place }));
  const known = new Set(traded.flatMap(senderSideIds));
  return [...new Set(traces.flatMap(senderSideIds))].filter((id) => !known.has(id));
}
