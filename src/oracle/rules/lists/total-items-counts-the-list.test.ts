import { expect, test } from 'vitest';
import type { History } from '../../../history/records.ts';
import {
  FakeTarget,
  issued,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';

const countsOf = [3, 2, 3] as const;

/** Three reads of a list in a row. The second counts one item less. */
function lists(): FakeTarget {
  const fake = issued('sender');
  for (const total_items of countsOf) {
    fake.exchange('sender', 'order.list', {
      answer: () => fake.envelope([], { page: 1, page_size: 20, total_items, total_pages: 1 }),
    });
  }
  return fake;
}

/** The same, all asked for before the first was answered. */
function concurrently({ records }: History): History {
  const first = records.length - countsOf.length;
  return {
    records: records.map((record, place) =>
      record.kind === 'exchange' && place > first ? { ...record, precededBy: first } : record,
    ),
  };
}

const said = (history: History) =>
  outcomes(history, 'pagination.total-items.counts').filter((outcome) => outcome === 'fail').length;

test('a page between two others that count as many as one another must count so too', () => {
  // Each of them holds none of the items that it counts, as one and the same page.
  const alone = said(concurrently(lists()));
  expect(said(lists())).toBe(alone + 1);
});

interface PastTheEnd {
  readonly afterMs?: number;
  readonly total_items?: number;
  readonly page?: number;
  readonly query?: Readonly<Record<string, string>>;
  readonly by?: 'maker_a' | 'sender';
}

/** Outcomes for an empty page of the request list, read some time after a request was made. */
function pastTheEnd({
  afterMs = 5_000,
  total_items = 0,
  page = 9,
  query = {},
  by = 'maker_a',
}: PastTheEnd): readonly string[] {
  const fake = issued('sender');
  fake.token('maker_a');
  const order = fake.create();
  // Makers may see an order only once a proposal is accepted. This read shows that one sees it.
  fake.readRequest('maker_a', order);
  fake.advance(afterMs);
  fake.exchange(by, 'rfq.list', {
    query: { page: String(page), ...query },
    answer: () => fake.envelope([], { page, page_size: 20, total_items, total_pages: 1 }),
  });
  return outcomes(fake, 'pagination.total-items.counts', {
    answers: (gap) => (gap === 'list.first_page' ? '1' : undefined),
  });
}

test('a page of requests past the end counts those that are surely open', () => {
  expect(pastTheEnd({ total_items: 0 })).toEqual(['pass', 'fail']);
  expect(pastTheEnd({ total_items: 3 })).toEqual(['pass']);
});

test.each<[string, PastTheEnd]>([
  ['the view of the list may lag', { afterMs: 100 }],
  ['the request has expired', { afterMs: 400_000 }],
  ['it is a number before the first', { page: 0 }],
  ['it may be of a filtered list', { query: { status: 'EXPIRED' } }],
  ['the list is not for who asked', { by: 'sender' }],
])('an empty page of requests is not judged if %s', (_, how) => {
  expect(pastTheEnd(how)).toEqual(['pass']);
});
