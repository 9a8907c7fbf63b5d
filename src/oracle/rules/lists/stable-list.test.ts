import { expect, test } from 'vitest';
import {
  fails,
  FakeTarget,
  issued,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';
import type { Json, Order } from '../../../../test/support/oracle/fake-views.ts';

const size = 6;

/** One page of a list with these orders. */
function page(fake: FakeTarget, items: readonly Json[], number: number, filter = {}): void {
  const paging = {
    page: number,
    page_size: size,
    total_items: items.length,
    total_pages: Math.ceil(items.length / size),
  };
  const shown = items.slice((number - 1) * size, number * size).map((item) => ({ ...item }));
  fake.exchange('sender', 'order.list', {
    query: { ...filter, ...(number > 1 && { page: String(number) }) },
    answer: () => fake.envelope(shown, paging),
  });
}

/** Two pages of orders, newest first. The last order of the first page is accepted in between. */
function walked(arranged: (orders: readonly Order[]) => readonly Json[]): FakeTarget {
  const fake = issued('sender');
  const orders = Array.from({ length: 2 * size }, () => {
    fake.advance(10);
    return fake.create();
  }).toReversed();
  page(fake, arranged(orders), 1);
  const moved = orders[size + 1];
  if (!moved) throw new Error('too few orders');
  fake.accept(moved, fake.quote('maker_a', moved, '1'));
  page(fake, arranged(orders), 2);
  fake.advance(30_000);
  page(fake, arranged(orders), 1);
  return fake;
}

const disjoint = 'list.pages-disjoint';
const changed = ({ status }: Json): number => (status === 'PENDING' ? 1 : 0);

test('a list in order of time is the same whatever becomes of its orders, and may not repeat one', () => {
  const steady = walked((orders) => orders);
  expect(outcomes(steady, disjoint)).toContain('pass');
  const repeating = walked((orders) => {
    const accepted = orders.some(({ status }) => status !== 'PENDING');
    return accepted ? [orders[0] ?? {}, ...orders.slice(0, -1)] : orders;
  });
  expect(fails(repeating, disjoint)).toBe(true);
});

test('a list by the last change may look so while nothing has changed, and repeat an order then', () => {
  const byChange = walked((orders) => orders.toSorted((a, b) => changed(a) - changed(b)));
  expect(fails(byChange, disjoint)).toBe(false);
});

const settled = { status: 'SETTLED' } as const;

/** Walks over two pages of settled orders while others are created. Some repeat the first page. */
function walksOfSettled(repeating: (walk: number) => boolean): FakeTarget {
  const fake = issued('sender');
  const orders = Array.from({ length: 2 * size }, () => {
    fake.advance(10);
    return { ...fake.create(), ...settled };
  });
  for (let walk = 0; walk < 6; walk += 1) {
    page(fake, orders, 1, settled);
    fake.create();
    page(fake, repeating(walk) ? [...orders].reverse() : orders, 2, settled);
  }
  return fake;
}

test.each<[string, (walk: number) => boolean, boolean]>([
  ['in no walk', () => false, false],
  ['in all walks', () => true, true],
  // It may have been counted in between.
  ['in one walk', (walk) => walk === 2, false],
])('pages of what has ended, which stays listed, repeat an item %s', (_, repeating, isFailing) => {
  expect(fails(walksOfSettled(repeating), disjoint)).toBe(isFailing);
});

test('what becomes of other orders meanwhile disturbs no list of the quotes of one', () => {
  const listOfQuotes = (repeats: boolean): FakeTarget => {
    const fake = issued('sender');
    const order = fake.create();
    const [first, second] = [fake.quote('maker_a', order, '1'), fake.quote('maker_b', order, '2')];
    const paging = { page_size: 1, total_items: 2, total_pages: 2 };
    const quotes = [first, repeats ? first : second];
    for (const [index, quote] of quotes.entries()) {
      fake.exchange('sender', 'order.quotes', {
        params: { intent_id: order.intent_id },
        query: index === 0 ? {} : { page: '2' },
        answer: () => fake.envelope([{ ...quote }], { page: index + 1, ...paging }),
      });
      fake.create();
    }
    return fake;
  };
  expect([true, false].map((repeats) => fails(listOfQuotes(repeats), disjoint))).toEqual([
    true,
    false,
  ]);
});

test('a list of requests that is asked for under the id of an order is no list of that order', () => {
  const fake = issued('maker_a');
  const { intent_id } = fake.create();
  const paging = { page_size: 1, total_items: 2, total_pages: 2 };
  for (const number of [1, 2]) {
    fake.exchange('maker_a', 'rfq.list', {
      params: { intent_id },
      query: number === 1 ? {} : { page: '2' },
      answer: () => fake.envelope([{ intent_id }], { page: number, ...paging }),
    });
    fake.create();
  }
  expect(fails(fake, disjoint)).toBe(false);
});

test.each([
  ['as many new orders came before it', 12, false],
  ['none came', 0, true],
])('a page shows the orders of the page before it once more, and %s', (_, created, isFailing) => {
  const fake = issued('sender');
  const newestFirst = (number: number): readonly Order[] =>
    Array.from({ length: number }, () => fake.create()).toReversed();
  const first = newestFirst(36);
  const list = (shown: readonly Order[], number: number, total: number): void => {
    const paging = { page: number, page_size: 12, total_items: total, total_pages: total / 12 };
    fake.exchange('sender', 'order.list', {
      query: { page_size: '12', ...(number > 1 && { page: String(number) }) },
      answer: () => fake.envelope(shown, paging),
    });
  };
  list(first.slice(0, 12), 1, first.length);
  fake.advance(5_000);
  newestFirst(created);
  list(first.slice(0, 12), 2, first.length + created);
  expect(fails(fake, disjoint)).toBe(isFailing);
});
