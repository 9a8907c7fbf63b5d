import { describe, expect, test } from 'vitest';
import {
  edited,
  FakeTarget,
  issued,
  outcomes,
} from '../../test/support/oracle/findings-and-edits.ts';

/** Orders of one kind, all of them read at their end. */
function orders(count: number, end: (fake: FakeTarget) => void): FakeTarget {
  const fake = issued('sender');
  for (let n = 0; n < count; n += 1) end(fake);
  fake.advance(70_000);
  for (const order of fake.orders.values()) fake.read('sender', order);
  return fake;
}

const expired = (fake: FakeTarget): unknown => fake.create();
const cancelled = (fake: FakeTarget): void => fake.cancel(fake.create());

/** Without the reasons of the first few orders that are read. */
const silent = (fake: FakeTarget, count: number) => {
  const few = new Set<unknown>([...fake.orders.keys()].slice(0, count));
  return edited(fake, { at: 'order.read' }, (order) => {
    if (few.has(order['intent_id'])) delete order['failure_reason'];
  });
};

describe('an order that shows no reason', () => {
  test('fails where it expired unquoted, and many others show theirs', () => {
    const requirement = 'order.failure-reason.no-quote';
    expect(outcomes(silent(orders(40, expired), 1), requirement)).toContain('fail');
    for (const few of [0, 10, 40])
      expect(outcomes(silent(orders(40, expired), few), requirement)).not.toContain('fail');
    expect(outcomes(silent(orders(40, expired), 10), requirement)).toContain('warn');
    expect(outcomes(silent(orders(40, expired), 40), requirement)).not.toContain('warn');
  });

  test('fails where it was cancelled, and many others show theirs in the same place', () => {
    const requirement = 'order.failure-reason.user-cancelled';
    const life = (count: number) => silentlyCancelled(orders(count, cancelled));
    expect(outcomes(life(40), requirement)).toContain('fail');
    expect(outcomes(life(10), requirement)).toContain('warn');
    expect(outcomes(life(10), requirement)).not.toContain('fail');
  });
});

/** The first cancelled order shows no reason, an order that expired shows its own. */
function silentlyCancelled(fake: FakeTarget) {
  const [first] = fake.orders.keys();
  const other = fake.create();
  fake.advance(70_000);
  fake.read('sender', other);
  return edited(fake, { at: 'order.read' }, (order) => {
    if (order['intent_id'] === first) delete order['failure_reason'];
  });
}

test('the winning rate in quote_rejected is a finding, unless a losing quote had it too', () => {
  const requirement = 'event.quote-rejected.keeps-winner-secret';
  const told = (winning: string, losing: string) => {
    const fake = issued('sender', 'maker_a', 'maker_b');
    fake.listen('maker_b');
    const order = fake.create();
    fake.quote('maker_b', order, losing);
    fake.accept(order, fake.quote('maker_a', order, winning));
    return edited(fake, { at: 'quote_rejected' }, (payload) => {
      payload['best'] = winning;
    });
  };
  expect(outcomes(told('0.8512', '0.84'), requirement)).toEqual(['fail']);
  expect(outcomes(told('0.8512', '0.8512'), requirement)).toEqual(['pass']);
  expect(outcomes(told('0.85', '0.84'), requirement)).toEqual(['pass']);
});

test('a token with a shorter lifetime than another of its party is a finding', () => {
  const requirement = 'limit.token-lifetime';
  const tokens = (...spans: readonly number[]) => {
    const fake = new FakeTarget();
    let n = 0;
    for (const _ of spans) {
      fake.token('sender');
      fake.advance(1_000);
    }
    return edited(fake, { at: 'token.create' }, (result) => {
      result['expires_in'] = spans[n++];
    });
  };
  expect(outcomes(tokens(3_600, 300), requirement)).toContain('warn');
  expect(outcomes(tokens(300, 300), requirement)).toEqual(['inconclusive', 'inconclusive']);
});
