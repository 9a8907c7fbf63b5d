import { describe, expect, test } from 'vitest';
import { formatTimestamp } from './forms.ts';
import { listOrderOf } from './paging.ts';

const list = (...seconds: readonly number[]) =>
  seconds.map((second) => ({ created_at: formatTimestamp(second * 1_000) }));

describe('the order of a list', () => {
  test.each([
    ['newest-first', list(6, 5, 4, 3, 2, 1)],
    ['oldest-first', list(1, 2, 3, 3, 4, 5, 6)],
    ['by something else than time', list(1, 2, 3, 6, 5, 4)],
    // Few items may be sorted by chance.
    [undefined, list(5, 4, 3, 2, 1)],
    [undefined, list(5, 5, 4, 4, 3, 2, 1, 1)],
    [undefined, []],
    // Items without a time show no order.
    [undefined, [...list(6, 5, 4, 3, 2, 1), { created_at: 'yesterday' }]],
    [undefined, [...list(6, 5, 4, 3, 2, 1), {}]],
  ])('%s', (order, items) => {
    expect(listOrderOf(items)).toBe(order);
  });

  test('of two items is enough if no more are required', () => {
    expect(listOrderOf(list(2, 1), 2)).toBe('newest-first');
    expect(listOrderOf(list(1, 1), 2)).toBeUndefined();
  });

  test('sorts by the time field of each resource', () => {
    const items = [1, 2, 3, 4, 5, 6].map((second) => {
      const moment = formatTimestamp(second * 1_000);
      return second % 2 ? { submitted_at: moment } : { settled_at: moment };
    });
    expect(listOrderOf(items)).toBe('oldest-first');
  });
});
