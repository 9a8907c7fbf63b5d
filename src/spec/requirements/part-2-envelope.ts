import { needs } from './needs.ts';
import { breach, ofField, part, vague } from './statements.ts';

/** Part 2.1: the envelope and its pages, beyond the presence and form of each field. */
export const envelopeRequirements = {
  ...part('2.1', needs.sender, {
    'envelope.data-present': breach('missing', { field: 'data' })('A result carries `data`.'),
    'envelope.data-object-or-array': breach('wrong form', { field: 'data' })(
      '`data` is an object or an array.',
    ),
    'envelope.item-data-is-object': breach('wrong form', { field: 'data' })(
      '`data` of a single result is an object.',
    ),
    'envelope.list-data-is-array': breach('wrong form', { field: 'data' })(
      '`data` of a list result is an array.',
    ),
    'envelope.meta-present': breach('missing', { field: 'meta' })(
      'A result carries `meta`, an object.',
    ),
    'envelope.pagination-on-lists': breach('missing', { field: 'pagination' })(
      'A list result carries `pagination`.',
    ),
    'envelope.pagination-on-lists-only': breach('too much', { field: 'pagination' })(
      'A result that is no list carries no `pagination`.',
    ),
    'meta.timestamp.time-of-response': ofField('meta.timestamp')(
      '`meta.timestamp` lies between the sending of the request and the arrival of the answer.',
    ),
    'meta.request-id.not-empty': breach('wrong form', { field: 'meta.request_id' })(
      '`meta.request_id` identifies: it is not empty.',
    ),
    'meta.request-id.distinct': vague('meta.request_id', 'same-request', {
      about: { field: 'meta.request_id' },
    }).says('`meta.request_id` tells requests apart: no two have the same.'),
    'pagination.page-size.holds': ofField('pagination.page_size')(
      'A page holds no more items than `pagination.page_size` says.',
    ),
    'pagination.page-size.full-before-last': ofField('pagination.page_size')(
      'A page that is not the last holds as many items as `pagination.page_size` says.',
    ),
    'pagination.total-items.counts': ofField('pagination.total_items')(
      '`pagination.total_items` is the number of items over all pages.',
    ),
    'pagination.total-pages.arithmetic': ofField('pagination.total_pages')(
      '`pagination.total_pages` is the number of pages that so many items of that size fill; of no items it is open.',
    ),
    'pagination.page.as-asked': ofField('pagination.page')(
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
