import {
  mustDeliver,
  isDeliveredLate,
  withoutDelivery,
  streamsByParty,
} from '../../trace/event-delivery.ts';
import { textAt } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { type TraceFrame, type StreamTrace, earlierDelivery } from '../../trace/streams.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { certainSelection } from '../../trace/selected-quote.ts';
import { makersOf } from '../../trace/event-delivery.ts';

export const settlementsAnnounced = defineRule({
  id: 'event.settlement-completed',
  title: 'A settled trade is told to its maker, once, and to nobody else',
  requirements: [
    'event.settlement-completed.sent',
    'event.settlement-completed.not-to-others',
    'event.settlement-completed.once',
    'event.settlement-completed.only-settled',
    'event.live',
  ],
  judge(view, findings) {
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    const frames = completionsByOrder(view);
    for (const trace of view.orders.values()) {
      const selected = certainSelection(view, trace);
      const delivered = frames.get(trace.id) ?? [];
      const settled = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
      const failed = trace.snapshots.find((seen) =>
        ['EXPIRED', 'FAILED'].includes(orderStateOf(seen) ?? ''),
      );
      const counted = new Map<StreamTrace, TraceFrame>();
      for (const { stream, seen } of delivered) {
        const before = earlierDelivery(stream, counted.get(stream));
        counted.set(stream, seen);
        const evidence = [...(before ? [before.id] : [stream.id]), seen.id];
        findings.assert('event.settlement-completed.once', !before, seen.id, () => ({
          message: 'one settlement was told twice on one stream',
          evidence,
        }));
        if (selected && stream.party !== selected[1].maker) {
          findings.fail('event.settlement-completed.not-to-others', {
            message: `settlement_completed went to ${stream.party}, which did not win the trade`,
            expected: selected[1].maker,
            evidence,
          });
        }
        judgeSettled(trace, seen, failed?.source);
      }
      if (!selected || !settled) continue;
      const cause = {
        since: selected[0].open,
        byMs: settled.to,
        by: settled.close,
        source: settled.source,
      };
      for (const maker of makers) {
        if (maker === selected[1].maker) continue;
        const [stream] = withoutDelivery(streamsOf(maker), cause, (each) => counted.has(each));
        if (stream) findings.pass('event.settlement-completed.not-to-others', stream.id);
      }
      for (const stream of streamsOf(selected[1].maker ?? '')) {
        if (stream.kind !== 'maker' || !mustDeliver(stream, cause)) continue;
        const frame = counted.get(stream);
        if (!frame && hasNameless(stream)) continue;
        findings.assert(
          'event.settlement-completed.sent',
          frame !== undefined,
          frame?.id ?? cause.source,
          () => ({
            message: `no settlement_completed told ${stream.party} of a trade that settled`,
            expected: { event: 'settlement_completed', intent_id: trace.id },
            evidence: [stream.id, cause.source],
          }),
        );
        if (!frame) continue;
        if (!isDeliveredLate(frame, cause)) findings.pass('event.live', frame.id);
        else
          findings.warn('event.live', {
            message: 'settlement_completed came late',
            evidence: [frame.id],
          });
      }
    }

    /** A payload with the hash alone, of a settlement that nobody has read, may be of any order. */
    function hasNameless(stream: StreamTrace): boolean {
      return stream.frames.some(
        (seen) =>
          seen.frame.event === 'settlement_completed' && deliveredInOrder(view, seen) === undefined,
      );
    }

    function judgeSettled(trace: OrderTrace, seen: TraceFrame, failed: string | undefined): void {
      const unaccepted =
        trace.creation !== undefined &&
        !possiblyEffective(trace.acceptances).some((call) => call.open < seen.at);
      const after = trace.snapshots.find((order) => {
        const state = orderStateOf(order);
        const lagged = order.from > seen.frame.received + tolerance.replicationLagMs;
        return lagged && (state === 'PENDING' || state === 'QUOTED' || state === 'EXECUTING');
      });
      const early = trace.snapshots.find((order) => {
        const settled = timestampIn([order], 'settled_at');
        const delivered = seen.frame.received + view.context.offset.most;
        return settled !== undefined && delivered < settled - tolerance.stamp;
      });
      const wrong = failed ?? after?.source ?? early?.source;
      findings.assert(
        'event.settlement-completed.only-settled',
        !wrong && !unaccepted,
        seen.id,
        () => ({
          message: 'settlement_completed told a trade that had not settled',
          evidence: [seen.id, ...(wrong ? [wrong] : [])],
        }),
      );
    }
  },
});

/** The order of a settlement_completed: by its id, else by the hash that it names. */
function deliveredInOrder(view: HistoryView, seen: TraceFrame): string | undefined {
  return seen.intentId ?? view.orderOfHash(textAt(seen.payload, 'transaction_hash'));
}

function completionsByOrder(
  view: HistoryView,
): Map<string, { readonly stream: StreamTrace; readonly seen: TraceFrame }[]> {
  const byOrder = new Map<string, { stream: StreamTrace; seen: TraceFrame }[]>();
  for (const stream of view.streams) {
    if (!stream.call.own || stream.kind !== 'maker') continue;
    for (const seen of stream.frames) {
      if (seen.frame.event !== 'settlement_completed') continue;
      const id = deliveredInOrder(view, seen);
      if (id === undefined) continue;
      const list = byOrder.get(id);
      if (list) list.push({ stream, seen });
      else byOrder.set(id, [{ stream, seen }]);
    }
  }
  return byOrder;
}
