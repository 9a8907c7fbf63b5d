import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { isTerminal, unsettledStates } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { orderStateOf } from '../../trace/traces.ts';

/** 4.4: the list holds settlements won. Orders that ended unsettled are judged by `settlement.rollback`. */
export const settlementsAreOfSettledOrders = defineRule({
  id: 'settlement.of-settled-order',
  title: 'What is on a list of settlements is of an order that had settled',
  requirements: ['settlement.list.settled-only'],
  judge(view, findings) {
    for (const snapshot of view.snapshotsOf('settlement')) {
      const trace = view.orders.get(textOf(snapshot.value, 'intent_id') ?? '');
      if (!trace || snapshot.via !== 'settlement.list') continue;
      const states = trace.snapshots.map((seen) => orderStateOf(seen));
      if (unsettledStates.some((state) => states.includes(state))) continue;
      const unsettled = trace.snapshots.find((seen) => {
        const state = orderStateOf(seen);
        const isLater = seen.from > snapshot.to + tolerance.replicationLagMs;
        return isLater && state !== undefined && !isTerminal(state);
      });
      findings.assert('settlement.list.settled-only', !unsettled, snapshot.source, () => ({
        message: `a trade was among the settlements though its order was ${unsettled && orderStateOf(unsettled)}`,
        fields: ['status'],
        actual: trace.id,
        evidence: [snapshot.source, unsettled?.source ?? ''],
      }));
    }
  },
});
