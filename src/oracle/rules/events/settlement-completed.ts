import { groupBy } from '../../../history/group-by.ts';
import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { certainSelection } from '../../trace/selections.ts';
import { type Snapshot, timestampIn } from '../../trace/snapshots.ts';
import type { StreamTrace, TraceFrame } from '../../trace/streams.ts';
import { orderStateOf, type OrderTrace, possiblyEffective } from '../../trace/traces.ts';
import {
  assertAudience,
  assertDelivered,
  assertDeliveredOnce,
  type Delivered,
  streamsDue,
} from './delivery.ts';
import { changesOf } from './order-updated.ts';

/** The order of a settlement_completed: by its id, else by the hash that it names. */
const settledOrderOf = (view: HistoryView, seen: TraceFrame): string | undefined =>
  seen.intentId ?? view.orderOfHash(textOf(seen.payload, 'transaction_hash'));

const isCompletion = ({ frame }: TraceFrame): boolean => frame.event === 'settlement_completed';

function completionsByOrder(view: HistoryView): ReadonlyMap<string, readonly Delivered[]> {
  const all = view.streams
    .filter(({ call, kind }) => call.own && kind === 'maker')
    .flatMap((stream) => stream.frames.filter(isCompletion).map((seen) => ({ stream, seen })));
  return groupBy(all, ({ seen }) => settledOrderOf(view, seen));
}

const settlementsAnnounced = defineRule({
  id: 'event.settlement-completed',
  title: 'A settled trade is announced to its maker, once, and to nobody else',
  requirements: [
    'event.settlement-completed.sent',
    'event.settlement-completed.not-to-others',
    'event.settlement-completed.once',
    'event.live',
    'event.every-open-stream',
  ],
  judge(view, findings) {
    const completions = view.once(completionsByOrder);
    for (const trace of view.orders.values()) {
      const frames = completions.get(trace.id) ?? [];
      assertDeliveredOnce(findings, 'event.settlement-completed.once', frames);
      const selected = certainSelection(view, trace);
      if (!selected) continue;
      const { maker } = selected[1];
      const cause = changesOf(trace).find(({ state }) => state === 'SETTLED');
      const barring = (party: string) =>
        party === maker ? undefined : 'event.settlement-completed.not-to-others';
      const audience = { trace, event: 'settlement_completed', frames, cause, barring } as const;
      assertAudience(view, findings, audience, (party) => ({
        message: `settlement_completed went to ${party}, which did not win the trade`,
        expected: maker,
      }));
      if (!cause) continue;
      const frameOn = (stream: StreamTrace) =>
        frames.findLast((one) => one.stream === stream)?.seen;
      assertDelivered(findings, {
        trace,
        event: 'settlement_completed',
        about: 'of a trade that settled',
        cause,
        due: streamsDue(view, trace, 'settlement_completed', [maker], cause).filter(
          (stream) => frameOn(stream) || !hasNameless(stream),
        ),
        frameOn,
        requirements: () => ['event.settlement-completed.sent'],
      });
    }

    /** A payload with the hash alone, of a settlement that nobody has read, may be of any order. */
    function hasNameless({ frames }: StreamTrace): boolean {
      return frames.some((seen) => isCompletion(seen) && settledOrderOf(view, seen) === undefined);
    }
  },
});

const completionsOfSettled = defineRule({
  id: 'event.settlement-completed.caused',
  title: 'settlement_completed comes of an order that has settled',
  requirements: ['event.settlement-completed.only-settled'],
  judge(view, findings) {
    const completions = view.once(completionsByOrder);
    for (const trace of view.orders.values()) {
      for (const { seen } of completions.get(trace.id) ?? []) {
        const wrong = whyNotSettled(trace, seen);
        findings.assert(
          'event.settlement-completed.only-settled',
          wrong === undefined,
          seen.id,
          () => ({
            message: 'settlement_completed came of a trade that had not settled',
            evidence: [seen.id, wrong ?? ''],
          }),
        );
      }
    }

    /** Id of the record which shows that an order had not settled when its settlement was announced. */
    function whyNotSettled(trace: OrderTrace, seen: TraceFrame): string | undefined {
      const { received } = seen.frame;
      const { creation, acceptances, snapshots } = trace;
      if (creation && !possiblyEffective(acceptances).some((call) => call.open < seen.at))
        return creation.id;
      const isWrong = (order: Snapshot): boolean => {
        const state = orderStateOf(order) ?? 'SETTLED';
        const settledAt = timestampIn([order], 'settled_at') ?? Number.NEGATIVE_INFINITY;
        const isLater = order.from > received + tolerance.replicationLagMs;
        const isEarly = received + view.context.offset.most < settledAt - tolerance.stamp;
        return (
          state === 'EXPIRED' || state === 'FAILED' || isEarly || (isLater && state !== 'SETTLED')
        );
      };
      return snapshots.find(isWrong)?.source;
    }
  },
});

export const completionRules = [settlementsAnnounced, completionsOfSettled];
