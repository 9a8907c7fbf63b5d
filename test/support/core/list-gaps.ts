import { expect } from 'vitest';
import { many, memos, paged, type Probes } from './gap-probe.ts';

/** Lists (2.1, 4). */
export const listProbes = {
  'list.page_param': {
    see: (core) => {
      many(core, 3);
      return ['page', 'page_number', 'offset'].map((name) =>
        memos(core, { [name]: '2', page_size: '1' }).join(),
      );
    },
    shows: { page: ['1', '2', '2'], page_number: ['2', '1', '2'], offset: ['2', '2', '0'] },
  },
  'list.page_size_param': {
    see: (core) => {
      many(core, 3);
      return ['page_size', 'per_page', 'limit'].map((name) => memos(core, { [name]: '2' }).length);
    },
    shows: { page_size: [2, 3, 3], per_page: [3, 2, 3], limit: [3, 3, 2] },
  },
  'list.first_page': {
    see: (core) => {
      many(core, 2);
      return [paged(core, {}), core.code('sender', 'order.list', {}, { query: { page: '0' } })];
    },
    shows: {
      '1': [{ page: 1, page_size: 20, total_items: 2, total_pages: 1 }, 'invalid_query'],
      '0': [{ page: 0, page_size: 20, total_items: 2, total_pages: 1 }, 'ok'],
    },
  },
  'list.max_page_size': {
    see: (core) => paged(core, { page_size: '5000' }),
    shows: {
      '100': expect.objectContaining({ page_size: 100 }),
      '10': expect.objectContaining({ page_size: 10 }),
      '1000': expect.objectContaining({ page_size: 1000 }),
    },
  },
  'list.oversize': {
    see: (core) => paged(core, { page_size: '101' }),
    shows: { clamp: expect.objectContaining({ page_size: 100 }), refuse: 'invalid_query' },
  },
  'list.past_end': {
    see: (core) => [
      core.code('sender', 'order.list', {}, { query: { page: '2' } }),
      core.code('sender', 'order.list'),
    ],
    shows: { empty: ['ok', 'ok'], refuse: ['invalid_query', 'ok'] },
  },
  'list.order': {
    see: (core) => {
      many(core, 3);
      return memos(core, {}).join();
    },
    shows: { 'newest-first': '2,1,0', 'oldest-first': '0,1,2' },
  },
  'list.empty_total_pages': {
    see: (core) => paged(core, {}),
    shows: {
      '0': expect.objectContaining({ total_pages: 0 }),
      '1': expect.objectContaining({ total_pages: 1 }),
    },
  },
  'list.unknown_status': {
    see: (core) => {
      many(core, 2);
      const reply = core.ask('sender', 'order.list', {}, { query: { status: 'pending' } });
      return reply.ok ? reply.pagination?.total_items : reply.error.at;
    },
    shows: { refuse: 'status', empty: 0, ignore: 2 },
  },
  'list.other_filters': {
    see: (core) => {
      core.create({ memo: 'usd' });
      core.create({ memo: 'jpy', source_currency: 'JPY' });
      const rfqs = core.list('maker_a', 'rfq.list', {}, { currency: 'JPY' }).length;
      return [memos(core, { currency: 'JPY', status: 'PENDING' }).join(), rfqs];
    },
    shows: { none: ['jpy,usd', 2], currency: ['jpy', 1] },
  },
} satisfies Partial<Probes>;
