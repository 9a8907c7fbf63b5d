import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertRefused,
  createOrder,
  paramsOf,
  quote,
  readOrder,
  retryWhileRefused,
  settledOrder,
  succeeded,
} from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { waits } from '../shared/waits.ts';
import { rows } from '../shared/check-table.ts';

/** Path segments in place of an id: no order can have them. */
const words = ['no-such-thing', '0', 'null', '..%2F..', "'%20OR%201=1"];

/** Variants of a real id that are no UUID: they name nothing. */
function nearly(id: string, { random }: Pick<CheckContext, 'random'>): readonly string[] {
  // A position in the first group of the UUID, before the dash.
  const at = random.below(8);
  return [
    id.slice(0, -1),
    `${id}0`,
    `${id.slice(0, at)}g${id.slice(at + 1)}`,
    `${id.slice(0, 8)}${id.slice(9)}0`,
  ];
}

/** 7: a path whose id is no UUID is refused with a 4xx; a real id is served. */
const reads = rows(
  { endpoint: 'order.read', by: 'sender' },
  { endpoint: 'order.quotes', by: 'sender' },
  { endpoint: 'order.read', by: 'sender_custodian' },
  { endpoint: 'order.quotes', by: 'sender_custodian' },
  { endpoint: 'rfq.read', by: 'maker_a' },
  { endpoint: 'rfq.quotes', by: 'maker_a' },
).map<Check>(({ endpoint, by }) => ({
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
    for (const word of [...words, ...nearly(order.intentId, t)]) {
      const exchange = await party.send(
        'GET',
        endpoints[endpoint].path.replace('{intent_id}', word),
      );
      if (succeeded(exchange) && mayBeEmpty) continue;
      assertRefused(t, 'error.refusal-is-4xx', exchange, 'an id that is no UUID');
    }
  },
}));

/** 7: operations on ids that are no UUIDs are refused, and do not affect a real order. */
const operations: Check = {
  id: 'error.malformed-id.acts',
  title:
    'Operations on ids that are no UUIDs are refused with a 4xx, and leave the order beside alone.',
  requirements: ['error.refusal-is-4xx', 'error.refusal-changes-nothing', 'order.cancel.pending'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { sent, quoteId } = await quote(t, 'maker_a', order);
    await readOrder(t, order);
    const id = order.intentId;
    const accepters = (['sender', 'sender_custodian'] as const).filter(
      (by) => t.target.parties[by],
    );
    const acts = [
      ...['no-such-thing', ...nearly(id, t)].flatMap((wrong) => [
        ['sender', `orders/${wrong}/cancel`, undefined] as const,
        ['maker_a', `quote-requests/${wrong}/quotes`, sent] as const,
      ]),
      ...accepters.flatMap((by) => [
        [by, `orders/${id}/quotes/no-such-thing/accept`, undefined] as const,
        [by, `orders/${id}/quotes/${t.random.pick(nearly(quoteId, t))}/accept`, undefined] as const,
        [by, `orders/${t.random.pick(nearly(id, t))}/quotes/${quoteId}/accept`, undefined] as const,
        [by, 'orders/no-such-thing/quotes/no-such-thing/accept', undefined] as const,
      ]),
      ...accepters
        .filter((by) => by === 'sender_custodian')
        .flatMap((by) =>
          ['no-such-thing', t.random.pick(nearly(id, t))].map(
            (wrong) => [by, `orders/${wrong}/accept`, undefined] as const,
          ),
        ),
    ];
    for (const [by, path, body] of acts) {
      const exchange = await t.party(by).send('POST', `/api/v1/${path}`, body ? { body } : {});
      assertRefused(t, 'error.refusal-is-4xx', exchange, 'an id that is no UUID');
    }
    await readOrder(t, order);
    await cancelOrder(t, order);
  },
};

/** 7: a settlement is read by the id of its order, and by nothing that is none. */
const settlements: Check = {
  id: 'error.malformed-id.settlement.read.maker_a',
  title:
    'A path of settlement.read whose id is no UUID is refused with a 4xx; a real id is served.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.settlement },
  async run(t) {
    const { order } = await settledOrder(t);
    const maker = t.party('maker_a');
    const real = await retryWhileRefused(t, () =>
      maker.call('settlement.read', { params: paramsOf(order) }),
    );
    if (!succeeded(real)) t.notExercised('the real id was not served either', [real]);
    for (const word of [...words, ...nearly(order.intentId, t)]) {
      const exchange = await maker.send('GET', `/api/v1/settlements/${word}`);
      assertRefused(t, 'error.refusal-is-4xx', exchange, 'an id that is no UUID');
    }
  },
};

export const idErrorChecks: readonly Check[] = [...reads, operations, settlements];
