import { relationOf } from '../../trace/event-delivery.ts';
import { wasPending } from '../quotes/must-be-granted.ts';
import { textAt } from '../../../protocol/json.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied } from '../../trace/calls.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { possiblyEffective, type OrderTrace } from '../../trace/traces.ts';

/** A cancel as its sender writes it: a target may want a body (gap `cancel.request`). */
const manner = ({ party, exchange }: Call): string =>
  `${party} ${JSON.stringify(exchange.request.body)}`;

/** Checks that only lay their ground give up where a cancel is refused; this looks whether there was any reason for it. */
export const cancelsMustBeGranted = defineRule({
  id: 'cancels.due',
  title: 'A PENDING order that nobody accepted is cancelled when its sender asks for it',
  requirements: ['order.cancel.pending'],
  judge(view, findings) {
    const clock = targetClockOf(view);
    const granted = new Set(
      view.endpoint('order.cancel').flatMap((call) => (call.ok ? [manner(call)] : [])),
    );
    for (const trace of view.orders.values()) {
      const refused = refusedCancel(trace);
      if (!refused) continue;
      findings.fail('order.cancel.pending', {
        message: 'a PENDING order could not be cancelled by its sender',
        expected: 'a success (2xx)',
        actual: refused.status,
        evidence: [trace.creation?.id ?? '', refused.id],
      });
    }

    function refusedCancel(trace: OrderTrace): Call | undefined {
      const { creation, cancels, acceptances, proposals } = trace;
      if (!creation || view.disturbed(trace.id)) return undefined;
      // What a selection or a proposal sets off may be under way while the order is shown as PENDING still.
      if (possiblyEffective([...acceptances, ...proposals, ...cancels]).length > 0)
        return undefined;
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      return cancels.find(
        (call) =>
          isDenied(call) &&
          call.exchange.params.intent_id === textAt(creation.data, 'intent_id') &&
          relationOf(view, trace, call.party) === 'sender' &&
          granted.has(manner(call)) &&
          expiry !== undefined &&
          clock.before(intervalOf(call), expiry) &&
          wasPending(trace, call),
      );
    }
  },
});
