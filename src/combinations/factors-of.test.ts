import { expect, test } from 'vitest';
import { FakeTarget } from '../../test/support/oracle/fake-target.ts';
import type { Order } from '../../test/support/oracle/fake-views.ts';
import { context } from '../../test/support/oracle/findings-and-edits.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import { factorsOf } from './factors-of.ts';
import type { PartOfLife } from './factors.ts';

/** The factors of the order that a story answers with, once it has been read at last. */
function factorsAfter(tell: (fake: FakeTarget) => Order): PartOfLife | undefined {
  const fake = new FakeTarget();
  const order = tell(fake);
  fake.read('sender', order);
  return factorsOf(viewOf(fake, context())).get(order.intent_id);
}

test('a plain life', () => {
  const life = factorsAfter((fake) => {
    fake.listen('sender');
    const order = fake.create();
    fake.accept(order, fake.quote('maker_a', order, '0.85', 30_000));
    fake.advance(5_000);
    return order;
  });
  expect(life).toEqual({
    accepter: 'sender',
    rivals: 'none',
    lapsed: 'no',
    'valid-until': 'far',
    'expires-at': 'far',
    proposal: 'left',
    streams: 'whole',
    before: 'first',
    earlier: 'few',
    money: 'usual',
    ending: 'settled',
    beside: 'nothing',
  });
});

test('a custodian accepts one of three quotes in its last second; another has lapsed', () => {
  const life = factorsAfter((fake) => {
    fake.cancel(fake.create());
    const order = fake.create('sender', { target_currency: 'JPY' });
    fake.listen('sender_custodian', order.intent_id);
    fake.quote('maker_b', order, '0.85', 1_000);
    fake.quote('maker_c', order);
    fake.advance(2_000);
    const quote = fake.quote('maker_a', order, '0.85', 900);
    fake.accept(order, quote, 'sender_custodian');
    fake.quote('maker_b', order);
    fake.advance(5_000);
    return order;
  });
  expect(life).toMatchObject({
    accepter: 'custodian',
    rivals: 'several',
    lapsed: 'yes',
    'valid-until': 'last',
    'expires-at': 'far',
    streams: 'limited',
    before: 'unsettled',
    money: 'no-minor-unit',
    beside: 'late-quote',
  });
});

test('nobody accepts, and the order is cancelled', () => {
  const life = factorsAfter((fake) => {
    const order = fake.create('sender', { target_amount: '25000000.00' });
    fake.quote('maker_a', order);
    fake.quote('maker_a', order);
    fake.cancel(order);
    return order;
  });
  expect(life).toMatchObject({
    accepter: 'nobody',
    rivals: 'own',
    lapsed: 'no',
    'valid-until': 'none',
    'expires-at': 'none',
    streams: 'none',
    money: 'large',
    ending: 'cancelled',
  });
});

test('an acceptance that comes after the deadlines, and is refused', () => {
  const life = factorsAfter((fake) => {
    const order = fake.create();
    const quote = fake.quote('maker_a', order, '0.85', 1_000);
    fake.advance(2_000);
    const params = { intent_id: order.intent_id, quote_id: quote.quote_id };
    fake.refuse('sender', 'quote.accept', { params });
    fake.advance(60_000);
    return order;
  });
  expect(life).toMatchObject({
    accepter: 'sender',
    'valid-until': 'after',
    'expires-at': 'far',
    ending: 'expired',
  });
});

test("orders that settle at the same time are beside each other, the sender's own before others", () => {
  const lives = (['sender', 'outsider'] as const).map((by) =>
    factorsAfter((fake) => {
      const other = fake.create(by);
      const order = fake.create();
      fake.accept(other, fake.quote('maker_b', other), by);
      fake.accept(order, fake.quote('maker_a', order));
      fake.advance(5_000);
      fake.read(by, other);
      return order;
    }),
  );
  expect(lives.map((life) => life?.beside)).toEqual(['own-order', 'others-order']);
  expect(lives.map((life) => life?.before)).toEqual(['none-ended', 'first']);
});

test('what a history does not tell stays unknown', () => {
  const life = factorsAfter((fake) => {
    const order = fake.create();
    fake.advance(1_000);
    return order;
  });
  expect(life).toMatchObject({ accepter: 'nobody', ending: undefined, beside: undefined });
});
