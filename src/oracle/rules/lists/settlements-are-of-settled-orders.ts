import { textAt } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { isTerminal } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { orderStateOf } from '../../trace/traces.ts';

export const settlementsAreOfSettledOrders = defineRule({
  id: 'settlement.of-settled-order',
  title: 'What is on a list of settlements is of an order that had settled',
  requirements: ['settlement.list.settled-only', 'settlement.list.failed-left-out'],
  judge(view, findings) {
    for (const snapshot of view.snapshotsOf('settlement')) {
      const trace = view.orders.get(textAt(snapshot.value, 'intent_id') ?? '');
      if (!trace || snapshot.via !== 'settlement.list') continue;
      const ended = trace.snapshots.find((seen) =>
        ['FAILED', 'EXPIRED'].includes(orderStateOf(seen) ?? ''),
      );
      const unsettled = trace.snapshots.find((seen) => {
        const state = orderStateOf(seen);
        const isLater = seen.from > snapshot.to + tolerance.replicationLagMs;
        return isLater && state !== undefined && !isTerminal(state);
      });
      const requirement = ended
        ? 'settlement.list.failed-left-out'
        : 'settlement.list.settled-only';
      const wrong = ended ?? unsettled;
      findings.assert(requirement, !wrong, snapshot.source, () => ({
        message: `a trade was among the settlements though its order was ${wrong && orderStateOf(wrong)}`,
        actual: trace.id,
        evidence: [snapshot.source, wrong?.source ?? ''],
      }));
    }
  },
});
