import { groupBy } from '../../history/group-by.ts';
import type { HistoryView } from '../../oracle/trace/history-view.ts';
import type { StreamTrace } from '../../oracle/trace/streams.ts';
import type { OrderTrace } from '../../oracle/trace/traces.ts';
import type { PartOfLife } from '../factors.ts';
import { endOf } from './ending.ts';

/** How the sender and the custodian of an order listened while it lived. */
export function streamsIn(view: HistoryView): (trace: OrderTrace) => PartOfLife['streams'] {
  const ofOrders = view.streams.filter(({ kind, call }) => kind === 'order' && call.own);
  const limited = groupBy(
    ofOrders.filter(({ filter }) => filter !== undefined),
    ({ filter }) => filter,
  );
  const resumed = ofOrders.filter(({ resumed: isResumed }) => isResumed);
  const whole = groupBy(
    ofOrders.filter(({ filter }) => filter === undefined),
    ({ party }) => party,
  );
  return (trace) => {
    const from = trace.creation?.exchange.sent ?? Number.NEGATIVE_INFINITY;
    const to = endOf(trace)?.seen.to ?? view.endMs;
    const custodian = view.nameOf(trace.senderCustodianId);
    const side = [trace.creation?.party, custodian];
    const isOpen = ({ party, openedMs, openUntilMs }: StreamTrace): boolean =>
      side.includes(party) && openedMs <= to && openUntilMs >= from;
    const isOnIt = ({ filter }: StreamTrace): boolean => filter === undefined || filter === trace.id;
    if (resumed.some((one) => isOnIt(one) && one.openedMs >= from && isOpen(one))) return 'resumed';
    if (limited.get(trace.id)?.some(isOpen)) return 'limited';
    return side.some((party) => whole.get(party ?? '')?.some(isOpen)) ? 'whole' : 'none';
  };
}
