import { expect, test } from 'vitest';
import type { History } from '../../../history/records.ts';
import { FakeTarget, outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';

const countsOf = [3, 2, 3] as const;

/** Three lists one after the other, of which the second counts one item less. */
function lists(): FakeTarget {
  const fake = new FakeTarget();
  fake.token('sender');
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

/** A page of requests past the end, so long after one was created, that counts so many. */
function pastTheEnd(afterMs: number, total_items: number): readonly string[] {
  const fake = new FakeTarget();
  fake.token('sender');
  fake.token('maker_a');
  const order = fake.create();
  // That makers see it before its sender accepts a proposal is known once one has.
  fake.readRequest('maker_a', order);
  fake.advance(afterMs);
  fake.exchange('maker_a', 'rfq.list', {
    query: { page: '9' },
    answer: () => fake.envelope([], { page: 9, page_size: 20, total_items, total_pages: 1 }),
  });
  return outcomes(fake, 'pagination.total-items.counts').slice(-1);
}

test('a page of requests past the end counts those that are surely open, once views have caught up', () => {
  expect(pastTheEnd(5_000, 0)).toEqual(['fail']);
  expect(pastTheEnd(5_000, 3)).toEqual(['pass']);
  expect(pastTheEnd(100, 0)).toEqual(['pass']);
  // The order has expired.
  expect(pastTheEnd(400_000, 0)).toEqual(['pass']);
});
