import { must, ordering, vague } from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 2.1: the envelope and its pages, beyond the presence and form of each field. */
export const envelopeRequirements = {
  'envelope.data-present': must('2.1', 'A result carries `data`.', ordering),
  'envelope.data-object-or-array': must('2.1', '`data` is an object or an array.', ordering),
  'envelope.item-data-is-object': must('2.1', '`data` of a single result is an object.', ordering),
  'envelope.list-data-is-array': must('2.1', '`data` of a list result is an array.', ordering),
  'envelope.meta-present': must('2.1', 'A result carries `meta`, an object.', ordering),
  'envelope.pagination-on-lists': must('2.1', 'A list result carries `pagination`.', ordering),
  'envelope.pagination-on-lists-only': must(
    '2.1',
    'A result that is no list carries no `pagination`.',
    ordering,
  ),
  'meta.timestamp.time-of-response': must(
    '2.1',
    '`meta.timestamp` lies between the sending of the request and the arrival of the answer.',
    ordering,
  ),
  'meta.request-id.not-empty': must(
    '2.1',
    '`meta.request_id` identifies: it is not empty.',
    ordering,
  ),
  'meta.request-id.distinct': vague(
    '2.1',
    '`meta.request_id` tells requests apart: no two have the same.',
    ordering,
  ),
  'pagination.page-size.holds': must(
    '2.1',
    'A page holds no more items than `pagination.page_size` says.',
    ordering,
  ),
  'pagination.page-size.full-before-last': must(
    '2.1',
    'A page that is not the last holds as many items as `pagination.page_size` says.',
    ordering,
  ),
  'pagination.total-items.counts': must(
    '2.1',
    '`pagination.total_items` is the number of items over all pages.',
    ordering,
  ),
  'pagination.total-pages.arithmetic': must(
    '2.1',
    '`pagination.total_pages` is the number of pages that so many items of that size fill; of no items it is open.',
    ordering,
  ),
  'pagination.page.as-asked': must(
    '2.1',
    '`pagination.page` is the page that was asked for, where pages are asked for by number.',
    ordering,
  ),
  'list.pages-disjoint': must(
    '2.1',
    'No item is on two pages of a list that does not change.',
    ordering,
  ),
  'list.pages-complete': must(
    '2.1',
    'The pages of a list that does not change hold every item together.',
    ordering,
  ),
} as const satisfies Record<string, Requirement>;
