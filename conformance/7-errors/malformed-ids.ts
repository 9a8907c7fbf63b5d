import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import {
  assertRefused,
  createOrder,
  paramsOf,
  quote,
  readOrder,
  retryWhileRefused,
  succeeded,
} from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { each } from '../shared/check-table.ts';

/** What stands in a path where an id should: no order can have it. */
const words = ['no-such-thing', '0', 'null', '..%2F..', "'%20OR%201=1"];

/** 7: a path whose id is no UUID is refused with a 4xx; a real id is served. */
const reads = each(
  [
    { endpoint: 'order.read', by: 'sender' },
    { endpoint: 'order.quotes', by: 'sender' },
    { endpoint: 'order.read', by: 'sender_custodian' },
    { endpoint: 'rfq.read', by: 'maker_a' },
    { endpoint: 'rfq.quotes', by: 'maker_a' },
  ] as const,
  ({ endpoint, by }) =>
    defineCheck({
      id: `error.malformed-id.${endpoint}.${by}`,
      title: `A path of ${endpoint} whose id is no UUID is refused with a 4xx; a real id is served.`,
      requirements: ['error.refusal-is-4xx'],
      needs: { parties: ['sender', by] },
      async run(t) {
        const order = await createOrder(t);
        const party = t.party(by);
        const real = await retryWhileRefused(t, () =>
          party.call(endpoint, { params: paramsOf(order) }),
        );
        if (!succeeded(real)) t.notExercised('the real id was not served either', [real]);
        // A list below an id that nothing has may be empty, and so it may be below one that nothing can have.
        const mayBeEmpty = endpoint === 'order.quotes' || endpoint === 'rfq.quotes';
        for (const word of words) {
          const exchange = await party.send(
            'GET',
            endpoints[endpoint].path.replace('{intent_id}', word),
          );
          if (succeeded(exchange) && mayBeEmpty) continue;
          assertRefused(t, 'error.refusal-is-4xx', exchange, 'an id that is no UUID');
        }
      },
    }),
);

/** 7: what is asked of ids that are no UUIDs is refused, and leaves the order beside alone. */
const operations = defineCheck({
  id: 'error.malformed-id.acts',
  title:
    'Operations on ids that are no UUIDs are refused with a 4xx, and leave the order beside alone.',
  requirements: ['error.refusal-is-4xx', 'error.refusal-changes-nothing', 'order.cancel.pending'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { sent } = await quote(t, 'maker_a', order);
    await readOrder(t, order);
    for (const [by, path, body] of [
      ['sender', 'orders/no-such-thing/cancel', undefined],
      ['sender', `orders/${order.intentId}/quotes/no-such-thing/accept`, undefined],
      ['sender', 'orders/no-such-thing/quotes/no-such-thing/accept', undefined],
      ['maker_a', 'quote-requests/no-such-thing/quotes', sent],
    ] as const) {
      const exchange = await t.party(by).send('POST', `/api/v1/${path}`, body ? { body } : {});
      assertRefused(t, 'error.refusal-is-4xx', exchange, 'an id that is no UUID');
    }
    await readOrder(t, order);
    await cancelOrder(t, order);
  },
});

export const idErrorChecks: readonly Check[] = [...reads, operations];
