import { relationOf } from './audience.ts';
import { wasPending } from './due.ts';
import { textAt } from './json.ts';
import { during, watchOf } from './moment.ts';
import { defineRule } from './tally.ts';
import { type Call, isDenied } from './view/calls.ts';
import { momentIn } from './view/sightings.ts';
import { happened, type OrderStory } from './view/stories.ts';

/** A cancel as its sender writes it: a target may want a body (gap `cancel.request`). */
const manner = ({ party, exchange }: Call): string =>
  `${party} ${JSON.stringify(exchange.request.body)}`;

/** Checks that only lay their ground give up where a cancel is refused; this looks whether there was any reason for it. */
export const dueCancels = defineRule({
  id: 'cancels.due',
  title: 'A PENDING order that nobody accepted is cancelled when its sender asks for it',
  requirements: ['order.cancel.pending'],
  judge(view, tally) {
    const watch = watchOf(view);
    const granted = new Set(
      view.endpoint('order.cancel').flatMap((call) => (call.ok ? [manner(call)] : [])),
    );
    for (const story of view.orders.values()) {
      const refused = refusedCancel(story);
      if (!refused) continue;
      tally.fail('order.cancel.pending', {
        message: 'a PENDING order could not be cancelled by its sender',
        expected: 'a success (2xx)',
        actual: refused.status,
        evidence: [story.creation?.id ?? '', refused.id],
      });
    }

    function refusedCancel(story: OrderStory): Call | undefined {
      const { creation, cancels, acceptances, proposals } = story;
      if (!creation || view.disturbed(story.id)) return undefined;
      // What a selection or a proposal sets off may be under way while the order is shown as PENDING still.
      if (happened([...acceptances, ...proposals, ...cancels]).length > 0) return undefined;
      const expiry = momentIn(story.sightings, 'expires_at');
      return cancels.find(
        (call) =>
          isDenied(call) &&
          call.exchange.params.intent_id === textAt(creation.data, 'intent_id') &&
          relationOf(view, story, call.party) === 'sender' &&
          granted.has(manner(call)) &&
          expiry !== undefined &&
          watch.before(during(call), expiry) &&
          wasPending(story, call),
      );
    }
  },
});
