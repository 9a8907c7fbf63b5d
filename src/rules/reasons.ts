import { isTerminal } from '../spec/states.ts';
import { failureReasons, isMisspeltReason, type OrderState } from '../spec/words.ts';
import { effectiveCancels } from './cancels.ts';
import { isObject, isSet } from './json.ts';
import { defineRule } from './tally.ts';
import type { Sighting } from './view/sightings.ts';
import { happened, type OrderStory, reasonIn, reasonPathIn, stateOf } from './view/stories.ts';

const unsettled: readonly OrderState[] = ['EXPIRED', 'FAILED'];

/** Wherever a target puts it: a failure reason is told by its value (gap `order.failure_reason_field`). */
export const reasons = defineRule({
  id: 'order.failure-reasons',
  title:
    'A failure reason stands only on an order that ended unsettled, and fits what happened to it',
  requirements: [
    'order.failure-reason.admissible',
    'order.failure-reason.only-when-ended',
    'order.failure-reason.not-when-settled',
    'order.failure-reason.views-agree',
    'order.failure-reason.no-quote',
    'order.failure-reason.user-cancelled',
    'order.cancel.only-that-order',
  ],
  judge(view, tally) {
    const shows = view.sighted('order').find((seen) => {
      const state = stateOf(seen);
      return state !== undefined && unsettled.includes(state) && reasonPathIn(seen.value);
    });
    const path = shows && reasonPathIn(shows.value);
    for (const story of view.orders.values()) {
      let first: Sighting | undefined;
      for (const sighting of story.sightings) {
        const reason = reasonIn(sighting.value);
        const state = stateOf(sighting);
        if (reason === undefined && state && unsettled.includes(state)) judgeUnknown(sighting);
        if (state === 'SETTLED' && sighting.whole) judgeSettled(sighting);
        if (reason === undefined || !state) continue;
        const evidence = [sighting.source];
        const ended = isTerminal(state) && state !== 'SETTLED';
        tally.judge('order.failure-reason.only-when-ended', ended, sighting.source, () => ({
          message: `an order in ${state} carried the failure reason ${reason}`,
          actual: reason,
          evidence,
        }));
        if (ended) tally.pass('order.failure-reason.admissible', sighting.source);
        if (ended && story.creation) judgeReason(story, sighting, reason);
        if (ended && reasonPathIn(sighting.value)?.join() === path?.join()) {
          if (first) judgeSame(first, sighting);
          first ??= sighting;
        }
      }
    }

    /** Nothing befalls an order that has ended: the reason that it was first shown with is its reason. */
    function judgeSame(first: Sighting, { value, source, via }: Sighting): void {
      const [told, reason] = [reasonIn(first.value), reasonIn(value)];
      tally.judge('order.failure-reason.views-agree', told === reason, source, () => ({
        message: `an order showed the failure reason ${told} (${first.via}) and ${reason} (${via})`,
        expected: told,
        actual: reason,
        evidence: [first.source, source],
      }));
    }

    /** Such a word may mean something else elsewhere: what counts is where this target has its reasons. */
    function judgeSettled({ value, source }: Sighting): void {
      if (!path) return;
      const isShown = reasonPathIn(value)?.join() === path.join();
      tally.judge('order.failure-reason.not-when-settled', !isShown, source, () => ({
        message: `an order that settled carried the failure reason ${reasonIn(value)}`,
        actual: reasonIn(value),
        evidence: [source],
      }));
    }

    /** Once a target has shown where its reasons stand, whatever else stands there is one of the six or nothing. */
    function judgeUnknown({ value, source }: Sighting): void {
      const shown = path?.reduce<unknown>(
        (at, name) => (isObject(at) ? at[name] : undefined),
        value,
      );
      if (!isSet(shown)) return;
      const blame = {
        message: 'the failure reason of an order was none of the six values',
        expected: failureReasons.join(', '),
        actual: shown,
        evidence: [source],
      };
      if (isMisspeltReason(shown)) tally.fail('order.failure-reason.admissible', blame);
      else tally.warn('order.failure-reason.admissible', blame);
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
