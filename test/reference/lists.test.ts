import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, testServer } from './harness.ts';

describe('pages of a list of 45 orders', () => {
  let b: TestServer;
  const made: string[] = [];
  beforeAll(async () => {
    b = testServer();
    for (let n = 0; n < 45; n += 1) {
      made.push(await b.order());
      await b.pass(1);
    }
    await b.call('sender', 'order.cancel', { params: { intent_id: made[7] ?? '' } });
  });
  afterAll(() => b.close());

  const list = (query: Record<string, string> = {}) => b.call('sender', 'order.list', { query });

  it.each([
    ['1', 45, 1],
    ['44', 2, 44],
    ['45', 1, 45],
    ['100', 1, 45],
    ['5000', 1, 45],
  ])('of %s items', async (page_size, pages, length) => {
    const { json } = await list({ page_size });
    expect(json.pagination).toMatchObject({ total_pages: pages, total_items: 45 });
    expect(json.data).toHaveLength(length);
  });

  it.each(['0', '-1', '1.5', 'x', '', '1e3', '99999999999999999999', ' 1'])(
    'that are numbered %j are refused',
    async (number) => {
      for (const name of ['page', 'page_size']) {
        const { status, json } = await list({ [name]: number });
        expect([status, json.code, json.at]).toEqual([400, 'invalid_query', name]);
      }
    },
  );
});
