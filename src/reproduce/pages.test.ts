import { expect, it } from 'vitest';
import type { Exchange } from '../history/records.ts';
import { exchange as made } from '../../test/support/records.ts';
import { repaged, type Slice } from './slice.ts';

const exchange = (id: string, query: Record<string, string>, more: Partial<Exchange>): Exchange => {
  const path = `/orders?${new URLSearchParams(query).toString()}`;
  return made({ id, query, request: { method: 'GET', path, headers: {} }, ...more });
};

/** The answer to a page of a list. Its parameters have their own names. */
const page = (id: string, number: number, size: number): Exchange =>
  exchange(
    id,
    { status: 'PENDING', per: String(size), at: String(number) },
    {
      endpoint: 'order.list',
      response: {
        status: 200,
        headers: {},
        body: { data: [], pagination: { page: number, page_size: size } },
      },
    },
  );

const sliceWith = (list: Exchange): Slice => ({
  exchanges: [
    ...['a', 'b', 'c'].map((id) => exchange(id, {}, { endpoint: 'order.create' })),
    page('before', 5, 25),
    list,
  ],
  needed: new Set(['l']),
  resumed: new Map(),
});

const pathIn = (slice: Slice | undefined, id: string): string | undefined =>
  slice?.exchanges.find((one) => one.id === id)?.request.path;

it('replaces a later page by the only page of a list, or the second of two', () => {
  const slice = sliceWith(page('l', 6, 25));
  expect(pathIn(repaged(slice, ['l'], 'on one page'), 'l')).toBe(
    '/orders?status=PENDING&per=25&at=1',
  );
  const second = repaged(slice, ['l'], 'on two pages');
  expect(pathIn(second, 'l')).toBe('/orders?status=PENDING&per=2&at=2');
  // A page that is no evidence keeps its query.
  expect(pathIn(second, 'before')).toBe('/orders?status=PENDING&per=25&at=5');
  expect(repaged(slice, ['l'], 'as it was')).toBe(slice);
});

it('keeps a first page, and a page whose number may be its size', () => {
  expect(repaged(sliceWith(page('l', 1, 25)), ['l'], 'on two pages')).toBeUndefined();
  expect(repaged(sliceWith(page('l', 25, 25)), ['l'], 'on one page')).toBeUndefined();
});
