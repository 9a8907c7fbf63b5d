import { ofFields } from './families.ts';
import { needs } from './needs.ts';
import { breach, part, vague } from './statements.ts';

/** Part 2.1: the envelope and its pages, beyond the presence and form of each field. */
export const envelopeRequirements = {
  ...part('2.1', needs.sender, {
    'envelope.data-present': breach('missing', { field: 'data' }).says('A result carries `data`.'),
    'envelope.data-object-or-array': breach('wrong form', { field: 'data' }).says(
      '`data` is an object or an array.',
    ),
    'envelope.item-data-is-object': breach('wrong form', { field: 'data' }).says(
      '`data` of a single result is an object.',
    ),
    'envelope.list-data-is-array': breach('wrong form', { field: 'data' }).says(
      '`data` of a list result is an array.',
    ),
    'envelope.meta-present': breach('missing', { field: 'meta' }).says(
      'A result carries `meta`, an object.',
    ),
    'envelope.pagination-on-lists': breach('missing', { field: 'pagination' }).says(
      'A list result carries `pagination`.',
    ),
    'envelope.pagination-on-lists-only': breach('too much', { field: 'pagination' }).says(
      'A result that is no list carries no `pagination`.',
    ),
  }),
  ...ofFields('meta', '2.1', needs.sender, {
    timestamp: {
      'time-of-response':
        '`meta.timestamp` lies between the sending of the request and the arrival of the answer.',
    },
    request_id: {
      'not-empty': breach('wrong form').says('`meta.request_id` identifies: it is not empty.'),
      distinct: vague('meta.request_id', 'same-request').says(
        '`meta.request_id` tells requests apart: no two have the same.',
      ),
    },
  }),
  ...ofFields('pagination', '2.1', needs.sender, {
    page_size: {
      holds: 'A page holds no more items than `pagination.page_size` says.',
      'full-before-last':
        'A page that is not the last holds as many items as `pagination.page_size` says.',
    },
    total_items: { counts: '`pagination.total_items` is the number of items over all pages.' },
    total_pages: {
      arithmetic:
        '`pagination.total_pages` is the number of pages that so many items of that size fill; of no items it is open.',
    },
    page: {
      'as-asked':
        '`pagination.page` is the page that was asked for, where pages are asked for by number.',
    },
  }),
  ...part('2.1', needs.sender, {
    'list.pages-disjoint': breach('too much').says(
      'No item is on two pages of a list that does not change.',
    ),
    'list.pages-complete': breach('left out').says(
      'The pages of a list that does not change hold every item together.',
    ),
  }),
};
