import { afterEach, describe, expect, it } from 'vitest';
import { random } from '../../src/random/random.ts';
import type { Clock } from '../../src/timeline/clock/clock.ts';
import { deadlines } from '../../src/timeline/clock/deadline-heap.ts';
import { createWorld, standardOperator, standardParties } from '../../src/reference/http/index.ts';
import { forms } from '../../src/spec/forms.ts';
import { gaps, referenceAnswers } from '../../src/spec/gaps/index.ts';
import { startMs, testServer, type TestServer, type TestServerOptions } from './harness.ts';

const open: TestServer[] = [];
const serverWith = (options: TestServerOptions = {}): TestServer => {
  const b = testServer(options);
  open.push(b);
  return b;
};
afterEach(async () => {
  for (const b of open.splice(0)) await b.close();
});

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;

describe('what the gap register says of the reference', () => {
  it('meta.request_id: a UUID of its own for each answer', async () => {
    expect(gaps['meta.request_id'].values).toEqual(['own-uuid']);
    const b = serverWith();
    const ids = new Set<string>();
    for (let n = 0; n < 20; n += 1) {
      const { json } = await b.call(n % 2 ? 'sender' : 'maker_a', 'identity.read');
      ids.add(json.meta?.request_id as string);
    }
    expect(ids.size).toBe(20);
    for (const id of ids) expect(id).toMatch(new RegExp(forms.uuid.pattern));
    for (const id of ids) expect(id).toMatch(/^.{14}8.{4}[89ab]/);
  });

  it('token.extra_claims: `iat`, the moment of issue, and nothing else', async () => {
    expect(gaps['token.extra_claims'].values).toEqual(['iat']);
    const b = serverWith();
    const claims = claimsOf(await b.token('sender'));
    expect(claims['iat']).toBe(Math.floor(startMs / 1000));
    expect(Object.keys(claims).sort()).toEqual(
      ['aud', 'canton_party_id', 'exp', 'iat', 'iss', 'role', 'sub'].sort(),
    );
  });

  it('token.keys: one key for all backends of a world, where the register says so', async () => {
    const b = serverWith();
    const keysOf = async (name: 'sender' | 'maker_a') =>
      (await b.send(name, 'GET', '/.well-known/jwks.json', { token: null })).text;
    expect(await keysOf('maker_a')).toBe(await keysOf('sender'));
    expect(gaps['token.keys'].because).toContain('all backends of a world have one key');
    expect(gaps['token.algorithm'].because).not.toContain('one key a backend');
  });

  it('money.input: needless zeros before a number are refused, and no others', async () => {
    const b = serverWith();
    const create = (target_amount: string) =>
      b.call('sender', 'order.create', { body: b.orderBody({ target_amount }) });
    for (const amount of ['007.50', '00.5', '01']) {
      expect([amount, (await create(amount)).status]).toEqual([amount, 422]);
    }
    for (const amount of ['0.50', '7.50', '100']) {
      expect([amount, (await create(amount)).status]).toEqual([amount, 201]);
    }
  });

  it('order.required_fields: a memo that is null is none', async () => {
    const b = serverWith();
    const body = b.orderBody({ memo: null });
    const { status, json } = await b.call('sender', 'order.create', { body });
    expect(status).toBe(201);
    expect(json.data).not.toHaveProperty('memo');
    const all = serverWith({ answers: { 'order.required_fields': 'all' } });
    expect((await all.call('sender', 'order.create', { body })).status).toBe(400);
  });

  it('finds an order by its id in capitals, on streams as elsewhere', async () => {
    const b = serverWith();
    const id = await b.order();
    const params = { intent_id: id.toUpperCase() };
    expect((await b.call('sender', 'order.read', { params })).json.data?.intent_id).toBe(id);
    const quote = await b.quote('maker_a', id.toUpperCase());
    expect((await b.accept(id.toUpperCase(), quote.toUpperCase())).status).toBe(200);
    const stream = await b.listen('sender', { query: params });
    await b.pass(5_000);
    expect(stream.names()).toContain('order_updated');
  });
});

describe('a backend that is started again with the same seed', () => {
  it('sends all its events to a client that resumes with an id of the run before', async () => {
    const before = serverWith();
    const heard = await before.listen('maker_a');
    await before.order();
    await before.pass(1_000);
    const lastEventId = heard.frames.at(-1)?.id ?? '';
    expect(lastEventId).not.toBe('');

    const after = serverWith({ startMs: startMs + 60_000 });
    await after.order();
    await after.pass(1_000);
    const resumed = await after.listen('maker_a', { headers: { 'last-event-id': lastEventId } });
    await after.pass(1_000);
    expect(resumed.names()).toEqual(['quote_request_new']);
    expect(resumed.frames[0]?.id).not.toBe(lastEventId);
  });
});

describe('a host that halts', () => {
  it('settles with the times that were due, and within the window', () => {
    let now = startMs;
    const due = deadlines();
    const clock: Clock = {
      kind: 'system',
      now: () => now,
      at(instant, fire) {
        const added = due.add(instant, fire);
        return () => due.remove(added);
      },
    };
    const parties = standardParties(random(7n));
    const world = createWorld({
      clock,
      random: random(7n),
      assignment: referenceAnswers,
      parties,
      operator: standardOperator(random(7n)),
    });
    const [sender, maker] = ['sender', 'maker_a'].map((name) => {
      const party = parties.find((one) => one.name === name);
      if (!party) throw new Error(name);
      return party;
    }) as [(typeof parties)[0], (typeof parties)[0]];
    const ask = (
      caller: (typeof parties)[0],
      endpoint: 'order.create' | 'order.read' | 'quote.submit' | 'quote.accept',
      params: Record<string, string>,
      body?: unknown,
    ): Record<string, string> => {
      const reply = world.request({ endpoint, caller, params, query: {}, body });
      if (!reply.ok) throw new Error(JSON.stringify(reply.error));
      return reply.data as Record<string, string>;
    };
    const party = (name: string) => parties.find((one) => one.name === name)?.partyId;
    const order = ask(
      sender,
      'order.create',
      {},
      {
        sender_custodian_party_id: party('sender_custodian'),
        intent_signature: 'c0ffee',
        receiver_party_id: 'Receiver::01',
        receiver_custodian_party_id: party('receiver_custodian'),
        source_contract_id: 'ab#0',
        source_currency: 'USD',
        target_currency: 'EUR',
        target_amount: '10',
        source_amount_max: '20',
      },
    );
    const { intent_id = '' } = order;
    const { quote_id = '' } = ask(
      maker,
      'quote.submit',
      { intent_id },
      {
        fx_rate: '1',
        target_amount: '10',
        valid_until: new Date(now + 30_000).toISOString(),
      },
    );
    ask(sender, 'quote.accept', { intent_id, quote_id });
    // No deadline fires while the host stands still; then all are late at once.
    now += 600_000;
    expect(ask(sender, 'order.read', { intent_id })).toMatchObject({
      status: 'SETTLED',
      settled_at: new Date(startMs + 4_000).toISOString(),
    });
    world.close();
  });
});
