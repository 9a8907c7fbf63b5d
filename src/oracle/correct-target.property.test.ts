import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CastName } from '../spec/requirements/index.ts';
import { judge } from '../../test/support/oracle/findings-and-edits.ts';
import { FakeTarget } from '../../test/support/oracle/fake-target.ts';

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

function live(steps: readonly Step[], latency: number): FakeTarget {
  const fake = new FakeTarget({ latency });
  const listeners: readonly CastName[] = [
    'sender',
    'sender_custodian',
    'receiver_custodian',
    'outsider',
    ...makers,
  ];
  for (const party of listeners) {
    fake.token(party);
    fake.listen(party);
  }
  const quotes = new Map<string, ReturnType<FakeTarget['quote']>[]>();
  for (const each of steps) {
    const orders = [...fake.orders.values()];
    const order = 'order' in each ? orders[each.order % Math.max(1, orders.length)] : undefined;
    if (each.do === 'create') fake.create();
    else if (each.do === 'wait') fake.advance(each.ms);
    else if (each.do === 'list') {
      fake.list('sender', 'order.list', { size: each.size });
      for (const maker of makers) {
        fake.list(maker, 'rfq.list', { size: each.size });
        fake.list(maker, 'quote.list', { size: each.size });
        fake.list(maker, 'settlement.list', { size: each.size });
      }
    } else if (!order) continue;
    else if (each.do === 'look') {
      fake.read(each.by, order);
      if (each.by === 'receiver_custodian') continue;
      fake.list(each.by, 'order.quotes', { params: { intent_id: order.intent_id } });
    } else if (each.do === 'quote') {
      if (order.status !== 'PENDING' || margin(fake, order.expires_at) < 500) continue;
      const quote = fake.quote(each.maker, order, each.rate, each.validMs);
      quotes.set(order.intent_id, [...(quotes.get(order.intent_id) ?? []), quote]);
    } else if (each.do === 'cancel') {
      if (order.status === 'PENDING' || order.status === 'QUOTED') fake.cancel(order);
    } else {
      const open = (quotes.get(order.intent_id) ?? []).filter(
        (quote) =>
          quote['status'] === 'PENDING' && margin(fake, String(quote['valid_until'])) > 6_000,
      );
      const quote = open[each.quote % Math.max(1, open.length)];
      if (quote && order.status === 'PENDING' && margin(fake, order.expires_at) > 500) {
        fake.accept(order, quote, each.by);
      }
    }
  }
  fake.advance(8_000);
  for (const order of fake.orders.values()) fake.read('sender', order);
  return fake;
}

const margin = (fake: FakeTarget, instant: string): number => Date.parse(instant) - fake.now;

test('no legal life is blamed for anything', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
      fc.constantFrom(0, 2, 120),
      (steps, latency) => {
        const violations = judge(live([{ do: 'create' }, ...steps], latency)).filter(
          ({ outcome }) => outcome === 'fail' || outcome === 'warn',
        );
        expect(violations).toEqual([]);
      },
    ),
    { numRuns: 30, seed: 20260302 },
  );
});
