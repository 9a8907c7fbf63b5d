import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CastName } from '../spec/requirements/index.ts';
import { judge } from './testing.ts';
import { World } from './testing/world.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;
const rates = ['0.85', '0.9', '1', '1.25', '0.8333'] as const;

const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const) }),
  fc.record({
    do: fc.constant('quote' as const),
    maker: fc.constantFrom(...makers),
    order: fc.nat(),
    rate: fc.constantFrom(...rates),
    validMs: fc.constantFrom(4_000, 15_000, 50_000),
  }),
  fc.record({
    do: fc.constant('accept' as const),
    order: fc.nat(),
    quote: fc.nat(),
    by: fc.constantFrom<CastName>('sender', 'sender_custodian'),
  }),
  fc.record({ do: fc.constant('cancel' as const), order: fc.nat() }),
  fc.record({
    do: fc.constant('look' as const),
    order: fc.nat(),
    by: fc.constantFrom<CastName>('sender', 'sender_custodian', 'receiver_custodian'),
  }),
  fc.record({ do: fc.constant('list' as const), size: fc.constantFrom(1, 2, 20) }),
  fc.record({
    do: fc.constant('wait' as const),
    ms: fc.constantFrom(100, 700, 3_500, 12_000, 45_000),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function live(steps: readonly Step[], latency: number): World {
  const world = new World({ latency });
  const listeners: readonly CastName[] = [
    'sender',
    'sender_custodian',
    'receiver_custodian',
    'outsider',
    ...makers,
  ];
  for (const party of listeners) {
    world.token(party);
    world.listen(party);
  }
  const quotes = new Map<string, ReturnType<World['quote']>[]>();
  for (const each of steps) {
    const orders = [...world.orders.values()];
    const order = 'order' in each ? orders[each.order % Math.max(1, orders.length)] : undefined;
    if (each.do === 'create') world.create();
    else if (each.do === 'wait') world.advance(each.ms);
    else if (each.do === 'list') {
      world.list('sender', 'order.list', { size: each.size });
      for (const maker of makers) {
        world.list(maker, 'rfq.list', { size: each.size });
        world.list(maker, 'quote.list', { size: each.size });
        world.list(maker, 'settlement.list', { size: each.size });
      }
    } else if (!order) continue;
    else if (each.do === 'look') {
      world.read(each.by, order);
      if (each.by === 'receiver_custodian') continue;
      world.list(each.by, 'order.quotes', { params: { intent_id: order.intent_id } });
    } else if (each.do === 'quote') {
      if (order.status !== 'PENDING' || margin(world, order.expires_at) < 500) continue;
      const quote = world.quote(each.maker, order, each.rate, each.validMs);
      quotes.set(order.intent_id, [...(quotes.get(order.intent_id) ?? []), quote]);
    } else if (each.do === 'cancel') {
      if (order.status === 'PENDING' || order.status === 'QUOTED') world.cancel(order);
    } else {
      const open = (quotes.get(order.intent_id) ?? []).filter(
        (quote) =>
          quote['status'] === 'PENDING' && margin(world, String(quote['valid_until'])) > 6_000,
      );
      const quote = open[each.quote % Math.max(1, open.length)];
      if (quote && order.status === 'PENDING' && margin(world, order.expires_at) > 500) {
        world.accept(order, quote, each.by);
      }
    }
  }
  world.advance(8_000);
  for (const order of world.orders.values()) world.read('sender', order);
  return world;
}

const margin = (world: World, moment: string): number => Date.parse(moment) - world.now;

test('no legal life is blamed for anything', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
      fc.constantFrom(0, 2, 120),
      (steps, latency) => {
        const blamed = judge(live([{ do: 'create' }, ...steps], latency)).filter(
          ({ outcome }) => outcome === 'fail' || outcome === 'warn',
        );
        expect(blamed).toEqual([]);
      },
    ),
    { numRuns: 60, seed: 20260302 },
  );
});
