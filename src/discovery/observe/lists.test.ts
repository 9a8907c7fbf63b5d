import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import { exchange } from '../../../test/support/records.ts';
import { observeLists } from './lists.ts';

const ids = ['a', 'b', 'c'];

/** The answer to one list of three orders, the `n`-th of the history. */
const listed = (
  n: number,
  query: Record<string, string>,
  page: number,
  shown: readonly string[],
): Exchange => {
  const size = query['page_size'] === undefined ? 20 : 1;
  const pagination = { page, page_size: size, total_items: 3, total_pages: Math.ceil(3 / size) };
  const body = { data: shown.map((intent_id) => ({ intent_id })), pagination };
  const response = { status: 200, headers: {}, body };
  return exchange({ endpoint: 'order.list', query, response, at: n, precededBy: n });
};

const pageParams = (query: Record<string, string>, page: number, shown: readonly string[]) =>
  [
    ...observeLists([
      listed(1, {}, 1, ids),
      listed(2, { page_size: '1' }, 1, ['a']),
      listed(3, { page_size: '1', ...query }, page, shown),
    ]),
  ]
    .filter(({ gap }) => gap === 'list.page_param')
    .map(({ answer }) => answer);

describe('the parameter that asks for a page', () => {
  it.each([
    ['is followed by the number of the page', { page: '2' }, 2, ['b'], ['page']],
    [
      'moves the items, whatever number the page says that it has',
      { page: '2' },
      1,
      ['b'],
      ['page'],
    ],
    ['may say how many items to leave out', { skip: '2' }, 3, ['c'], ['skip']],
    ['may do so on pages that all have one number', { offset: '2' }, 1, ['c'], ['offset']],
    ['is not one that moves nothing', { page: '2' }, 1, ['a'], []],
  ] as const)('%s', (_, query, page, shown, wanted) => {
    expect(pageParams(query, page, shown)).toEqual(wanted);
  });
});

it('learns nothing about a page past the end from a number beyond 32 bits', () => {
  const refused = (n: number, page: string): Exchange =>
    exchange({
      endpoint: 'order.list',
      query: { page },
      response: { status: 400, headers: {}, body: {} },
      at: n,
      precededBy: n,
    });
  const answersTo = (page: string) =>
    [...observeLists([listed(1, {}, 1, ids), listed(2, { page: '2' }, 2, []), refused(3, page)])]
      .filter(({ gap }) => gap === 'list.past_end')
      .map(({ answer }) => answer);
  expect(answersTo('900001')).toEqual(['refuse']);
  expect(answersTo('99999999999')).toEqual([]);
});
