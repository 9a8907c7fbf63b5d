import { causedBy, framesOn, isDue, relationOf } from './audience.ts';
import { textAt } from './json.ts';
import { defineRule } from './tally.ts';
import type { Call } from './view/calls.ts';
import { happened } from './view/stories.ts';
import type { SeenFrame } from './view/streams.ts';

/** What a party's streams told of the creation of orders that it has the same part in. */
interface Habit {
  /** Orders of which no PENDING was told. */
  silent: number;
  /** Orders whose PENDING came before anything else had happened to them. */
  told: number;
  readonly late: { readonly frame: SeenFrame; readonly quote: Call }[];
}

/** So many orders without it show that a target does not tell of creations. */
const enough = 3;

/**
 * Whether a creation is a change of status is open (gap `event.creation`), so the first PENDING of an order may be that
 * of its creation: not where no other order has one, and this comes with a quote.
 */
export const creationsTold = defineRule({
  id: 'event.creations-told',
  title: 'Where creations are not told, an order is not told to be PENDING when it is quoted',
  requirements: ['event.order-updated.only-on-change'],
  judge(view, tally) {
    const habits = new Map<string, Habit>();
    for (const story of view.orders.values()) {
      const { creation, proposals, submissions } = story;
      if (!creation || happened(proposals).length > 0) continue;
      for (const stream of view.streams) {
        if (stream.kind !== 'order' || stream.resumed || stream.filter !== undefined) continue;
        if (!isDue(stream, causedBy(creation))) continue;
        const relation = relationOf(view, story, stream.party);
        if (relation === 'stranger' || relation === 'unknown') continue;
        const key = `${stream.party} ${relation}`;
        const habit = habits.get(key) ?? { silent: 0, told: 0, late: [] };
        habits.set(key, habit);
        const frame = framesOn(story, stream, 'order_updated').find(
          ({ payload }) => textAt(payload, 'status') === 'PENDING',
        );
        const quote = frame && submissions.find(({ ok, close }) => ok && close < frame.at);
        if (!frame) habit.silent += 1;
        else if (quote) habit.late.push({ frame, quote });
        else habit.told += 1;
      }
    }
    for (const { silent, told, late } of habits.values()) {
      if (silent < enough || told > 0) continue;
      for (const { frame, quote } of late) {
        tally.fail('event.order-updated.only-on-change', {
          message: 'order_updated told PENDING of an order that was quoted, and of no other order',
          evidence: [quote.id, frame.id],
        });
      }
    }
  },
});
