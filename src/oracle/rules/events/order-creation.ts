import { causedBy, framesOn, mustDeliver, relationOf } from '../../trace/event-delivery.ts';
import { textAt } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import { possiblyEffective } from '../../trace/traces.ts';
import type { TraceFrame } from '../../trace/streams.ts';

/** What a party's streams told of the creation of orders that it has the same part in. */
interface AnnouncementHabit {
  /** Orders of which no PENDING was told. */
  silent: number;
  /** Orders whose PENDING came before anything else had happened to them. */
  announced: number;
  readonly late: { readonly frame: TraceFrame; readonly quote: Call }[];
}

/** So many orders without it show that a target does not tell of creations. */
const minOrders = 3;

/**
 * Whether a creation is a change of status is open (gap `event.creation`), so the first PENDING of an order may be that
 * of its creation: not where no other order has one, and this comes with a quote.
 */
export const creationsAnnounced = defineRule({
  id: 'event.creations-told',
  title: 'Where creations are not told, an order is not told to be PENDING when it is quoted',
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
          ({ payload }) => textAt(payload, 'status') === 'PENDING',
        );
        const quote = frame && submissions.find(({ ok, close }) => ok && close < frame.at);
        if (!frame) habit.silent += 1;
        else if (quote) habit.late.push({ frame, quote });
        else habit.announced += 1;
      }
    }
    for (const { silent, announced, late } of habits.values()) {
      if (silent < minOrders || announced > 0) continue;
      for (const { frame, quote } of late) {
        findings.fail('event.order-updated.only-on-change', {
          message: 'order_updated told PENDING of an order that was quoted, and of no other order',
          evidence: [quote.id, frame.id],
        });
      }
    }
  },
});
