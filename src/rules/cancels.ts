import type { OrderState } from '../spec/words.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import { type Call, precedes } from './view/calls.ts';
import type { Sighting } from './view/sightings.ts';
import { type OrderStory, stateOf } from './view/stories.ts';

const unsettled: readonly OrderState[] = ['EXPIRED', 'FAILED'];

/** The first sighting that shows an order in a state before something was sent. */
export const knownBefore = (
  story: OrderStory,
  call: { readonly open: number },
  wanted: readonly OrderState[],
): Sighting | undefined =>
  story.sightings.find((seen) => {
    const state = stateOf(seen);
    return state !== undefined && wanted.includes(state) && precedes(seen, call);
  });

/** Cancels that were answered with success when the order was not known to have ended before. */
export const effectiveCancels = (story: OrderStory): Call[] =>
  story.cancels.filter(
    (call) => call.ok && !knownBefore(story, call, ['SETTLED', 'EXPIRED', 'FAILED']),
  );

export const cancels = defineRule({
  id: 'order.cancels',
  title: 'A cancel works on PENDING and QUOTED orders only, and ends them unsettled',
  requirements: [
    'order.state.cancel-ends-order',
    'order.cancel.never-settles',
    'order.cancel.executing-refused',
    'order.cancel.settled-refused',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      if (story.cancels.length === 0) continue;
      judgeRefusals(story);
      const [first] = effectiveCancels(story);
      if (!first || knownBefore(story, first, ['EXECUTING'])) continue;
      for (const seen of story.sightings) {
        const state = stateOf(seen);
        if (!state) continue;
        // A cancel may be answered before it takes effect (gap `cancel.response`).
        const later = seen.from > first.exchange.received + patience.betweenParties;
        if (state === 'SETTLED') {
          tally.fail('order.cancel.never-settles', {
            message: 'a cancelled order was SETTLED',
            evidence: [first.id, seen.source],
          });
        } else if (later) tally.pass('order.cancel.never-settles', seen.source);
        if (!later && !unsettled.includes(state)) continue;
        if (!later && !precedes(first, seen) && seen.call !== first) continue;
        tally.judge(
          'order.state.cancel-ends-order',
          unsettled.includes(state),
          seen.source,
          () => ({
            message: `a cancelled order was ${state}`,
            expected: 'EXPIRED or FAILED',
            actual: state,
            evidence: [first.id, seen.source],
          }),
        );
      }
    }

    function judgeRefusals(story: OrderStory): void {
      for (const call of story.cancels) {
        if (call.status === undefined) continue;
        for (const [state, requirement] of [
          ['SETTLED', 'order.cancel.settled-refused'],
          ['EXECUTING', 'order.cancel.executing-refused'],
        ] as const) {
          const known = knownBefore(story, call, [state]);
          // By the time of the cancel an EXECUTING order may have failed and so be cancelled already.
          if (!known || (state === 'EXECUTING' && !isPlainSettlement(story))) continue;
          tally.judge(requirement, !call.ok, call.id, () => ({
            message: `a cancel succeeded on an order that was ${state}`,
            expected: 'a 4xx status',
            actual: call.status,
            evidence: [known.source, call.id],
          }));
          break;
        }
      }
    }

    function isPlainSettlement(story: OrderStory): boolean {
      return (
        !view.disturbed(story.id) &&
        !story.cancels.some((call) => call.ok && !knownBefore(story, call, ['EXECUTING']))
      );
    }
  },
});
