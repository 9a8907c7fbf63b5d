import { expect } from 'vitest';
import { many, memos, paged, type Probes } from './gap-probes.ts';

/** Lists (2.1, 4). */
export const probesOfLists = {
  'list.page_param': {
    see: (desk) => {
      many(desk, 3);
      return ['page', 'page_number', 'offset'].map((name) =>
        memos(desk, { [name]: '2', page_size: '1' }).join(),
      );
    },
    shows: { page: ['1', '2', '2'], page_number: ['2', '1', '2'], offset: ['2', '2', '0'] },
  },
  'list.page_size_param': {
    see: (desk) => {
      many(desk, 3);
      return ['page_size', 'per_page', 'limit'].map((name) => memos(desk, { [name]: '2' }).length);
    },
    shows: { page_size: [2, 3, 3], per_page: [3, 2, 3], limit: [3, 3, 2] },
  },
  'list.first_page': {
    see: (desk) => {
      many(desk, 2);
      return [paged(desk, {}), desk.code('sender', 'order.list', {}, { query: { page: '0' } })];
    },
    shows: {
      '1': [{ page: 1, page_size: 20, total_items: 2, total_pages: 1 }, 'invalid_query'],
      '0': [{ page: 0, page_size: 20, total_items: 2, total_pages: 1 }, 'ok'],
    },
  },
  'list.max_page_size': {
    see: (desk) => paged(desk, { page_size: '5000' }),
    shows: {
      '100': expect.objectContaining({ page_size: 100 }),
      '10': expect.objectContaining({ page_size: 10 }),
      '1000': expect.objectContaining({ page_size: 1000 }),
    },
  },
  'list.oversize': {
    see: (desk) => paged(desk, { page_size: '101' }),
    shows: { clamp: expect.objectContaining({ page_size: 100 }), refuse: 'invalid_query' },
  },
  'list.past_end': {
    see: (desk) => [
      desk.code('sender', 'order.list', {}, { query: { page: '2' } }),
      desk.code('sender', 'order.list'),
    ],
    shows: { empty: ['ok', 'ok'], refuse: ['invalid_query', 'ok'] },
  },
  'list.order': {
    see: (desk) => {
      many(desk, 3);
      return memos(desk, {}).join();
    },
    shows: { 'newest-first': '2,1,0', 'oldest-first': '0,1,2' },
  },
  'list.empty_total_pages': {
    see: (desk) => paged(desk, {}),
    shows: {
      '0': expect.objectContaining({ total_pages: 0 }),
      '1': expect.objectContaining({ total_pages: 1 }),
    },
  },
  'list.unknown_status': {
    see: (desk) => {
      many(desk, 2);
      const reply = desk.ask('sender', 'order.list', {}, { query: { status: 'pending' } });
      return reply.ok ? reply.pagination?.total_items : reply.error.at;
    },
    shows: { refuse: 'status', empty: 0, ignore: 2 },
  },
  'list.other_filters': {
    see: (desk) => {
      desk.create({ memo: 'usd' });
      desk.create({ memo: 'jpy', source_currency: 'JPY' });
      const rfqs = desk.list('maker_a', 'rfq.list', {}, { currency: 'JPY' }).length;
      return [memos(desk, { currency: 'JPY', status: 'PENDING' }).join(), rfqs];
    },
    shows: { none: ['jpy,usd', 2], currency: ['jpy', 1] },
  },
} satisfies Partial<Probes>;
