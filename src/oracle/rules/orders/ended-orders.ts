import { unsettledStates } from '../../../spec/states.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { orderStateOf } from '../../trace/traces.ts';

/** True if the snapshot shows an order that has ended without settling. */
export const isUnsettled = (snapshot: Snapshot): boolean =>
  unsettledStates.some((state) => state === orderStateOf(snapshot));

/** True if a party outside the cast quotes the orders of this history. */
export const strangersQuote = (view: HistoryView): boolean =>
  [...view.quotes.values()].some(
    ({ maker, intentId }) => maker === undefined && view.order(intentId)?.creation,
  );
