import { isTerminal } from '../spec/states.ts';
import { effectiveCancels } from './cancels.ts';
import { defineRule } from './tally.ts';
import type { Sighting } from './view/sightings.ts';
import { happened, type OrderStory, reasonIn, stateOf } from './view/stories.ts';

/** Wherever a target puts it: a failure reason is told by its value (gap `order.failure_reason_field`). */
export const reasons = defineRule({
  id: 'order.failure-reasons',
  title:
    'A failure reason stands only on an order that ended unsettled, and fits what happened to it',
  requirements: [
    'order.failure-reason.only-when-ended',
    'order.failure-reason.no-quote',
    'order.failure-reason.user-cancelled',
    'order.cancel.only-that-order',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      for (const sighting of story.sightings) {
        const reason = reasonIn(sighting.value);
        const state = stateOf(sighting);
        if (reason === undefined || !state) continue;
        const evidence = [sighting.source];
        const ended = isTerminal(state) && state !== 'SETTLED';
        tally.judge('order.failure-reason.only-when-ended', ended, sighting.source, () => ({
          message: `an order in ${state} carried the failure reason ${reason}`,
          actual: reason,
          evidence,
        }));
        if (ended && story.creation) judgeReason(story, sighting, reason);
      }
    }

    function judgeReason(story: OrderStory, sighting: Sighting, reason: string): void {
      const evidence = [sighting.source];
      const cancelled = happened(story.cancels).length > 0;
      if (reason === 'USER_CANCELLED') {
        tally.judge('order.cancel.only-that-order', cancelled, sighting.source, () => ({
          message: 'an order that nobody cancelled carried the reason USER_CANCELLED',
          actual: reason,
          evidence,
        }));
      }
      // The other reasons of an order that nobody accepted are those of an expiry, which may have come first.
      const surelyCancelled =
        effectiveCancels(story).some((call) => call.close < sighting.open) &&
        reason !== 'NO_QUOTE' &&
        reason !== 'SLIPPAGE';
      if (
        surelyCancelled &&
        happened(story.acceptances).length === 0 &&
        !view.disturbed(story.id)
      ) {
        tally.judge(
          'order.failure-reason.user-cancelled',
          reason === 'USER_CANCELLED',
          sighting.source,
          () => ({
            message: 'a cancelled order carried another failure reason',
            expected: 'USER_CANCELLED',
            actual: reason,
            evidence: [story.cancels[0]?.id ?? '', sighting.source],
          }),
        );
      }
      if (reason !== 'NO_QUOTE') return;
      const quoted = story.submissions.some((call) => call.ok && call.close < sighting.open);
      tally.judge('order.failure-reason.no-quote', !quoted, sighting.source, () => ({
        message: 'an order that had been quoted carried the reason NO_QUOTE',
        actual: reason,
        evidence,
      }));
    }
  },
});
