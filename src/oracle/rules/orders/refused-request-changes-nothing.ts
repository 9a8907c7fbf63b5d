import { Order } from '../../../spec/resources.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { isSet } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal, precedes } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import {
  failureReasonIn,
  mayHaveChanged,
  type OrderTrace,
  orderStateOf,
} from '../../trace/traces.ts';

const fields = Object.keys(Order.properties);

/** What an order shows otherwise than it did before: fields that are set anew, or differently, or no more. */
function changesBetween(before: Snapshot, after: Snapshot): readonly string[] {
  const changed = fields.filter((field) => {
    const [was, is] = [before.value[field], after.value[field]];
    return isSet(was) && isSet(is) ? !equalValues(field, was, is) : isSet(was) !== isSet(is);
  });
  const isReasonNew = failureReasonIn(before.value) !== failureReasonIn(after.value);
  return isReasonNew ? [...changed, 'failure reason'] : changed;
}

/** 7: a refusal is a refusal. Judged while nothing else moves the order: it is PENDING still, or has settled. */
export const refusedRequestsChangeNothing = defineRule({
  id: 'order.refused-requests',
  title: 'A refused cancel, acceptance or proposal leaves an order as it was',
  requirements: ['error.refusal-changes-nothing'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const requests = [...trace.cancels, ...trace.acceptances, ...trace.proposals];
      const refused = requests.filter(isRefusal);
      if (refused.length === 0) continue;
      const reads = trace.snapshots.filter((seen) => seen.via === 'order.read');
      for (const call of refused) judge(call, readsAround(reads, call), requests);
    }

    function judge(call: Call, [before, after]: Reads, requests: readonly Call[]): void {
      const state = before && orderStateOf(before);
      if (!before || !after || !state || state !== orderStateOf(after)) return;
      const isAtRest = state === 'PENDING' && !mayHaveChanged(requests, after);
      // What becomes of an accepted quote's fields once an order has ended otherwise, and when, is open.
      if (!isAtRest && state !== 'SETTLED') return;
      const changed = changesBetween(before, after);
      findings.assert('error.refusal-changes-nothing', changed.length === 0, call.id, () => ({
        message: `after a refused request an order in ${state} showed another ${changed.join(', ')}`,
        expected: before.value,
        actual: after.value,
        evidence: [before.source, call.id, after.source],
      }));
    }
  },
});

type Reads = readonly [before: Snapshot | undefined, after: Snapshot | undefined];

/** The last read before a call and the first one after it, by one party. */
function readsAround(reads: OrderTrace['snapshots'], call: Call): Reads {
  const before = reads.findLast((seen) => precedes(seen, call));
  return [before, reads.find((seen) => precedes(call, seen) && seen.party === before?.party)];
}
