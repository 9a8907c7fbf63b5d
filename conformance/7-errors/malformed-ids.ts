import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  cancelOptions,
  createOrder,
  retryWhileRefused,
  paramsOf,
  quote,
  readOrder,
  assertRefused,
  succeeded,
  targetTime,
} from '../../src/suite/actions/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { each } from '../shared/check-table.ts';

/** What stands in a path where an id should: no order can have it. */
const words = ['no-such-thing', '0', 'null', '..%2F..', "'%20OR%201=1"];

const endpointsById = [
  { endpoint: 'order.read', by: 'sender', path: (id: string) => `/api/v1/orders/${id}` },
  { endpoint: 'order.quotes', by: 'sender', path: (id: string) => `/api/v1/orders/${id}/quotes` },
  { endpoint: 'order.read', by: 'sender_custodian', path: (id: string) => `/api/v1/orders/${id}` },
  { endpoint: 'rfq.read', by: 'maker_a', path: (id: string) => `/api/v1/quote-requests/${id}` },
  {
    endpoint: 'rfq.quotes',
    by: 'maker_a',
    path: (id: string) => `/api/v1/quote-requests/${id}/quotes`,
  },
] as const satisfies readonly {
  endpoint: EndpointName;
  by: CastName;
  path: (id: string) => string;
}[];

/** A list below an id that nothing has may be empty, and so it may be below one that nothing can have. */
const mayBeEmpty: readonly EndpointName[] = ['order.quotes', 'rfq.quotes'];

const malformed = each(endpointsById, ({ endpoint, by, path }) =>
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
      for (const word of words) {
        const exchange = await party.send('GET', path(word));
        if (succeeded(exchange) && mayBeEmpty.includes(endpoint)) continue;
        assertRefused(t, 'error.refusal-is-4xx', exchange, 'an id that is no UUID');
      }
    },
  }),
);

const acts = defineCheck({
  id: 'error.malformed-id.acts',
  title: 'Acts on ids that are no UUIDs are refused with a 4xx, and leave the order beside alone.',
  requirements: ['error.refusal-is-4xx', 'error.refusal-changes-nothing', 'order.cancel.pending'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { sent } = await quote(t, 'maker_a', order);
    const sender = t.party('sender');
    const id = order.intentId;
    const tries = [
      () => sender.send('POST', '/api/v1/orders/no-such-thing/cancel'),
      () => sender.send('POST', `/api/v1/orders/${id}/quotes/no-such-thing/accept`),
      () => sender.send('POST', `/api/v1/orders/no-such-thing/quotes/no-such-thing/accept`),
      () =>
        t
          .party('maker_a')
          .send('POST', '/api/v1/quote-requests/no-such-thing/quotes', { body: sent }),
    ];
    for (const attempt of tries) {
      assertRefused(t, 'error.refusal-is-4xx', await attempt(), 'an id that is no UUID');
    }
    const after = await readOrder(t, order);
    const latest = targetTime(t, after.exchange).latest;
    const expired = order.expiresAt !== undefined && order.expiresAt <= latest;
    if (expired) return;
    t.assert('error.refusal-changes-nothing', after.data['status'] === 'PENDING', {
      message: 'An order changed by requests that named no order.',
      expected: 'PENDING',
      actual: after.data['status'],
      seen: [after.exchange],
    });
    const cancelled = await sender.call('order.cancel', cancelOptions(t, order));
    if (cancelled.received + t.target.clock.offset.most >= (order.expiresAt ?? 0)) return;
    assertAllowed(t, 'order.cancel.pending', cancelled, 'a cancel under the real id');
  },
});

/** A state that is none: refused, passed over or found nowhere, but never a fault of the service. */
const queries = defineCheck({
  id: 'error.unknown-status',
  title: 'Lists filtered by a word that is no state answer with success or with a refusal.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender', 'sender_custodian', 'maker_a'] },
  async run(t) {
    const lists = [
      ['sender', 'order.list'],
      ['sender_custodian', 'order.list'],
      ['maker_a', 'quote.list'],
    ] as const;
    for (const [by, endpoint] of lists) {
      const exchange = await t.party(by).call(endpoint, { query: { status: 'LOST' } });
      if (succeeded(exchange)) t.assert('error.refusal-is-4xx', true, { message: '' });
      else assertRefused(t, 'error.refusal-is-4xx', exchange, 'a state that is none');
    }
  },
});

export const idErrorChecks: readonly Check[] = [...malformed, acts, queries];
