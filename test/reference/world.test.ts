import { describe, expect, it } from 'vitest';
import type { Tamper } from '../../src/reference/http/index.ts';
import { testServer, type TestServerOptions, startMs } from './harness.ts';

describe('the same seed', () => {
  async function story(seed: bigint): Promise<string> {
    const b = testServer({ seed });
    const streams = [await b.listen('sender'), await b.listen('maker_b')];
    const answers = [];
    const id = await b.order();
    answers.push(await b.call('maker_b', 'rfq.list'));
    const quote = await b.quote('maker_b', id);
    answers.push(
      await b.accept(id, quote),
      await b.call('sender', 'token.create', { token: null }),
    );
    await b.pass(60_000);
    answers.push(await b.call('sender', 'order.read', { params: { intent_id: id } }));
    await b.close();
    return [...answers, ...streams]
      .map((seen) => ('json' in seen ? seen.text : seen.text()))
      .join();
  }

  it('gives the same bytes, tokens among them; another seed gives others', async () => {
    const first = await story(11n);
    expect(await story(11n)).toBe(first);
    expect(await story(12n)).not.toBe(first);
  });
});

describe('deadlines', () => {
  it('are carried out as of their own moment, before whatever is asked later', async () => {
    const b = testServer();
    const id = await b.order();
    const quote = await b.quote('maker_a', id);
    await b.accept(id, quote);
    b.clock.advanceTo(startMs + 3_000_000);
    const { json } = await b.call('sender', 'order.read', { params: { intent_id: id } });
    expect(json.data).toMatchObject({
      status: 'SETTLED',
      settled_at: new Date(startMs + 4000).toISOString(),
    });
    await b.close();
  });

  it('stop when the world closes', async () => {
    const b = testServer();
    await b.order();
    await b.close();
    const state = b.world.state();
    b.clock.advanceTo(startMs + 100_000);
    expect(b.world.state()).toBe(state);
  });
});

describe('a tamper', () => {
  const withTamper = (tamper: Tamper, setting: TestServerOptions = {}) =>
    testServer({ ...setting, tamper });

  it('changes what the core is asked and what it answers, and keeps from it what it likes', async () => {
    const b = withTamper({
      command: (command) =>
        command.type === 'request' && command.endpoint === 'order.cancel' ? undefined : command,
      outcome: (outcome, command, context) =>
        command.type === 'request' &&
        command.endpoint === 'order.create' &&
        context.count('new') === 2
          ? { ...outcome, events: [] }
          : outcome,
    });
    const stream = await b.listen('maker_a');
    const ids = [await b.order(), await b.order(), await b.order()];
    await b.pass(0);
    expect(stream.frames.map(({ data }) => data.intent_id)).toEqual([ids[0], ids[2]]);
    const refused = await b.call('sender', 'order.cancel', { params: { intent_id: ids[0] ?? '' } });
    expect(refused.status).toBe(404);
    await b.close();
  });

  it('changes claims, leaves out checks of tokens, and opens or guards endpoints', async () => {
    const b = withTamper({
      claims: (claims, { party }) => ({
        ...claims,
        iss: party?.role === 'custodian' ? 'x' : 'svc',
      }),
      verify: { skip: ['expiry', 'issuer'] },
      authRequired: (endpoint) => (endpoint === 'rfq.list' ? false : undefined),
    });
    await b.token('sender');
    await b.pass(3_600_001);
    expect((await b.call('sender', 'identity.read')).status).toBe(200);
    expect((await b.call('sender_custodian', 'identity.read')).status).toBe(200);
    expect((await b.call('maker_a', 'rfq.list', { token: null })).status).toBe(200);
    expect((await b.call('maker_a', 'quote.list', { token: null })).status).toBe(401);
    await b.close();
  });

  it.each([
    [['signature'], { kind: 'forged' }],
    [['party'], { kind: 'foreign' }],
    [['audience'], { kind: 'aud' }],
    [['subject'], { kind: 'sub' }],
  ] as const)(
    'without the check %j takes what the whole verifier refuses',
    async (skip, { kind }) => {
      const strict = testServer();
      const lax = withTamper({ verify: { skip } });
      for (const [b, status] of [
        [strict, 401],
        [lax, 200],
      ] as const) {
        const claims = b.server.tokens.claimsFor(b.party('sender'), startMs);
        const good = await b.server.tokens.mint(claims);
        const tokens = {
          forged: `${good.slice(0, -8)}AAAAAAAA`,
          foreign: await b.token('outsider'),
          aud: await b.server.tokens.mint({ ...claims, aud: 'else' }),
          sub: await b.server.tokens.mint({ ...claims, sub: 'Else::00' }),
        };
        expect((await b.call('sender', 'identity.read', { token: tokens[kind] })).status).toBe(
          status,
        );
        await b.close();
      }
    },
  );

  it('changes answers, refusals among them, knowing what was asked', async () => {
    const b = withTamper({
      response: (wire, { endpoint, party, requestBody }) =>
        endpoint === 'order.create'
          ? { ...wire, headers: { 'x-memo': String((requestBody as { memo?: string }).memo) } }
          : wire.status === 404
            ? { status: 410, headers: {}, body: { gone: party?.role } }
            : wire,
    });
    const created = await b.call('sender', 'order.create', { body: b.orderBody({ memo: 'm' }) });
    expect([created.status, created.headers['x-memo']]).toEqual([201, 'm']);
    expect(Object.keys(created.json)).toEqual(['data', 'meta']);
    const params = { intent_id: '00000000-0000-4000-8000-000000000000' };
    const gone = await b.call('outsider', 'order.read', { params });
    expect([gone.status, gone.json]).toEqual([410, { gone: 'institution' }]);
    await b.close();
  });

  it('drops, doubles, redirects and delays events', async () => {
    const b = withTamper({
      event: (event, { parties }) =>
        event.event === 'quote_received'
          ? [event, { ...event, to: parties[1]?.partyId ?? '' }]
          : event.event === 'quote_request_new'
            ? []
            : [event],
      eventDelayMs: ({ event }) => (event === 'quote_received' ? 1000 : 0),
    });
    const [sender, outsider, maker] = [
      await b.listen('sender'),
      await b.listen('outsider'),
      await b.listen('maker_a'),
    ];
    await b.quote('maker_a', await b.order());
    await b.pass(999);
    expect(sender.frames).toEqual([]);
    await b.pass(1);
    expect([sender.names(), outsider.names()]).toEqual([
      ['quote_received'],
      ['quote_received', 'quote_received'],
    ]);
    expect(maker.names()).toEqual([]);
    await b.close();
  });

  it('changes and drops the text of messages, knowing the stream', async () => {
    const seen: unknown[] = [];
    const b = withTamper({
      heartbeatMs: 10_000,
      frame: (text, { event, stream, filter, intentId }) => {
        seen.push([event, stream, filter === undefined, intentId === undefined]);
        return event === 'heartbeat' ? undefined : text.replace('quote_received', 'surprise');
      },
    });
    const id = await b.order();
    const [one, two] = [
      await b.listen('sender'),
      await b.listen('sender', { query: { intent_id: id } }),
    ];
    await b.quote('maker_a', id);
    await b.pass(10_000);
    expect([one.names(), two.names()]).toEqual([['surprise'], ['surprise']]);
    expect(one.frames).toHaveLength(1);
    expect(seen).toEqual([
      ['quote_received', 1, true, false],
      ['quote_received', 2, false, false],
      ['heartbeat', 1, true, true],
      ['heartbeat', 2, false, true],
    ]);
    await b.close();
  });

  it('starts anew in every world', async () => {
    const tamper: Tamper = {
      response: (wire, context) => ({
        ...wire,
        headers: { ...wire.headers, 'x-count': String(context.count('all')) },
      }),
    };
    for (let world = 0; world < 2; world += 1) {
      const b = withTamper(tamper);
      const first = await b.call('sender', 'health.read', { token: null });
      const second = await b.call('sender', 'health.read', { token: null });
      expect([first, second].map(({ headers }) => headers['x-count'])).toEqual(['1', '2']);
      await b.close();
    }
  });

  it('may turn a refusal into a defect of the backend’s, and nothing else breaks', async () => {
    const b = withTamper({
      outcome: () => {
        throw new Error('bent too far');
      },
    });
    const answer = await b.call('sender', 'order.list');
    expect([answer.status, answer.json.code]).toEqual([500, 'internal']);
    expect(b.faults.splice(0).join()).toContain('bent too far');
    expect((await b.call('sender', 'health.read')).status).toBe(200);
    await b.close();
  });
});
