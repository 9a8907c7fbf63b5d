import { expect, test } from 'vitest';
import type { GapId } from '../../../spec/gaps/index.ts';
import {
  FakeTarget,
  issued,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';

const names: { readonly [id in GapId]?: string } = {
  'list.page_param': 'page',
  'list.page_size_param': 'page_size',
  'list.first_page': '1',
};
const answers = (gap: GapId) => names[gap];

/** A list of three that answers with none of them, as if there were no pages. */
function nothingTo(query: Record<string, string>): FakeTarget {
  const fake = issued('sender');
  fake.exchange('sender', 'order.list', {
    query,
    answer: () => fake.envelope([], { page: 1, page_size: 20, total_items: 3, total_pages: 1 }),
  });
  return fake;
}

test.each([
  [{}, true],
  [{ page: '1' }, true],
  [{ page_size: '20' }, true],
  [{ page_size: '0' }, false],
  [{ page_size: '-1' }, false],
  [{ page_size: 'x' }, false],
  [{ page: '-1' }, false],
  [{ page: '1.5' }, false],
  [{ status: '' }, false],
])('the pagination of a list with the query %j is judged: %s', (query, judged) => {
  const said = outcomes(nothingTo(query), 'pagination.total-items.counts', { answers });
  expect(said.includes('fail')).toBe(judged);
});

/** Three reads of a list that grows to five. The second was sent after `asked` records. */
function readWhileItGrew(asked: number): FakeTarget {
  const fake = issued('maker_a');
  for (const [total, precededBy] of [
    [5, 1],
    [4, asked],
    [5, 3],
  ] as const) {
    const page = { page: 1, page_size: 1, total_items: total, total_pages: total };
    fake.exchange('maker_a', 'quote.list', {
      query: { page_size: '1' },
      answer: () => fake.envelope([{}], page),
      extra: { precededBy },
    });
  }
  return fake;
}

test.each([
  ['after the first had been answered', 2, true],
  ['before the first was answered', 1, false],
])(
  'a list that counts fewer and more again is at fault where it was read %s',
  (_, asked, found) => {
    const said = outcomes(readWhileItGrew(asked), 'pagination.total-items.counts', { answers });
    expect(said.includes('fail')).toBe(found);
  },
);
