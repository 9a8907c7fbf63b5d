import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/timeline/clock/system-clock.ts';
import { random } from '../../src/random/random.ts';
import {
  buildServer,
  createWorld,
  standardOperator,
  standardParties,
} from '../../src/reference/http/index.ts';
import { formatTimestamp } from '../../src/spec/forms.ts';
import { referenceAnswers } from '../../src/spec/gaps/index.ts';
import { type TestServer, testServer, startMs } from './harness.ts';

const post = async (b: TestServer, url: string, payload: unknown) => {
  const answer = await b.server.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });
  return { status: answer.statusCode, json: JSON.parse(answer.body) as Record<string, unknown> };
};
const advance = (b: TestServer, body: unknown) => post(b, '/_sim/clock/advance', body);
const fault = (b: TestServer, body: unknown) => post(b, '/_sim/faults', body);
const at = (ms: number) => formatTimestamp(startMs + ms);

describe('the clock address', () => {
  it('tells the time and moves it, by a span or to a moment', async () => {
    const b = testServer();
    const read = await b.server.app.inject('/_sim/clock');
    expect(read.json()).toEqual({ now: at(0), now_ms: startMs });
    expect((await advance(b, { ms: 1500 })).json).toEqual({
      now: at(1500),
      now_ms: startMs + 1500,
    });
    expect((await advance(b, { to: at(4000) })).json.now).toBe(at(4000));
    expect((await advance(b, { to: startMs + 5000, expected_now: at(4000) })).json.now).toBe(
      at(5000),
    );
    expect((await advance(b, { ms: 0 })).status).toBe(200);
    await b.close();
  });

  it.each([
    [{}, 400],
    [{ ms: 1, to: startMs + 1 }, 400],
    [{ ms: 1.5 }, 400],
    [{ ms: '1' }, 400],
    [{ to: 'tomorrow' }, 400],
    [{ to: '2026-02-30T00:00:00.000Z' }, 400],
    [{ ms: Number.MAX_SAFE_INTEGER }, 400],
    [[], 400],
    [{ ms: -1 }, 409],
    [{ to: startMs - 1 }, 409],
    [{ ms: 5, expected_now: at(1) }, 409],
    [{ ms: 5, expected_now: startMs - 1 }, 409],
  ])('refuses %j and leaves the time alone', async (body, status) => {
    const b = testServer();
    expect((await advance(b, body)).status).toBe(status);
    expect(b.clock.now()).toBe(startMs);
    await b.close();
  });

  it('answers once everything that is due has fired and every stream has it', async () => {
    const b = testServer();
    const stream = await b.listen('sender');
    const id = await b.order();
    const quote = await b.quote('maker_a', id);
    await b.accept(id, quote);
    await advance(b, { ms: 3_600_000 });
    const states = stream.frames
      .filter((f) => f.event === 'order_updated')
      .map((f) => f.data.status);
    expect(states).toEqual(['QUOTED', 'EXECUTING', 'SETTLED']);
    expect(stream.frames.filter(({ event }) => event === 'heartbeat')).toHaveLength(120);
    await b.close();
  });

  it('lets one of two win that expect the same time', async () => {
    const b = testServer();
    const both = await Promise.all([
      advance(b, { ms: 10, expected_now: at(0) }),
      advance(b, { ms: 20, expected_now: at(0) }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 409]);
    expect(b.clock.now()).toBe(startMs + 10);
    await b.close();
  });

  it('is not there where time is the host’s', async () => {
    const drawn = random(3n, 'test');
    const world = createWorld({
      clock: systemClock(),
      random: drawn,
      assignment: referenceAnswers,
      parties: standardParties(drawn),
      operator: standardOperator(drawn),
    });
    const server = buildServer(world);
    expect((await server.app.inject('/_sim/clock')).statusCode).toBe(404);
    expect((await server.app.inject('/_sim/faults')).statusCode).toBe(200);
    await server.close();
  });
});

describe('the fault address', () => {
  const settle = async (b: TestServer, more = {}) => {
    const id = await b.order(more);
    await b.accept(id, await b.quote('maker_a', id));
    return id;
  };
  const stateOf = async (b: TestServer, intent_id: string) => {
    const { json } = await b.call('sender', 'order.read', { params: { intent_id } });
    return [json.data?.status, json.data?.failure_reason];
  };

  it.each([
    [{ fault: 'revert', leg: 2 }, 4000, ['FAILED', 'REVERT']],
    [{ fault: 'revert' }, 4000, ['FAILED', 'REVERT']],
    [{ fault: 'stall' }, 31_000, ['FAILED', 'TIMEOUT']],
    [{ fault: 'withdraw' }, 1000, ['FAILED', 'OPERATOR_WITHDRAWN']],
  ] as const)('%j ends the order that it names', async (body, ms, expected) => {
    const b = testServer();
    const balances = b.world.balances('sender');
    const id = await settle(b);
    expect((await fault(b, { order: id, ...body })).status).toBe(200);
    await b.pass(ms);
    expect(await stateOf(b, id)).toEqual(expected);
    expect(b.world.balances('sender')).toEqual(balances);
    await b.close();
  });

  it('holds for the next order, for all, and is taken back', async () => {
    const b = testServer();
    const states = async () => {
      const ids = [await settle(b), await settle(b)];
      await b.pass(4000);
      return Promise.all(ids.map(async (id) => (await stateOf(b, id))[0]));
    };
    await fault(b, { order: 'next', fault: 'revert', leg: 1 });
    expect(await states()).toEqual(['FAILED', 'SETTLED']);
    await fault(b, { order: 'all', fault: 'revert', leg: 4 });
    expect(await states()).toEqual(['FAILED', 'FAILED']);
    await fault(b, { order: 'all', fault: null });
    expect(await states()).toEqual(['SETTLED', 'SETTLED']);
    await b.close();
  });

  it('cuts the streams of a party, which can resume', async () => {
    const b = testServer();
    const [mine, other] = [await b.listen('sender'), await b.listen('maker_a')];
    await fault(b, { party: 'sender', drop_streams: true });
    await b.pass(0);
    expect([mine.ended(), other.ended()]).toEqual([true, false]);
    expect((await b.listen('sender')).ended()).toBe(false);
    await b.close();
  });

  it('delays the answers of a party, whose commands are carried out at once', async () => {
    const b = testServer();
    await b.token('sender');
    await fault(b, { party: b.party('sender').partyId, delay_ms: 700 });
    let answered = false;
    const created = b
      .call('sender', 'order.create', { body: b.orderBody() })
      .then((answer) => ((answered = true), answer));
    await b.pass(0);
    await b.pass(699);
    expect(answered).toBe(false);
    expect((await b.call('maker_a', 'rfq.list')).json.data).toHaveLength(1);
    await b.pass(1);
    expect((await created).status).toBe(201);
    await fault(b, { party: 'all', delay_ms: 0 });
    expect((await b.call('sender', 'order.list')).json.data).toHaveLength(1);
    await b.close();
  });

  it('answers what is held back when it closes', async () => {
    const b = testServer();
    await b.token('sender');
    await fault(b, { party: 'sender', delay_ms: 60_000 });
    const pending = b.call('sender', 'identity.read');
    await b.pass(0);
    await b.close();
    expect((await pending).status).toBe(200);
  });

  it.each([
    {},
    { order: 'x', fault: 'stall' },
    { order: 'all', fault: 'explode' },
    { order: 'all', fault: 'revert', leg: 5 },
    { order: 'all' },
    { party: 'nobody', drop_streams: true },
    { party: 'sender' },
    { party: 'sender', drop_streams: false },
    { party: 'sender', delay_ms: -1 },
    { party: 'sender', delay_ms: 1e9 },
  ])('refuses %j', async (body) => {
    const b = testServer();
    expect((await fault(b, body)).status).toBe(400);
    await b.close();
  });

  it('is not there where it is switched off', async () => {
    const b = testServer({ server: { faults: false } });
    expect((await fault(b, { order: 'all', fault: 'stall' })).status).toBe(404);
    await b.close();
  });

  it('shows what is set', async () => {
    const b = testServer();
    await fault(b, { order: 'all', fault: 'stall' });
    await fault(b, { party: 'maker_b', delay_ms: 5 });
    const shown = (await b.server.app.inject('/_sim/faults')).json();
    expect(shown.settlement).toEqual({ all: { kind: 'stall' } });
    expect(shown.streams).toContainEqual({ party: 'maker_b', open: 0, delay_ms: 5 });
    await b.close();
  });
});

describe('documents beside the interface', () => {
  it('are found below every backend', async () => {
    const b = testServer();
    const { status, json } = await b.send('maker_a', 'GET', '/openapi.json', { token: null });
    expect([status, String(json.openapi).slice(0, 3)]).toEqual([200, '3.1']);
    expect((await b.server.app.inject('/.well-known/jwks.json')).json().keys).toHaveLength(1);
    await b.close();
  });

  it('name the backend that they were asked of, by an absolute address', async () => {
    const b = testServer();
    const headers = { host: 'fx.example:9000' };
    const openapi = async (path: string) =>
      (await b.server.app.inject({ url: `${path}/openapi.json`, headers })).json() as {
        servers: { url: string }[];
      };
    expect((await openapi('/mm-1')).servers.map(({ url }) => url)).toEqual([
      'http://fx.example:9000/mm-1',
    ]);
    expect((await openapi('')).servers).toHaveLength(8);
    const asyncapi = await b.server.app.inject({ url: '/mm-1/asyncapi.json', headers });
    expect(asyncapi.json()).toMatchObject({
      asyncapi: '3.0.0',
      servers: {
        'backend-1': { host: 'fx.example:9000', pathname: '/mm-1', protocol: 'http' },
      },
    });
    await b.close();
  });

  it('describe the backend that answers, under any assignment', async () => {
    const b = testServer({
      answers: {
        'list.page_param': 'offset',
        'list.page_size_param': 'limit',
        'order.failure_reason_field': 'failure.reason',
        'order.required_fields': 'amounts-and-currencies',
        'error.shape': 'enveloped',
        'http.create_status': '202',
        'cancel.response': 'no-content',
      },
    });
    const { json } = await b.send('sender', 'GET', '/openapi.json', { token: null });
    const { paths, components } = json as unknown as {
      paths: Record<string, Record<string, { responses: object; parameters: { name: string }[] }>>;
      components: { schemas: Record<string, { properties: object; required: string[] }> };
    };
    const orders = paths['/api/v1/orders'];
    expect(orders?.['get']?.parameters.map(({ name }) => name)).toEqual([
      'status',
      'offset',
      'limit',
    ]);
    expect(Object.keys(orders?.['post']?.responses ?? {})).toEqual(['202', '401', '4XX']);
    expect(orders?.['post']?.responses).toMatchObject({
      '4XX': { content: { 'application/json': { schema: { required: ['errors', 'meta'] } } } },
    });
    const cancel = paths['/api/v1/orders/{intent_id}/cancel']?.['post'];
    expect(Object.keys(cancel?.responses ?? {})).toContain('204');
    const { order, 'order-request': request } = components.schemas;
    expect(order?.properties).toHaveProperty('failure.properties.reason.enum');
    expect(request?.required.toSorted()).toEqual([
      'source_amount_max',
      'source_currency',
      'target_amount',
      'target_currency',
    ]);
    expect(order?.required).not.toContain('source_contract_id');
    await b.close();
  });
});
