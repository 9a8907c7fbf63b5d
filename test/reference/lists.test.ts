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
  const ids = (answer: Awaited<ReturnType<typeof list>>) =>
    answer.json.data?.map(({ intent_id }) => intent_id as string);

  it('come newest first, twenty at a time, and say how many there are', async () => {
    const { json } = await list();
    expect(json.pagination).toEqual({ page: 1, page_size: 20, total_items: 45, total_pages: 3 });
    expect(json.data?.map((o) => o.intent_id)).toEqual(made.toReversed().slice(0, 20));
  });

  it('neither overlap nor skip', async () => {
    const walked: string[] = [];
    for (let page = 1; page <= 4; page += 1)
      walked.push(
        ...((ids(await list({ page: String(page), page_size: '12' })) ?? []) as string[]),
      );
    expect(walked).toEqual(made.toReversed());
  });

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

  it('beyond the last are empty', async () => {
    const { status, json } = await list({ page: '4' });
    expect([status, json.data, json.pagination?.total_items]).toEqual([200, [], 45]);
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

  it('hold what the filter lets through, and count that alone', async () => {
    const failed = await list({ status: 'FAILED' });
    expect([ids(failed), failed.json.pagination?.total_items]).toEqual([[made[7]], 1]);
    const pending = await list({ status: 'PENDING', page_size: '100' });
    expect(ids(pending)).toEqual(made.toReversed().filter((id) => id !== made[7]));
    expect((await list({ status: 'SETTLED' })).json.pagination).toMatchObject({ total_pages: 0 });
    expect((await list({ status: 'pending' })).status).toBe(400);
  });

  it('show an order as a single read shows it', async () => {
    const [first] = (await list({ page: '2', page_size: '7' })).json.data ?? [];
    const params = { intent_id: first?.intent_id as string };
    expect((await b.call('sender', 'order.read', { params })).json.data).toEqual(first);
  });

  it('wrap what they carry', async () => {
    const { json } = await list({ page_size: '1' });
    expect(Object.keys(json)).toEqual(['data', 'pagination', 'meta']);
    expect(json.meta?.timestamp).toBe(new Date(b.clock.now()).toISOString());
    expect(json.meta?.request_id).not.toBe((await list()).json.meta?.request_id);
  });
});

describe('answers to gaps of lists', () => {
  it.each([
    [
      { 'list.page_param': 'page_number', 'list.page_size_param': 'per_page' },
      'page_number=2&per_page=2',
    ],
    [{ 'list.page_param': 'offset', 'list.page_size_param': 'limit' }, 'offset=2&limit=2'],
    [{ 'list.first_page': '0' }, 'page=1&page_size=2'],
  ] as const)('%j', async (answers, query) => {
    const b = testServer({ answers });
    const made = [await b.order(), await b.order(), await b.order()];
    const { json } = await b.call('sender', 'order.list', {
      query: Object.fromEntries(new URLSearchParams(query)),
    });
    expect(json.data?.map(({ intent_id }) => intent_id)).toEqual([made[0]]);
    await b.close();
  });
});
