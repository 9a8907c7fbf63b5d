import type { HistoryView } from '../../oracle/trace/history-view.ts';
import type { Snapshot } from '../../oracle/trace/snapshots.ts';
import { type OrderTrace, orderStateOf } from '../../oracle/trace/traces.ts';
import { isTerminal } from '../../spec/states.ts';
import type { OrderState } from '../../spec/vocabulary.ts';

export interface End {
  readonly state: OrderState;
  /** Position in the history at which the end was first seen. */
  readonly at: number;
  readonly seen: Snapshot;
}

/** First sight of the end of each order; orders that did not end are absent. */
export const endsIn = (view: HistoryView): ReadonlyMap<string, End> =>
  new Map(
    [...view.orders.values()].flatMap((trace) => {
      const end = endOf(trace);
      return end ? [[trace.id, end] as const] : [];
    }),
  );

function endOf({ snapshots }: OrderTrace): End | undefined {
  for (const seen of snapshots) {
    const state = orderStateOf(seen);
    if (state !== undefined && isTerminal(state)) return { state, at: seen.close, seen };
  }
  return undefined;
}
