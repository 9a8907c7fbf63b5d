import fc from 'fast-check';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveState } from '../../src/reference/core/index.ts';
import { type TestServer, testServer } from './harness.ts';
import { anyCharacter } from '../support/any-character.ts';

const json = 'application/json';

describe('a body that is not one, over a socket', () => {
  let b: TestServer;
  let agent: ReturnType<typeof supertest>;
  let token: string;
  let maker: string;
  let orderId: string;
  beforeAll(async () => {
    b = testServer();
    await b.server.serve({ port: 0 });
    agent = supertest(b.server.app.server);
    token = await b.token('sender');
    maker = await b.token('maker_a');
    orderId = await b.order();
  });
  afterAll(() => b.close());

  const post = (body: string | Buffer, type: string | undefined = json) => {
    const request = agent.post('/bank-a/api/v1/orders').set('authorization', `Bearer ${token}`);
    if (type !== undefined) request.set('content-type', type);
    return request.serialize((value: unknown) => value as string).send(body);
  };
  const quote = (body: object) =>
    agent
      .post(`/mm-1/api/v1/quote-requests/${orderId}/quotes`)
      .set('authorization', `Bearer ${maker}`)
      .send(body);

  async function refused(
    request: supertest.Test,
    status: number,
    code: string,
    at?: string,
  ): Promise<void> {
    const before = JSON.stringify(saveState(b.world.state()));
    const answer = await request;
    expect([answer.status, answer.body.code, answer.body.at]).toEqual([status, code, at]);
    expect(answer.type).toBe('application/problem+json');
    expect(answer.body.detail).not.toBe('');
    expect(JSON.stringify(saveState(b.world.state()))).toBe(before);
  }

  it.each([
    ['nothing', '', 400, 'not_json'],
    ['cut off', '{"memo":', 400, 'not_json'],
    ['words', 'memo=1', 400, 'not_json'],
    ['a list', '[]', 400, 'malformed_body'],
    ['text', '"x"', 400, 'malformed_body'],
    ['nested deeply', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, 400, 'too_deep'],
    ['a key twice', '{"memo":"a","memo":"b"}', 400, 'duplicate_key'],
    ['a prototype', '{"__proto__":{"memo":"a"}}', 400, 'unsafe_key'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400, 'not_json'],
    ['65 KiB', JSON.stringify({ memo: 'x'.repeat(65 * 1024) }), 413, 'too_large'],
  ] as const)('%s', async (_, body, status, code) => {
    await refused(post(body), status, code);
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/json; charset=latin1',
    'nonsense',
    'a/b/c',
  ])('of the type %s', async (type) => {
    await refused(post(JSON.stringify(b.orderBody()), type), 415, 'unsupported_media_type');
  });

  it('of no type', async () => {
    const request = agent
      .post('/bank-a/api/v1/orders')
      .set('authorization', `Bearer ${token}`)
      .unset('content-type');
    request.write(JSON.stringify(b.orderBody()));
    await refused(request, 415, 'unsupported_media_type');
  });

  it('that would be a good one is taken, with the type in any letters', async () => {
    const answer = await post(JSON.stringify(b.orderBody()), 'Application/JSON;charset=UTF-8');
    expect(answer.status).toBe(201);
  });

  it.each([
    ['target_amount', '-1', 422],
    ['target_amount', '1e3', 422],
    ['target_amount', '１', 422],
    ['target_amount', '9'.repeat(400), 422],
    ['target_amount', 1000, 400],
    ['source_currency', 'US D', 422],
    ['sender_custodian_party_id', 'nobody', 422],
    ['source_contract_id', 'zz#1', 422],
    ['intent_signature', 'not hex', 422],
    ['memo', 'x'.repeat(5000), 422],
    ['memo', '\u0000', 422],
  ])('with %s %j', async (field, value, status) => {
    const before = JSON.stringify(saveState(b.world.state()));
    const answer = await post(JSON.stringify(b.orderBody({ [field]: value })));
    expect([answer.status, answer.body.at]).toEqual([status, `/${field}`]);
    expect(JSON.stringify(saveState(b.world.state()))).toBe(before);
  });

  it.each([
    ['valid_until', '2026-02-30T00:00:00.000Z', 422],
    ['valid_until', '2026-01-05T10:00:00.000+01:00', 422],
    ['valid_until', 1_800_000_000_000, 400],
    ['valid_until', '1999-01-01T00:00:00.000Z', 422],
    ['fx_rate', '0', 422],
    ['target_amount', '999.99', 422],
  ])('of a quote with %s %j', async (field, value, status) => {
    await refused(
      quote(b.quoteBody({ [field]: value })),
      status,
      expect.any(String) as unknown as string,
      `/${field}`,
    );
  });

  it.each([
    ['GET', '/bank-a/api/v1/orders/%zz', 400],
    ['GET', '/bank-a/api/v1/orders/not-a-uuid', 404],
    ['GET', `/bank-a/api/v1/orders/${'a'.repeat(500)}`, 400],
    ['GET', '/bank-a/api/v1/orders/%2e%2e%2f', 404],
    ['GET', '/bank-a/api/v1/orders?status=%ff', 400],
    ['GET', '/bank-a/api/v1/orders?page=1&page=2', 400],
    ['GET', '/bank-a/api/v1/nothing', 404],
    ['GET', '/constructor', 404],
    ['DELETE', '/bank-a/api/v1/orders', 405],
    ['POST', '/bank-a/api/v1/orders/events', 405],
    ['PATCH', '/bank-a/api/v1/orders/x/cancel', 405],
  ] as const)('%s %s is %i', async (method, path, status) => {
    const answer = await b.server.app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.headers.allow !== undefined).toBe(status === 405);
  });

  it('OPTIONS tells the methods, HEAD the headers', async () => {
    const options = await b.server.app.inject({ method: 'OPTIONS', url: '/bank-a/api/v1/orders' });
    expect([options.statusCode, options.headers.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
    const headers = { authorization: `Bearer ${token}` };
    const url = '/bank-a/api/v1/whoami';
    const got = await agent.get(url).set(headers);
    const head = await agent.head(url).set(headers);
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
    expect(head.text).toBeUndefined();
    const stream = await agent.head('/bank-a/api/v1/orders/events').set(headers);
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream']);
    expect((await agent.head(url)).status).toBe(401);
  });

  it('a stranger is refused before the body is looked at', async () => {
    const answer = await agent
      .post('/bank-a/api/v1/orders')
      .set('content-type', json)
      .send('{"broken');
    expect(answer.status).toBe(401);
  });
});

describe('whatever is sent', () => {
  const strange = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('', '-1', '0', '1e9', '1.', '.5', '١٢', '0x1', '2026-02-30T00:00:00.000Z'),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const fields = [
    'sender_custodian_party_id',
    'intent_signature',
    'receiver_party_id',
    'receiver_custodian_party_id',
    'source_contract_id',
    'source_currency',
    'target_amount',
    'target_currency',
    'source_amount_max',
  ];

  it('is a success or 4xx, never 500, and a refusal changes nothing', async () => {
    const b = testServer();
    const orderId = await b.order();
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fields),
        fc.constantFrom('fx_rate', 'target_amount', 'valid_until'),
        strange,
        async (orderField, quoteField, value) => {
          const before = b.world.state();
          const made = await b.call('sender', 'order.create', {
            body: b.orderBody({ [orderField]: value }),
          });
          const middle = b.world.state();
          expect(middle === before).toBe(made.status !== 201);
          const quoted = await b.call('maker_a', 'quote.submit', {
            params: { intent_id: orderId },
            body: b.quoteBody({ [quoteField]: value }),
          });
          expect(b.world.state() === middle).toBe(quoted.status !== 201);
          for (const { status } of [made, quoted]) {
            expect([201, 400, 413, 422]).toContain(status);
            if (status !== 201) refusals += 1;
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(refusals).toBeGreaterThan(100);
    await b.close();
  });

  it('in addresses and queries is answered too', async () => {
    const b = testServer();
    const text = fc.string({ unit: anyCharacter, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (id, key, value) => {
        const before = b.world.state();
        const path = `/api/v1/orders/${encodeURIComponent(id)}`;
        const answer = await b.send('sender', 'GET', path, {
          query: { [key]: value, status: value, page: value },
        });
        expect(answer.status).toBeLessThan(500);
        const list = await b.send('sender', 'GET', '/api/v1/orders', {
          query: { [key]: value, page_size: value },
        });
        expect(list.status).toBeLessThan(500);
        expect(b.world.state()).toBe(before);
      }),
      { numRuns: 100 },
    );
    await b.close();
  });
});
