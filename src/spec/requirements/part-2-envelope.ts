import { about, breach, needs, of, part, vague } from './needs.ts';

/** Part 2.1: the envelope and its pages, beyond the presence and form of each field. */
export const envelopeRequirements = {
  ...about({ field: 'data' }, 'envelope')('2.1', needs.sender, {
    'data-present': breach('missing')('A result carries `data`.'),
    'data-object-or-array': breach('wrong form')('`data` is an object or an array.'),
    'item-data-is-object': breach('wrong form')('`data` of a single result is an object.'),
    'list-data-is-array': breach('wrong form')('`data` of a list result is an array.'),
  }),
  ...part('2.1', needs.sender, {
    'envelope.meta-present': breach('missing', 'meta')('A result carries `meta`, an object.'),
    'envelope.pagination-on-lists': breach(
      'missing',
      'pagination',
    )('A list result carries `pagination`.'),
    'envelope.pagination-on-lists-only': breach(
      'too much',
      'pagination',
    )('A result that is no list carries no `pagination`.'),
    'meta.timestamp.time-of-response': of('meta.timestamp')(
      '`meta.timestamp` lies between the sending of the request and the arrival of the answer.',
    ),
  }),
  ...about({ field: 'meta.request_id' }, 'meta.request-id')('2.1', needs.sender, {
    'not-empty': breach('wrong form')('`meta.request_id` identifies: it is not empty.'),
    distinct: vague('meta.request_id', 'same-request').says(
      '`meta.request_id` tells requests apart: no two have the same.',
    ),
  }),
  ...part('2.1', needs.sender, {
    'pagination.page-size.holds': of('pagination.page_size')(
      'A page holds no more items than `pagination.page_size` says.',
    ),
    'pagination.page-size.full-before-last': of('pagination.page_size')(
      'A page that is not the last holds as many items as `pagination.page_size` says.',
    ),
    'pagination.total-items.counts': of('pagination.total_items')(
      '`pagination.total_items` is the number of items over all pages.',
    ),
    'pagination.total-pages.arithmetic': of('pagination.total_pages')(
      '`pagination.total_pages` is the number of pages that so many items of that size fill; of no items it is open.',
    ),
    'pagination.page.as-asked': of('pagination.page')(
      '`pagination.page` is the page that was asked for, where pages are asked for by number.',
    ),
    'list.pages-disjoint': breach('too much')(
      'No item is on two pages of a list that does not change.',
    ),
    'list.pages-complete': breach('left out')(
      'The pages of a list that does not change hold every item together.',
    ),
  }),
};
