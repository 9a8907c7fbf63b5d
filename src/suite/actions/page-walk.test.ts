import { describe, expect, it } from 'vitest';
import type { GapId } from '../../spec/gaps/index.ts';
import type { CheckContext } from '../engine/check.ts';
import { type FakeCall, fakeTarget, inCheck } from '../engine/testing.ts';
import { firstAndLastPage, findInList } from './find-in-list.ts';
import { walkAllPages, type PageWalk } from './page-walk.ts';

interface Book {
  items: number;
  readonly pageParam: string;
  readonly firstPage?: number;
  readonly largest?: number;
  /** The item at a place; its number alone if this is absent. */
  readonly item?: (place: number) => object;
  /** Refuses a page beyond the last and a size above the largest. */
  readonly strict?: true;
  /** Called before each answer. */
  readonly before?: (book: Book, call: number) => void;
}

/** A list of numbered items, with the paging parameters of the test. */
function listing(book: Book, answers: Partial<Record<GapId, string>>) {
  let calls = 0;
  const { firstPage = 1, largest = 10 } = book;
  const answer = ({ options }: FakeCall) => {
    book.before?.(book, calls);
    calls += 1;
    const query = options.query ?? {};
    const wanted = Number(query['page_size'] ?? 5);
    const size = Math.min(largest, wanted);
    const asked = query[book.pageParam];
    const start =
      asked === undefined
        ? 0
        : book.pageParam === 'offset'
          ? Number(asked)
          : (Number(asked) - firstPage) * size;
    if (book.strict && (wanted > largest || start >= book.items)) return { status: 422, body: {} };
    const pagination = {
      page: firstPage + Math.floor(start / size),
      page_size: size,
      total_items: book.items,
      total_pages: Math.ceil(book.items / size),
    };
    const shown = Math.max(0, Math.min(size, book.items - start));
    const data = Array.from(
      { length: shown },
      (_, place) => book.item?.(start + place) ?? { intent_id: `${start + place}` },
    );
    return { status: 200, body: { data, pagination } };
  };
  return fakeTarget({ answer, answers });
}

const walked = (target: ReturnType<typeof fakeTarget>): Promise<PageWalk> =>
  inCheck(target, (t) => walkAllPages(t, t.party('sender'), 'order.list'));

const ids = (walk: PageWalk) => walk.items.map((item) => Number(item['intent_id']));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('listAll', () => {
  it.each([
    ['page', 1],
    ['page_no', 0],
    ['offset', 1],
  ] as const)('walks by %s from %d', async (pageParam, firstPage) => {
    const target = listing({ items: 23, pageParam, firstPage }, { 'list.page_param': pageParam });
    const walk = await walked(target);
    expect(ids(walk)).toEqual(upTo(23));
    expect(walk).toMatchObject({ ended: 'whole', steady: true });
    expect(walk.pages).toHaveLength(5);
  });

  it('asks for large pages where it knows how', async () => {
    const answers = { 'list.page_param': 'page', 'list.page_size_param': 'page_size' };
    const target = listing({ items: 23, pageParam: 'page' }, answers);
    expect((await walked(target)).pages).toHaveLength(3);
    expect(target.calls[0]?.options.query).toEqual({ page_size: '100' });
  });

  it('takes the size of the target where it refuses the one that was asked for', async () => {
    const answers = { 'list.page_param': 'page', 'list.page_size_param': 'page_size' } as const;
    const walk = await walked(listing({ items: 23, pageParam: 'page', strict: true }, answers));
    expect(walk).toMatchObject({ ended: 'whole', steady: true });
    expect(ids(walk)).toEqual(upTo(23));
  });

  it('walks again where a page was refused because the list became shorter', async () => {
    const book: Book = {
      items: 11,
      pageParam: 'page',
      strict: true,
      before: (self, call) => {
        if (call === 2) self.items -= 1;
      },
    };
    const walk = await walked(listing(book, { 'list.page_param': 'page' }));
    expect(walk).toMatchObject({ ended: 'whole' });
    expect(ids(walk)).toEqual(upTo(10));
  });

  it('says that it saw one page only where it knows no way to the next', async () => {
    const walk = await walked(listing({ items: 23, pageParam: 'page' }, {}));
    expect(walk).toMatchObject({ ended: 'no-page-parameter' });
    expect(ids(walk)).toEqual(upTo(5));
  });

  it('stops where the same page comes again and again', async () => {
    const target = listing({ items: 23, pageParam: 'other' }, { 'list.page_param': 'page' });
    expect(await walked(target)).toMatchObject({ ended: 'repeated' });
  });

  it('walks again where the list changed meanwhile', async () => {
    const book: Book = {
      items: 12,
      pageParam: 'page',
      before: (self, call) => {
        if (call === 1) self.items += 1;
      },
    };
    const walk = await walked(listing(book, { 'list.page_param': 'page' }));
    expect(walk.steady).toBe(true);
    expect(ids(walk)).toEqual(upTo(13));
  });

  it('does not go on for ever over a list that grows as it is read', async () => {
    const book: Book = {
      items: 12,
      pageParam: 'page',
      before: (self) => {
        self.items += 1;
      },
    };
    expect((await walked(listing(book, { 'list.page_param': 'page' }))).steady).toBe(false);
  });
});

describe('endsOfList', () => {
  const ends = async (book: Book): Promise<readonly number[]> => {
    const target = listing(book, { 'list.page_param': 'page' });
    const first = (t: CheckContext) => firstAndLastPage(t, t.party('sender'), 'order.list');
    return (await inCheck(target, first)).items.map((item) => Number(item['intent_id']));
  };

  it('holds the first page and the last', async () => {
    expect(await ends({ items: 23, pageParam: 'page' })).toEqual([0, 1, 2, 3, 4, 20, 21, 22]);
  });

  it('looks again where the last page is gone by the time it is asked for', async () => {
    const before = (self: Book, call: number): void => {
      if (call === 1) self.items = 9;
    };
    const book: Book = { items: 11, pageParam: 'page', strict: true, before };
    expect(await ends(book)).toEqual(upTo(9));
  });
});

/** A list of what others left, with a few that came during the run, in pages of five to ten. */
async function walkedAmongOld(old: number, order: 'newest-first' | 'oldest-first') {
  const items = old + 3;
  const item = (place: number) => {
    const index = order === 'newest-first' ? items - 1 - place : place;
    const created_at = new Date(946_684_800_000 + index * 1000).toISOString();
    return { intent_id: `${index}`, created_at };
  };
  const named = { 'list.page_param': 'page', 'list.page_size_param': 'page_size' } as const;
  const walk = await walked(listing({ items, pageParam: 'page', item }, named));
  return {
    ended: walk.ended,
    calls: walk.pages.length,
    newest: [0, 1, 2].map((one) => ids(walk).includes(old + one)),
  };
}

describe('a list that is long with what was there before', () => {
  it.each(['newest-first', 'oldest-first'] as const)(
    '%s: as much is read of it however long it is',
    async (order) => {
      const long = await walkedAmongOld(1_500, order);
      expect(long).toEqual({ ended: 'own', calls: long.calls, newest: [true, true, true] });
      expect(long.calls).toBeLessThan(6);
      expect(await walkedAmongOld(100_000, order)).toEqual(long);
    },
  );

  it('a short one is walked over as before', async () => {
    expect((await walkedAmongOld(20, 'newest-first')).ended).toBe('whole');
  });
});

describe('findInList', () => {
  const find = async (wanted: number, items = 1_000, more: Partial<Record<GapId, string>> = {}) => {
    const target = listing({ items, pageParam: 'page' }, { 'list.page_param': 'page', ...more });
    const match = (item: Readonly<Record<string, unknown>>) => item['intent_id'] === `${wanted}`;
    const { ended } = await inCheck(target, (t) =>
      findInList(t, t.party('sender'), 'order.list', match),
    );
    return { ended, calls: target.calls.length };
  };

  it('reads the end with new items first', async () => {
    expect(await find(0)).toEqual({ ended: 'found', calls: 1 });
    expect(await find(999)).toEqual({ ended: 'found', calls: 2 });
    expect((await find(500)).ended).toBe('found');
    expect((await find(2_000)).ended).toBe('whole');
    expect(await find(2_000, 3)).toEqual({ ended: 'whole', calls: 1 });
  });

  it('finds an item near an end of a long list without reading all pages', async () => {
    const sized = {
      'list.page_size_param': 'page_size',
      'list.max_page_size': '10',
    } as const;
    for (const [wanted, calls] of [
      [9_975, 8],
      [25, 8],
    ] as const) {
      expect(await find(wanted, 10_000, sized)).toEqual({ ended: 'found', calls });
    }
    expect((await find(5_000, 10_000, sized)).ended).toBe('found');
  });
});
