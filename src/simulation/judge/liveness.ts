import type { HistoryView } from '../../oracle/trace/history-view.ts';
import { orderStateOf, showsTerminal } from '../../oracle/trace/traces.ts';
import { isTerminal } from '../../spec/states.ts';
import { defect, type WorldFinding } from '../outcome.ts';
import type { WorldRun } from '../run-plan.ts';

/** Orders that had not ended although every deadline had passed and no fault was active any more. */
export function restless(run: WorldRun, view: HistoryView): readonly WorldFinding[] {
  const { restMs } = run.aftermath;
  const knowsWindow = run.context.answers('settlement.window') !== undefined;
  return [...view.orders.values()].flatMap((trace): WorldFinding[] => {
    const last = trace.snapshots.findLast(
      (seen) => !seen.frame && seen.from >= restMs && orderStateOf(seen) !== undefined,
    );
    const state = last && orderStateOf(last);
    if (!last || state === undefined || isTerminal(state)) return [];
    // The target chooses when a settlement that was kept from its end fails, and that time may be unknown.
    const isControlled = view.disturbed(trace.id);
    if (!knowsWindow && isControlled && trace.acceptances.some(({ ok }) => ok)) return [];
    const message = `an order was still ${state} after all of its deadlines`;
    const cause = `liveness · every order ends · ${state}`;
    return [defect(cause, 'liveness', message, { exchanges: [last.source] })];
  });
}

/**
 * Applies if streams can be resumed. A sender that resumed a broken stream from its last event must have received the
 * end of every order that it created while the first stream was open.
 */
export function unheardAfterResume(run: WorldRun, view: HistoryView): readonly WorldFinding[] {
  if (run.context.answers('stream.resume') !== 'last-event-id') return [];
  return run.aftermath.resumed.flatMap(({ stream, of }): WorldFinding[] => {
    const [before, after] = [of, stream].map((id) => view.streams.find((one) => one.id === id));
    if (!before || !after || before.kind !== 'order') return [];
    return [...view.orders.values()].flatMap((trace): WorldFinding[] => {
      const { creation, frames, snapshots } = trace;
      const isOwn = creation?.ok === true && creation.party === before.party;
      if (!isOwn || creation.open < before.call.close) return [];
      const end = snapshots.find((seen) => !seen.frame && showsTerminal(seen));
      const isHeard = frames.some(
        ({ stream: on, seen }) =>
          (on === before || on === after) &&
          seen.frame.event === 'order_updated' &&
          seen.payload?.['status'] === (end && orderStateOf(end)),
      );
      if (!end || isHeard) return [];
      return [
        defect(
          'liveness · resumed streams tell what was missed · order_updated',
          'liveness',
          'no order_updated on a stream that was resumed told of the end of an order',
          {
            requirements: ['event.order-updated.sent'],
            exchanges: [before.id, after.id, end.source],
            expected: { intent_id: trace.id, status: orderStateOf(end) },
          },
        ),
      ];
    });
  });
}
