import { isDue, isLate, spared, streamsByParty } from './audience.ts';
import { textAt } from './json.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import { momentIn } from './view/sightings.ts';
import { happened, type OrderStory, stateOf } from './view/stories.ts';
import { type SeenFrame, type StreamStory, toldForGood } from './view/streams.ts';
import type { HistoryView } from './view.ts';
import { selectionOf } from './selection.ts';
import { makersOf } from './audience.ts';

export const settlementsTold = defineRule({
  id: 'event.settlement-completed',
  title: 'A settled trade is told to its maker, once, and to nobody else',
  requirements: [
    'event.settlement-completed.sent',
    'event.settlement-completed.not-to-others',
    'event.settlement-completed.once',
    'event.settlement-completed.only-settled',
    'event.live',
  ],
  judge(view, tally) {
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    const frames = completionsByOrder(view);
    for (const story of view.orders.values()) {
      const selected = selectionOf(view, story);
      const told = frames.get(story.id) ?? [];
      const settled = story.sightings.find((seen) => stateOf(seen) === 'SETTLED');
      const failed = story.sightings.find((seen) =>
        ['EXPIRED', 'FAILED'].includes(stateOf(seen) ?? ''),
      );
      const counted = new Map<StreamStory, SeenFrame>();
      for (const { stream, seen } of told) {
        const before = toldForGood(stream, counted.get(stream));
        counted.set(stream, seen);
        const evidence = [...(before ? [before.id] : [stream.id]), seen.id];
        tally.judge('event.settlement-completed.once', !before, seen.id, () => ({
          message: 'one settlement was told twice on one stream',
          evidence,
        }));
        if (selected && stream.party !== selected[1].maker) {
          tally.fail('event.settlement-completed.not-to-others', {
            message: `settlement_completed went to ${stream.party}, which did not win the trade`,
            expected: selected[1].maker,
            evidence,
          });
        }
        judgeSettled(story, seen, failed?.source);
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
        const [stream] = spared(streamsOf(maker), cause, (each) => counted.has(each));
        if (stream) tally.pass('event.settlement-completed.not-to-others', stream.id);
      }
      for (const stream of streamsOf(selected[1].maker ?? '')) {
        if (stream.kind !== 'maker' || !isDue(stream, cause)) continue;
        const frame = counted.get(stream);
        if (!frame && hasNameless(stream)) continue;
        tally.judge(
          'event.settlement-completed.sent',
          frame !== undefined,
          frame?.id ?? cause.source,
          () => ({
            message: `no settlement_completed told ${stream.party} of a trade that settled`,
            expected: { event: 'settlement_completed', intent_id: story.id },
            evidence: [stream.id, cause.source],
          }),
        );
        if (!frame) continue;
        if (!isLate(frame, cause)) tally.pass('event.live', frame.id);
        else
          tally.warn('event.live', {
            message: 'settlement_completed came late',
            evidence: [frame.id],
          });
      }
    }

    /** A payload with the hash alone, of a settlement that nobody has read, may be of any order. */
    function hasNameless(stream: StreamStory): boolean {
      return stream.frames.some(
        (seen) =>
          seen.frame.event === 'settlement_completed' && orderTold(view, seen) === undefined,
      );
    }

    function judgeSettled(story: OrderStory, seen: SeenFrame, failed: string | undefined): void {
      const unaccepted =
        story.creation !== undefined &&
        !happened(story.acceptances).some((call) => call.open < seen.at);
      const after = story.sightings.find((order) => {
        const state = stateOf(order);
        const lagged = order.from > seen.frame.received + patience.betweenParties;
        return lagged && (state === 'PENDING' || state === 'QUOTED' || state === 'EXECUTING');
      });
      const early = story.sightings.find((order) => {
        const settled = momentIn([order], 'settled_at');
        const told = seen.frame.received + view.context.offset.most;
        return settled !== undefined && told < settled - patience.stamp;
      });
      const wrong = failed ?? after?.source ?? early?.source;
      tally.judge(
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
function orderTold(view: HistoryView, seen: SeenFrame): string | undefined {
  return seen.intentId ?? view.orderOfHash(textAt(seen.payload, 'transaction_hash'));
}

function completionsByOrder(
  view: HistoryView,
): Map<string, { readonly stream: StreamStory; readonly seen: SeenFrame }[]> {
  const byOrder = new Map<string, { stream: StreamStory; seen: SeenFrame }[]>();
  for (const stream of view.streams) {
    if (!stream.call.own || stream.kind !== 'maker') continue;
    for (const seen of stream.frames) {
      if (seen.frame.event !== 'settlement_completed') continue;
      const id = orderTold(view, seen);
      if (id === undefined) continue;
      const list = byOrder.get(id);
      if (list) list.push({ stream, seen });
      else byOrder.set(id, [{ stream, seen }]);
    }
  }
  return byOrder;
}
