import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  type PlacedOrder,
  quote,
  readOrder,
  assertRefused,
  textOf,
} from '../../src/suite/actions/index.ts';
import { assertForbidden } from '../shared/forbidden-requests.ts';
import { sendRequest } from '../shared/endpoint-operations.ts';
import {
  swappedInstitutions,
  orderBetween,
  type OrderParties,
  usualParties,
} from './order-parties.ts';

/** Ids of two orders mixed: one's own order with a foreign quote, a foreign order with one's own quote. */
export const mixedIdChecks: readonly Check[] = [usualParties, swappedInstitutions].map(
  (orderParties) =>
    defineCheck({
      id: `access.relation.mixed-ids.${orderParties.id}`,
      title: `With an order of its own open, ${orderParties.rival} accepts neither a foreign quote on it nor its own quote on a foreign order.`,
      requirements: [
        'quote.accept.foreign-institution-refused',
        'quote.accept.quote-of-other-order-refused',
        'order.cancel.foreign-institution-refused',
        'order.read.foreign-institution-refused',
        'error.refusal-changes-nothing',
        'service.sender-accepts',
      ],
      needs: { parties: ['sender', 'outsider', 'maker_a'] },
      async run(t) {
        const { rival, creator } = orderParties;
        const foreign = await orderBetween(t, orderParties);
        const own = await orderBetween(t, { ...orderParties, creator: rival, rival: creator });
        const theirs = await quote(t, 'maker_a', foreign);
        const mine = await quote(t, 'maker_a', own);
        const by = { by: rival, endpoint: 'quote.accept' } as const;
        await assertForbidden(
          t,
          { order: foreign, quote: theirs },
          [
            {
              ...by,
              requirement: 'quote.accept.quote-of-other-order-refused',
              what: 'its own order with a quote on a foreign one',
              fixture: { order: own, quote: theirs },
            },
            {
              ...by,
              requirement: 'quote.accept.foreign-institution-refused',
              what: 'a foreign order with a quote on its own',
              fixture: { order: foreign, quote: mine },
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
        const kept = await readOrder(t, own, rival);
        const late = kept.exchange.received + t.target.clock.offset.most >= mine.validUntil;
        if (late) return;
        t.assert('error.refusal-changes-nothing', textOf(kept.data, 'status') === 'PENDING', {
          message: 'An order moved by acceptances that mixed it up with another.',
          expected: 'PENDING',
          actual: kept.data['status'],
          seen: [kept.exchange],
        });
        const fixture = { order: own, quote: mine };
        await assertForbidden(
          t,
          fixture,
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
        await readBack(t, orderParties, foreign, own);
      },
    }),
);

/** Each reads its own after both were accepted, and not the other's. */
async function readBack(
  t: CheckContext,
  { creator, rival }: OrderParties,
  foreign: PlacedOrder,
  own: PlacedOrder,
) {
  const what = 'the order of another, both being accepted';
  for (const [reader, order] of [
    [creator, own],
    [rival, foreign],
  ] as const) {
    const no = await sendRequest(t, reader, 'order.read', { order });
    assertRefused(t, 'order.read.foreign-institution-refused', no, what);
  }
}
