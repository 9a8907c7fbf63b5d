import { silence } from './gap.ts';

export const listGaps = {
  'list.page_param': silence('4.5', {
    question: 'Which query parameter asks for a page?',
    values: ['page', 'page_number', 'offset'],
    others: 'any name; an item offset or a cursor instead of a page number; no paging at all',
    because: 'The answer carries `page`, so a client would try that name first.',
    observe:
      'ask for the second page under each usual name and see whether `pagination.page` follows',
    risk: 'asks for pages by `{own}` where `{other}` is wanted: it may get the first page each time, or a refusal',
  }),
  'list.page_size_param': silence('4.5', {
    question: 'Which query parameter asks for a page size?',
    values: ['page_size', 'per_page', 'limit'],
    others: 'any name; a fixed size',
    because: 'The answer carries `page_size`.',
    observe:
      'ask for a size of one or two under each usual name and see whether `pagination.page_size` follows',
    risk: 'asks for a page size by `{own}` where `{other}` is wanted: pages come in a size that it did not choose',
  }),
  'list.first_page': silence('2.1', {
    question: 'What is the number of the first page?',
    values: ['1', '0'],
    others: 'any number; an opaque cursor',
    because: 'People count pages from one.',
    observe: 'read `pagination.page` of a list asked for without a page',
    risk: 'begins at page {own} where the first is {other}: it skips a page, asks for one that is none, or reads one twice',
  }),
  'list.max_page_size': silence('8', {
    question: 'How large may a page be?',
    values: ['100', '10', '1000'],
    others: 'any bound, or none',
    because: 'A hundred rows fit one screenful of a table and one small answer.',
    observe: 'ask for a very large page and read `pagination.page_size`',
    risk: 'counts on pages of up to {own} where {other} is the most: pages are shorter than it asked for, or larger than it expects',
  }),
  'list.oversize': silence('8', {
    question: 'What answers a page size above the largest?',
    values: ['clamp', 'refuse'],
    because: '`pagination.page_size` tells the client what it got.',
    observe: 'ask for a very large page',
    risk: 'expects `{own}` for a page size that is too large, and meets `{other}`',
  }),
  'list.past_end': silence('4.5', {
    question: 'What answers a page beyond the last?',
    values: ['empty', 'refuse'],
    others: 'the last page again',
    because: 'A client that walks until an empty page always ends.',
    observe: 'ask for a page far beyond `total_pages`',
    risk: 'takes `{own}` as the sign that a list has ended, and meets `{other}`: its walk over the pages ends otherwise, or not at all',
  }),
  'list.order': silence('4.5', {
    question: 'In which order do lists come?',
    values: ['newest-first', 'oldest-first'],
    others: 'any order that is stable while nothing changes',
    because: 'What a person looks for is most often what came last.',
    observe: 'create two items and see which comes first',
    risk: 'expects lists `{own}` and gets them `{other}`: what it takes for the latest may be the oldest',
  }),
  'list.empty_total_pages': silence('2.1', {
    question: 'How many pages has an empty list?',
    values: ['0', '1'],
    because: 'Items divided by size, rounded up.',
    observe: 'read `total_pages` of a list with no items',
    risk: 'expects {own} pages of an empty list and reads {other}: a loop over pages runs once too often, or not at all',
  }),
  'list.unknown_status': silence('4.5', {
    question: 'What answers a status filter that is no state?',
    values: ['refuse', 'empty', 'ignore'],
    because: 'A misspelled filter that reads as "none found" misleads.',
    observe: 'filter by a word that is no state',
    risk: 'expects `{own}` for a status filter that is none, and meets `{other}`: a slip in a filter shows in another way, or not at all',
  }),
  'list.other_filters': silence('4.5', {
    question: 'Which filters beside `status` are there?',
    values: ['none', 'currency'],
    others: 'any',
    because: 'The document uses no other.',
    observe: 'not observed: an unknown filter is not sent',
    risk: 'filters by `{own}` where there is `{other}`: it may get items that it meant to leave out',
  }),
};
