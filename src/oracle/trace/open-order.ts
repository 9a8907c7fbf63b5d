import { unsettledStates } from '../../spec/states.ts';
import type { HistoryView } from './history-view.ts';
import { timestampIn, type Snapshot } from './snapshots.ts';
import { targetClockOf } from './target-clock.ts';
import { mayHaveChanged, type OrderTrace, orderStateOf, possiblyEffective } from './traces.ts';

/** Validation may fail a PENDING order whenever it likes (gap `validation.when`), and so end its quotes. */
const mayHaveFailedAnyTime = (trace: OrderTrace): boolean =>
  possiblyEffective([...trace.acceptances, ...trace.cancels]).length === 0 &&
  trace.snapshots.some((seen) => orderStateOf(seen) === 'FAILED');

/** True if the order was before its deadline at the snapshot, and nobody had accepted, cancelled or disturbed it. */
export function isOpenAndUntouched(
  view: HistoryView,
  trace: OrderTrace,
  snapshot: Snapshot,
): boolean {
  const expiry = timestampIn(trace.snapshots, 'expires_at');
  return (
    trace.creation !== undefined &&
    !view.disturbed(trace.id) &&
    expiry !== undefined &&
    targetClockOf(view).before(snapshot, expiry) &&
    !mayHaveChanged([...trace.acceptances, ...trace.cancels], snapshot) &&
    !mayHaveFailedAnyTime(trace)
  );
}

/** True if the order may have ended without settling. The state of its accepted quote is then open. */
export const mayEndUnsettled = (view: HistoryView, trace: OrderTrace | undefined): boolean =>
  !trace ||
  view.disturbed(trace.id) ||
  possiblyEffective(trace.cancels).length > 0 ||
  trace.snapshots.some((seen) => unsettledStates.some((state) => state === orderStateOf(seen)));
