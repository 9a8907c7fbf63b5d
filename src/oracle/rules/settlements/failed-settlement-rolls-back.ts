import { settlementFields } from '../../../spec/requirements/index.ts';
import { unsettledStates } from '../../../spec/states.ts';
import { isSet } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { neverAccepted } from '../orders/fields-set-by-state.ts';

const endedUnsettled = (snapshot: Snapshot): boolean =>
  unsettledStates.some((state) => state === orderStateOf(snapshot));

/** No order is executed without an accepted quote, nor once it was cancelled. */
const neverExecuted = (trace: OrderTrace, snapshot: Snapshot): boolean =>
  neverAccepted(trace, snapshot) ||
  trace.cancels.some(({ ok, close }) => ok && close < snapshot.open);

export const failedSettlementRollsBack = defineRule({
  id: 'settlement.rollback',
  title: 'All or nothing: what did not settle shows no settlement, on its order and to its maker',
  requirements: ['settlement.atomic'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const ended = trace.snapshots.filter(endedUnsettled);
      for (const snapshot of ended) {
        if (snapshot.resource === 'order') judgeFields(trace, snapshot);
      }
      const [[first], [shown]] = [ended, trace.settlements];
      if (!first || !shown) continue;
      findings.fail('settlement.atomic', {
        message: `a settlement was shown of an order that ended ${orderStateOf(first)}`,
        evidence: [first.source, shown.source],
      });
    }

    function judgeFields(trace: OrderTrace, snapshot: Snapshot): void {
      const { value, source, via } = snapshot;
      const set = settlementFields.filter((field) => isSet(value[field]));
      if (set.length === 0) {
        findings.pass('settlement.atomic', source);
        return;
      }
      // A reverted transaction has a hash too, so on an order that may have executed a hash alone proves nothing.
      const isWrong = set.includes('settled_at') || neverExecuted(trace, snapshot);
      findings[isWrong ? 'fail' : 'warn']('settlement.atomic', {
        message: `an order that ended ${orderStateOf(snapshot)} carried ${set.join(' and ')} (${via})`,
        expected: 'neither a transaction hash nor a settlement moment',
        actual: set,
        evidence: [source],
      });
    }
  },
});
