import type { HistoryView } from '../../oracle/trace/history-view.ts';
import { orderStateOf } from '../../oracle/trace/traces.ts';
import { isTerminal } from '../../spec/states.ts';
import type { WorldFinding } from '../outcome.ts';
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
    return [
      {
        cause: `liveness · every order ends · ${state}`,
        rule: 'liveness',
        requirements: [],
        message: `an order was still ${state} after all of its deadlines`,
        exchanges: [last.source],
        blame: 'defect',
      },
    ];
  });
}
