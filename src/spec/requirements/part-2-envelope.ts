import { needs, part, vague } from './needs.ts';

/** Part 2.1: the envelope and its pages, beyond the presence and form of each field. */
export const envelopeRequirements = part('2.1', needs.sender, {
  'envelope.data-present': 'A result carries `data`.',
  'envelope.data-object-or-array': '`data` is an object or an array.',
  'envelope.item-data-is-object': '`data` of a single result is an object.',
  'envelope.list-data-is-array': '`data` of a list result is an array.',
  'envelope.meta-present': 'A result carries `meta`, an object.',
  'envelope.pagination-on-lists': 'A list result carries `pagination`.',
  'envelope.pagination-on-lists-only': 'A result that is no list carries no `pagination`.',
  'meta.timestamp.time-of-response':
    '`meta.timestamp` lies between the sending of the request and the arrival of the answer.',
  'meta.request-id.not-empty': '`meta.request_id` identifies: it is not empty.',
  'meta.request-id.distinct': vague(
    'meta.request_id',
    'same-request',
    '`meta.request_id` tells requests apart: no two have the same.',
  ),
  'pagination.page-size.holds': 'A page holds no more items than `pagination.page_size` says.',
  'pagination.page-size.full-before-last':
    'A page that is not the last holds as many items as `pagination.page_size` says.',
  'pagination.total-items.counts':
    '`pagination.total_items` is the number of items over all pages.',
  'pagination.total-pages.arithmetic':
    '`pagination.total_pages` is the number of pages that so many items of that size fill; of no items it is open.',
  'pagination.page.as-asked':
    '`pagination.page` is the page that was asked for, where pages are asked for by number.',
  'list.pages-disjoint': 'No item is on two pages of a list that does not change.',
  'list.pages-complete': 'The pages of a list that does not change hold every item together.',
});
