import { silence } from './gap.ts';

export const listGaps = {
  'list.page_param': silence('4.5', {
    question: 'Which query parameter asks for a page?',
    values: ['page', 'page_number', 'offset'],
    others: 'any name; an item offset or a cursor instead of a page number; no paging at all',
    because: 'The answer carries `page`, so a client would try that name first.',
    observe:
      'ask for the second page under each usual name and see whether `pagination.page` follows',
  }),
  'list.page_size_param': silence('4.5', {
    question: 'Which query parameter asks for a page size?',
    values: ['page_size', 'per_page', 'limit'],
    others: 'any name; a fixed size',
    because: 'The answer carries `page_size`.',
    observe:
      'ask for a size of one or two under each usual name and see whether `pagination.page_size` follows',
  }),
  'list.first_page': silence('2.1', {
    question: 'What is the number of the first page?',
    values: ['1', '0'],
    others: 'any number; an opaque cursor',
    because: 'People count pages from one.',
    observe: 'read `pagination.page` of a list asked for without a page',
  }),
  'list.max_page_size': silence('8', {
    question: 'How large may a page be?',
    values: ['100', '10', '1000'],
    others: 'any bound, or none',
    because: 'A hundred rows fit one screenful of a table and one small answer.',
    observe: 'ask for a very large page and read `pagination.page_size`',
  }),
  'list.oversize': silence('8', {
    question: 'What answers a page size above the largest?',
    values: ['clamp', 'refuse'],
    because: '`pagination.page_size` tells the client what it got.',
    observe: 'ask for a very large page',
  }),
  'list.past_end': silence('4.5', {
    question: 'What answers a page beyond the last?',
    values: ['empty', 'refuse'],
    others: 'the last page again',
    because: 'A client that walks until an empty page always ends.',
    observe: 'ask for a page far beyond `total_pages`',
  }),
  'list.order': silence('4.5', {
    question: 'In which order do lists come?',
    values: ['newest-first', 'oldest-first'],
    others: 'any order that is stable while nothing changes',
    because: 'What a person looks for is most often what came last.',
    observe: 'create two items and see which comes first',
  }),
  'list.empty_total_pages': silence('2.1', {
    question: 'How many pages has an empty list?',
    values: ['0', '1'],
    because: 'Items divided by size, rounded up.',
    observe: 'read `total_pages` of a list with no items',
  }),
  'list.unknown_status': silence('4.5', {
    question: 'What answers a status filter that is no state?',
    values: ['refuse', 'empty', 'ignore'],
    because: 'A misspelled filter that reads as "none found" misleads.',
    observe: 'filter by a word that is no state',
  }),
  'list.other_filters': silence('4.5', {
    question: 'Which filters beside `status` are there?',
    values: ['none', 'currency'],
    others: 'any',
    because: 'The document uses no other.',
    observe: 'not observed: an unknown filter is not sent',
  }),
};
