import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  type PlacedOrder,
  quote,
  readOrder,
  refused,
  textOf,
} from '../../src/conformance/moves/index.ts';
import { beside } from '../beside.ts';
import { ask } from '../deeds.ts';
import { exchanged, orderBetween, type Sides, usual } from './sides.ts';

/** Ids of two orders mixed: one's own order with a foreign quote, a foreign order with one's own quote. */
export const mixedChecks: readonly Check[] = [usual, exchanged].map((sides) =>
  defineCheck({
    id: `access.relation.mixed-ids.${sides.id}`,
    title: `With an order of its own open, ${sides.rival} accepts neither a foreign quote on it nor its own quote on a foreign order.`,
    requirements: [
      'quote.accept.foreign-institution-refused',
      'quote.accept.quote-of-other-order-refused',
      'order.cancel.foreign-institution-refused',
      'order.read.foreign-institution-refused',
      'error.refusal-changes-nothing',
      'service.sender-accepts',
    ],
    needs: { parties: ['sender', 'outsider', 'maker_a'] },
    async run(trial) {
      const { rival, creator } = sides;
      const foreign = await orderBetween(trial, sides);
      const own = await orderBetween(trial, { ...sides, creator: rival, rival: creator });
      const theirs = await quote(trial, 'maker_a', foreign);
      const mine = await quote(trial, 'maker_a', own);
      const by = { by: rival, endpoint: 'quote.accept' } as const;
      await beside(
        trial,
        { order: foreign, quote: theirs },
        [
          {
            ...by,
            requirement: 'quote.accept.quote-of-other-order-refused',
            what: 'its own order with a quote on a foreign one',
            ground: { order: own, quote: theirs },
          },
          {
            ...by,
            requirement: 'quote.accept.foreign-institution-refused',
            what: 'a foreign order with a quote on its own',
            ground: { order: foreign, quote: mine },
          },
          {
            ...by,
            requirement: 'quote.accept.foreign-institution-refused',
            what: 'a foreign order while it has one of its own',
          },
          {
            ...by,
            endpoint: 'order.cancel',
            requirement: 'order.cancel.foreign-institution-refused',
            what: 'a foreign order while it has one of its own',
          },
        ],
        [{ by: creator, endpoint: 'quote.accept', requirements: ['service.sender-accepts'] }],
      );
      const kept = await readOrder(trial, own, rival);
      const late = kept.exchange.received + trial.target.clock.offset.most >= mine.validUntil;
      if (late) return;
      trial.judge('error.refusal-changes-nothing', textOf(kept.data, 'status') === 'PENDING', {
        message: 'An order moved by acceptances that mixed it up with another.',
        expected: 'PENDING',
        actual: kept.data['status'],
        seen: [kept.exchange],
      });
      const ground = { order: own, quote: mine };
      await beside(
        trial,
        ground,
        [
          {
            by: creator,
            endpoint: 'quote.accept',
            requirement: 'quote.accept.foreign-institution-refused',
            what: 'a foreign order after one of its own was accepted',
          },
          {
            by: creator,
            endpoint: 'order.cancel',
            requirement: 'order.cancel.foreign-institution-refused',
            what: 'a foreign order after one of its own was accepted',
          },
        ],
        [{ by: rival, endpoint: 'quote.accept', requirements: ['service.sender-accepts'] }],
      );
      await readBack(trial, sides, foreign, own);
    },
  }),
);

/** Each reads its own after both were accepted, and not the other's. */
async function readBack(
  trial: Trial,
  { creator, rival }: Sides,
  foreign: PlacedOrder,
  own: PlacedOrder,
) {
  const what = 'the order of another, both being accepted';
  for (const [reader, order] of [
    [creator, own],
    [rival, foreign],
  ] as const) {
    const no = await ask(trial, reader, 'order.read', { order });
    refused(trial, 'order.read.foreign-institution-refused', no, what);
  }
}
