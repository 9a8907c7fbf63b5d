import { defineRule } from '../../findings.ts';

const framedEvents = [
  ['order_updated', 'intent_id', 'event.order-updated.has-intent-id'],
  ['order_updated', 'status', 'event.order-updated.has-status'],
  ['quote_received', 'fx_rate', 'event.quote-received.has-fx-rate'],
  ['quote_received', 'target_amount', 'event.quote-received.has-target-amount'],
  ['quote_request_new', 'intent_id', 'event.quote-request-new.names-request'],
  ['quote_accepted', 'intent_id', 'event.quote-accepted.has-intent-id'],
  ['quote_accepted', 'fx_rate', 'event.quote-accepted.has-fx-rate'],
  ['quote_rejected', 'intent_id', 'event.quote-rejected.has-intent-id'],
  ['settlement_completed', 'transaction_hash', 'event.settlement-completed.has-transaction-hash'],
] as const;

export const eventPayloads = defineRule({
  id: 'event.payloads',
  title: 'Each event carries the fields that part 6 names for it',
  requirements: framedEvents.map(([, , requirement]) => requirement),
  judge(view, findings) {
    for (const stream of view.streams) {
      for (const { frame, payload, id } of stream.frames) {
        for (const [event, field, requirement] of framedEvents) {
          if (frame.event !== event) continue;
          const value = payload?.[field];
          const holds = typeof value === 'string' && value !== '';
          findings.assert(requirement, holds, id, () => ({
            message: `${event} did not carry ${field}`,
            actual: frame.data ?? frame.text,
            evidence: [id],
          }));
        }
      }
    }
  },
});
