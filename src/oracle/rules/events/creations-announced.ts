import { causedBy, framesOn, mustDeliver, relationOf } from '../../trace/event-delivery.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import { type OrderTrace, possiblyEffective } from '../../trace/traces.ts';
import type { TraceFrame } from '../../trace/streams.ts';

/** Numbers of announced and silent creations on a party's streams, of orders that it has the same part in. */
interface AnnouncementHabit {
  /** Orders without a PENDING. */
  silent: number;
  /** Orders whose PENDING came before anything else had happened to them, and soon. */
  announced: number;
  /** PENDING that came later, with the request that went before it. */
  readonly late: { readonly frame: TraceFrame; readonly cause: Call }[];
}

/** Number of orders without a PENDING that shows that a target does not announce creations. */
const minOrders = 3;

/**
 * It is open if creation is a change of status (gap `event.creation`), so the first PENDING of an order may announce
 * its creation. It does not if no other order has one and this one comes with a quote, or long after the creation.
 */
export const creationsAnnounced = defineRule({
  id: 'event.creations-told',
  title: 'Where creations are not announced, an order is not announced as PENDING later',
  requirements: ['event.order-updated.only-on-change'],
  judge(view, findings) {
    const habits = new Map<string, AnnouncementHabit>();
    for (const trace of view.orders.values()) {
      const { creation, proposals, submissions } = trace;
      if (!creation || possiblyEffective(proposals).length > 0) continue;
      for (const stream of view.streams) {
        if (stream.kind !== 'order' || stream.resumed || stream.filter !== undefined) continue;
        if (!mustDeliver(stream, causedBy(creation))) continue;
        const relation = relationOf(view, trace, stream.party);
        if (relation === 'stranger' || relation === 'unknown') continue;
        const key = `${stream.party} ${relation}`;
        const habit = habits.get(key) ?? { silent: 0, announced: 0, late: [] };
        habits.set(key, habit);
        const frame = framesOn(trace, stream, 'order_updated').find(
          ({ payload }) => textOf(payload, 'status') === 'PENDING',
        );
        const cause = frame && lateCause(trace, creation, frame);
        const quoted = submissions.find((call) => call.ok && mustDeliver(stream, causedBy(call)));
        if (!frame && quoted) findings.pass('event.order-updated.only-on-change', quoted.id);
        if (!frame) habit.silent += 1;
        else if (cause) habit.late.push({ frame, cause });
        else habit.announced += 1;
      }
    }
    for (const { silent, announced, late } of habits.values()) {
      if (silent < minOrders || announced > 0) continue;
      for (const { frame, cause } of late) {
        findings.fail('event.order-updated.only-on-change', {
          message:
            'order_updated showed an order as PENDING after its creation, and no other order',
          fields: ['status'],
          evidence: [cause.id, frame.id],
        });
      }
    }
  },
});

/** The quote that a PENDING came after, or the creation if that was long before. */
function lateCause({ submissions }: OrderTrace, creation: Call, frame: TraceFrame) {
  const sentMs = frame.frame.after ?? frame.frame.received;
  const isLate = sentMs > creation.exchange.received + tolerance.eventDeliveryMs;
  return submissions.find(({ ok, close }) => ok && close < frame.at) ?? (isLate && creation);
}
