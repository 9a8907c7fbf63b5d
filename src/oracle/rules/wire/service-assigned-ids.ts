import { textAt } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';

const assigned = [
  ['order.create', 'intent_id', 'order.create.assigns-intent-id'],
  ['quote.submit', 'quote_id', 'quote.quote-id.unique'],
] as const;

/** `order.creation` and `quote.submission` judge of every answer that there is an id, and of two that it is another. */
export const serviceAssignedIds = defineRule({
  id: 'answers.assigned-ids',
  title: 'The ids of orders and quotes are assigned by the service, whatever was sent for them',
  requirements: assigned.map(([, , requirement]) => requirement),
  judge(view, findings) {
    for (const [endpoint, field, requirement] of assigned) {
      for (const call of view.endpoint(endpoint)) {
        const sent = textAt(call.sent, field);
        const shown = textAt(call.data, field);
        if (!call.ok || !call.own || sent === undefined || shown === undefined) continue;
        const isOwn = shown.toLowerCase() !== sent.toLowerCase();
        findings.assert(requirement, isOwn, call.id, () => ({
          message: `${field} in the answer to ${endpoint} was the one that was sent with it`,
          expected: 'an id that the service assigned',
          actual: shown,
          evidence: [call.id],
        }));
      }
    }
  },
});
