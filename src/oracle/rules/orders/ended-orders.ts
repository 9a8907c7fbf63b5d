import { unsettledStates } from '../../../spec/states.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { orderStateOf } from '../../trace/traces.ts';

/** Whether a sighting shows an order that has ended without settling. */
export const isUnsettled = (snapshot: Snapshot): boolean =>
  unsettledStates.some((state) => state === orderStateOf(snapshot));

/** Whether somebody who is no member of the cast quotes the orders of this history. */
export const strangersQuote = (view: HistoryView): boolean =>
  [...view.quotes.values()].some(
    ({ maker, intentId }) => maker === undefined && view.orders.get(intentId ?? '')?.creation,
  );
