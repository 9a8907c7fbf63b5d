import { groupBy } from '../../history/group-by.ts';
import type { HistoryView } from '../../oracle/trace/history-view.ts';
import type { StreamTrace } from '../../oracle/trace/streams.ts';
import type { OrderTrace } from '../../oracle/trace/traces.ts';
import type { PartOfLife } from '../factors.ts';
import type { End } from './ending.ts';

/** Kind of event stream that the sender and its custodian had open during the order's life. */
export function streamsIn(
  view: HistoryView,
  ends: ReadonlyMap<string, End>,
): (trace: OrderTrace) => PartOfLife['streams'] {
  const ofOrders = view.streams.filter(({ kind, call }) => kind === 'order' && call.own);
  const byFilter = groupBy(ofOrders, ({ filter }) => filter);
  const whole = groupBy(
    ofOrders.filter(({ filter }) => filter === undefined),
    ({ party }) => party,
  );
  return ({ id, creation, senderCustodianId }) => {
    const from = creation?.exchange.received ?? Number.NEGATIVE_INFINITY;
    const to = ends.get(id)?.seen.to ?? view.endMs;
    const side = [creation?.party ?? '', view.nameOf(senderCustodianId) ?? ''];
    const isOpen = ({ party, openedMs, openUntilMs }: StreamTrace): boolean =>
      side.includes(party) && openedMs <= to && openUntilMs >= from;
    const isResumed = ({ resumed, openedMs }: StreamTrace): boolean => resumed && openedMs >= from;
    const own = (byFilter.get(id) ?? []).filter(isOpen);
    if (own.length > 0) return own.some(isResumed) ? 'resumed' : 'limited';
    const open = side.flatMap((party) => whole.get(party)?.filter(isOpen) ?? []);
    if (open.length === 0) return 'none';
    // A party with one stream open all the time missed nothing, whatever its other streams did.
    const isSteady = open.some((one) => one.openedMs <= from && one.openUntilMs >= to);
    return !isSteady && open.some(isResumed) ? 'resumed' : 'whole';
  };
}
