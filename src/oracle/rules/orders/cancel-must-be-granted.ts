import { relationOf } from '../../trace/event-delivery.ts';
import { wasPending } from '../quotes/must-be-granted.ts';
import { textOf } from '../../../protocol/json.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied } from '../../trace/calls.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { possiblyEffective, type OrderTrace } from '../../trace/traces.ts';

const bodyOf = ({ exchange }: Call): string => JSON.stringify(exchange.request.body) ?? 'none';

/** A cancel as its sender writes it: a target may want a body (gap `cancel.request`). */
const manner = (call: Call): string => `${call.party} ${bodyOf(call)}`;

/** Checks that only set something up give up if a cancel is refused; this rule checks if there was a reason. */
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
      const taken = trace.cancels.find((call) => call.ok && call.own);
      if (taken && possiblyEffective(trace.acceptances).length === 0)
        findings.pass('order.cancel.pending', taken.id);
      const refused = trace.cancels.filter((call) => isDueRefusal(trace, call));
      const wrong = refused.find((call) => granted.has(manner(call)) || isTriedBothWays(refused));
      if (!wrong) continue;
      findings.fail('order.cancel.pending', {
        message: 'a PENDING order could not be cancelled by its sender',
        deviation: 'refused',
        must: { answered: '2xx' },
        actual: wrong.status,
        evidence: [trace.creation?.id ?? '', wrong.id],
      });
    }

    /** With an empty object and with no body at all: then it was not refused for its form. */
    function isTriedBothWays(refused: readonly Call[]): boolean {
      const bodies = new Set(refused.map(bodyOf));
      return bodies.has('{}') && bodies.has('none');
    }

    function isDueRefusal(trace: OrderTrace, call: Call): boolean {
      const { creation, cancels, acceptances, proposals } = trace;
      if (!creation || !isDenied(call) || view.disturbed(trace.id)) return false;
      // The effect of a selection or a proposal may be under way while the order still shows PENDING.
      if (possiblyEffective([...acceptances, ...proposals, ...cancels]).length > 0) return false;
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      return (
        call.exchange.params.intent_id === textOf(creation.data, 'intent_id') &&
        relationOf(view, trace, call.party) === 'sender' &&
        expiry !== undefined &&
        clock.before(intervalOf(call), expiry) &&
        wasPending(trace, call)
      );
    }
  },
});
