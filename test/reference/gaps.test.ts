import { describe, expect, it } from 'vitest';
import { type Assignment } from '../../src/spec/gaps/index.ts';
import { testServer } from './harness.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

describe('the shape of errors', () => {
  const refusal = async (answers: Partial<Assignment>) => {
    const b = testServer({ answers });
    const answer = await b.call('sender', 'order.read', { params: { intent_id: unknown } });
    await b.close();
    return { ...answer, type: answer.headers['content-type'] ?? '' };
  };

  it('is an error object', async () => {
    const { json } = await refusal({ 'error.shape': 'error-object' });
    expect(json.error).toMatchObject({ code: 'not_found', message: expect.any(String) as string });
  });

  it('is an envelope', async () => {
    const { json } = await refusal({ 'error.shape': 'enveloped' });
    expect(json).toMatchObject({ errors: [{ code: 'not_found' }], meta: {} });
  });

  it('is nothing', async () => {
    const empty = await refusal({ 'error.shape': 'empty' });
    expect([empty.status, empty.text, empty.type]).toEqual([404, '', '']);
  });
});

describe('the statuses of refusals', () => {
  /** Absent, of another's, wrong role, malformed, wrong state, expired token. */
  async function statuses(answers: Partial<Assignment>): Promise<number[]> {
    const b = testServer({ answers });
    const intent_id = await b.order();
    const params = { intent_id };
    const found = [
      await b.call('sender', 'order.read', { params: { intent_id: unknown } }),
      await b.call('outsider', 'order.read', { params }),
      await b.call('maker_a', 'order.read', { params }),
      await b.call('sender', 'order.create', { raw: '{' }),
      await b.call('sender', 'order.create', { body: b.orderBody({ target_amount: '-1' }) }),
    ];
    await b.call('sender', 'order.cancel', { params });
    found.push(await b.call('sender', 'order.cancel', { params }));
    const token = await b.token('sender');
    await b.pass(3_600_000);
    found.push(await b.call('sender', 'order.list', { token }));
    await b.close();
    return found.map(({ status }) => status);
  }

  it.each([
    [{}, [404, 404, 403, 400, 422, 409, 401]],
    [{ 'access.foreign': '403' }, [404, 403, 403, 400, 422, 409, 401]],
    [{ 'error.statuses': 'all-400' }, [400, 400, 400, 400, 400, 400, 401]],
    [{ 'error.statuses': 'all-422' }, [422, 422, 422, 422, 422, 422, 401]],
    [
      { 'error.statuses': 'hidden-404', 'access.foreign': '403' },
      [404, 404, 404, 400, 422, 409, 401],
    ],
  ] as const)('with %j', async (answers, expected) => {
    expect(await statuses(answers)).toEqual(expected);
  });
});

describe('health', () => {
  it.each([
    ['json', 200, '{"status":"ok"}'],
    ['text', 200, 'ok'],
    ['empty', 204, ''],
  ] as const)('answers with %s', async (answer, status, text) => {
    const b = testServer({ answers: { 'health.response': answer } });
    const health = await b.call('maker_a', 'health.read', { token: null });
    expect([health.status, health.text]).toEqual([status, text]);
    await b.close();
  });

  it('answers in an envelope', async () => {
    const b = testServer({ answers: { 'health.response': 'enveloped' } });
    const { json } = await b.call('maker_a', 'health.read', { token: null });
    expect(json).toMatchObject({ data: { status: 'ok' }, meta: {} });
    await b.close();
  });
});

describe('the rate of requests', () => {
  it('is limited for each party, and says when to come back', async () => {
    const b = testServer({ answers: { 'limits.rate': '20-per-second' } });
    await b.token('outsider');
    const answers = [];
    for (let n = 0; n < 25; n += 1) answers.push(await b.call('sender', 'identity.read'));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(6);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await b.call('outsider', 'identity.read')).status).toBe(200);
    expect((await b.call('sender', 'health.read', { token: null })).status).toBe(200);
    await b.pass(1000);
    expect((await b.call('sender', 'identity.read')).status).toBe(200);
    await b.close();
  });
});

describe('success statuses and empty answers', () => {
  it('follow the assignment', async () => {
    const b = testServer({
      answers: {
        'http.create_status': '202',
        'http.success_status': '201',
        'cancel.response': 'no-content',
      },
    });
    const created = await b.call('sender', 'order.create', { body: b.orderBody() });
    const token = await b.call('sender', 'token.create', { token: null });
    const params = { intent_id: created.json.data?.intent_id as string };
    const cancelled = await b.call('sender', 'order.cancel', { params });
    expect([created.status, token.status, cancelled.status]).toEqual([202, 201, 204]);
    expect([cancelled.text, cancelled.headers['content-type']]).toEqual(['', undefined]);
    await b.close();
  });
});
