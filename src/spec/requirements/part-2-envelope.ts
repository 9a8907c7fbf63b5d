import { must, needsSender, vague } from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 2.1: the envelope and its pages, beyond the presence and form of each field. */
export const envelopeRequirements = {
  'envelope.data-present': must('2.1', 'A result carries `data`.', needsSender),
  'envelope.data-object-or-array': must('2.1', '`data` is an object or an array.', needsSender),
  'envelope.item-data-is-object': must(
    '2.1',
    '`data` of a single result is an object.',
    needsSender,
  ),
  'envelope.list-data-is-array': must('2.1', '`data` of a list result is an array.', needsSender),
  'envelope.meta-present': must('2.1', 'A result carries `meta`, an object.', needsSender),
  'envelope.pagination-on-lists': must('2.1', 'A list result carries `pagination`.', needsSender),
  'envelope.pagination-on-lists-only': must(
    '2.1',
    'A result that is no list carries no `pagination`.',
    needsSender,
  ),
  'meta.timestamp.time-of-response': must(
    '2.1',
    '`meta.timestamp` lies between the sending of the request and the arrival of the answer.',
    needsSender,
  ),
  'meta.request-id.not-empty': must(
    '2.1',
    '`meta.request_id` identifies: it is not empty.',
    needsSender,
  ),
  'meta.request-id.distinct': vague(
    '2.1',
    '`meta.request_id` tells requests apart: no two have the same.',
    needsSender,
  ),
  'pagination.page-size.holds': must(
    '2.1',
    'A page holds no more items than `pagination.page_size` says.',
    needsSender,
  ),
  'pagination.page-size.full-before-last': must(
    '2.1',
    'A page that is not the last holds as many items as `pagination.page_size` says.',
    needsSender,
  ),
  'pagination.total-items.counts': must(
    '2.1',
    '`pagination.total_items` is the number of items over all pages.',
    needsSender,
  ),
  'pagination.total-pages.arithmetic': must(
    '2.1',
    '`pagination.total_pages` is the number of pages that so many items of that size fill; of no items it is open.',
    needsSender,
  ),
  'pagination.page.as-asked': must(
    '2.1',
    '`pagination.page` is the page that was asked for, where pages are asked for by number.',
    needsSender,
  ),
  'list.pages-disjoint': must(
    '2.1',
    'No item is on two pages of a list that does not change.',
    needsSender,
  ),
  'list.pages-complete': must(
    '2.1',
    'The pages of a list that does not change hold every item together.',
    needsSender,
  ),
} as const satisfies Record<string, Requirement>;
