import { settlementFields } from '../../../spec/requirements/index.ts';
import { unsettledStates } from '../../../spec/states.ts';
import { isSet } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { precedes } from '../../trace/calls.ts';
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
  requirements: ['settlement.atomic', 'settlement.list.failed-left-out'],
  judge(view, findings) {
    const lists = view.endpoint('settlement.list');
    for (const trace of view.orders.values()) {
      const ended = trace.snapshots.filter(endedUnsettled);
      for (const snapshot of ended) {
        if (snapshot.resource === 'order') judgeFields(trace, snapshot);
      }
      const [first] = ended;
      if (first) judgeShown(trace, first);
    }

    function judgeShown({ settlements }: OrderTrace, ended: Snapshot): void {
      const violation = ({ source, via }: Snapshot) => ({
        message: `a settlement was shown of an order that ended ${orderStateOf(ended)} (${via})`,
        deviation: 'too much' as const,
        fields: ['status'],
        evidence: [ended.source, source],
      });
      const [shown] = settlements;
      if (shown) findings.fail('settlement.atomic', violation(shown));
      const listed = settlements.find(({ via }) => via === 'settlement.list');
      const list = lists.find((call) => call.ok && precedes(ended, call));
      if (listed) findings.fail('settlement.list.failed-left-out', violation(listed));
      else if (list) findings.pass('settlement.list.failed-left-out', list.id);
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
        departure: 'hash-of-a-revert',
        message: `an order that ended ${orderStateOf(snapshot)} carried ${set.join(' and ')} (${via})`,
        fields: [...set, 'status'],
        must: { words: 'neither a transaction hash nor a settlement time' },
        actual: set,
        evidence: [source],
      });
    }
  },
});
