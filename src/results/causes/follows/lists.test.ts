import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../history/records.ts';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import type { Failure } from '../../run-report.ts';
import { causesIn, exchange, failed } from '../../../../test/support/made-failures.ts';

describe('the cause of a failure that follows from a list', () => {
  it('is the count of pages by which a list is walked, where the list itself shows that it is wrong', () => {
    const page = (pages: number): Exchange => {
      const pagination = { page: 1, page_size: 1, total_items: 2, total_pages: pages };
      const body = { data: [{ intent_id: 'o' }], meta: {}, pagination };
      return exchange('l', 'order.list', [], { response: { status: 200, headers: {}, body } });
    };
    const short = failed(
      'pagination.total-pages.arithmetic',
      'order.list: total_pages was not it',
      {
        expected: 2,
        actual: 1,
        exchanges: ['l'],
      },
    );
    const failures = [
      short,
      failed('order.list.sender-custodian-included', 'order.list left out an item', {
        exchanges: ['l'],
      }),
      failed('order.list.status-filter.complete', 'order.list left out an item', {
        exchanges: ['l'],
      }),
      failed('pagination.total-items.counts', 'order.list: total_items did not count the items', {
        expected: 1,
        actual: 2,
        exchanges: ['l'],
      }),
    ];
    expect(causesIn(failures, [page(1)])).toMatchObject([
      { place: { endpoint: 'order.list', field: 'pagination.total_pages' } },
    ]);
    expect(causesIn(failures.slice(1), [page(2)])).toMatchObject([
      { place: { endpoint: 'order.list' } },
    ]);
  });

  it('is the paging itself if several lists show it', () => {
    const walked = (requirement: RequirementId, list: string): Failure =>
      failed(requirement, 'all pages together did not hold it', { exchanges: [list] });
    const records = [
      exchange('a', 'order.list', [{ intent_id: 'o' }]),
      exchange('q', 'quote.list', [{ quote_id: 'q' }]),
    ];
    const [cause, more] = causesIn(
      [
        walked('list.pages-complete', 'a'),
        walked('list.pages-disjoint', 'a'),
        walked('list.pages-complete', 'q'),
        walked('quote.list.complete', 'q'),
      ],
      records,
    );
    expect(more).toBeUndefined();
    expect([cause?.place, ...(cause?.also ?? [])].map((place) => place?.endpoint)).toEqual([
      'order.list',
      'quote.list',
    ]);
  });

  it('is the division into pages, for failures of its pagination', () => {
    const ofList = (requirement: RequirementId, message: string, id: string): Failure =>
      failed(requirement, message, { expected: 2, actual: 1, exchanges: [id] });
    const body = {
      data: [{ quote_id: 'q' }],
      meta: {},
      pagination: { page: 1, page_size: 2, total_items: 3, total_pages: 2 },
    };
    const records = ['q', 'r'].map((id) =>
      exchange(id, 'quote.list', [], { response: { status: 200, headers: {}, body } }),
    );
    const walked = ofList('list.pages-complete', 'all pages of quote.list did not hold them', 'q');
    const short = ofList(
      'pagination.page-size.full-before-last',
      'quote.list: a page before the last was not full',
      'r',
    );
    expect(causesIn([walked, short], records)).toHaveLength(1);
  });

  it('is a list that lacks items, for how it counts them', () => {
    const records = ['q', 'r'].map((id) => exchange(id, 'quote.list', []));
    const lacks = (['quote.list.complete', 'quote.list.status-filter.complete'] as const).map(
      (id) => failed(id, 'quote.list left out an item', { exchanges: ['q'] }),
    );
    const counts = failed(
      'pagination.total-items.counts',
      'quote.list: total_items did not count the items',
      { expected: 1, actual: 0, exchanges: ['r'] },
    );
    expect(causesIn([...lacks, counts], records)).toMatchObject([
      { place: { endpoint: 'quote.list' }, failures: [{}, {}, {}] },
    ]);
  });
});
