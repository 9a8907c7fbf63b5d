import { expect, test } from 'vitest';
import { createRecorder } from '../history/recorder.ts';
import { virtualClock } from '../timeline/clock/virtual-clock.ts';
import { virtualTimeline } from '../timeline/virtual-timeline.ts';
import { createParty } from './party.ts';
import {
  fakeBackend,
  exchangesOf,
  respond,
  partyFixture,
} from '../../test/support/client/fake-backend.ts';
import type { Transport, WireAnswer } from './http/transport.ts';
import { sideBySide } from '../../test/support/side-by-side.ts';

test('reaching a party gets a token and its identity, recorded as its own doing', async () => {
  const w = partyFixture();
  const reached = await w.timeline.act('open', () => w.open.reach());
  expect([w.party.token, w.party.partyId]).toEqual(['token-1', 'Bank::a1']);
  expect(reached.token).toMatchObject({
    endpoint: 'token.create',
    auth: 'none',
    by: 'party.sender',
  });
  expect(reached.identity).toMatchObject({ endpoint: 'identity.read', auth: 'own' });
  expect(w.server.seen[0]?.headers).not.toHaveProperty('authorization');
});

test('a call is built from its endpoint, sent with the token, and recorded without it', async () => {
  const w = partyFixture();
  const exchange = await w.timeline.act('check', () =>
    w.party.call('quote.accept', {
      params: { intent_id: 'a/b', quote_id: 'q' },
      query: { page: '2', x: 'a b' },
      body: { amount: '1.10' },
      headers: { 'X-Extra': '1' },
    }),
  );
  expect(w.server.seen.at(-1)).toEqual({
    method: 'POST',
    path: '/api/v1/orders/a%2Fb/quotes/q/accept?page=2&x=a+b',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: 'Bearer token-1',
      'x-extra': '1',
    },
    body: '{"amount":"1.10"}',
  });
  expect(exchange).toMatchObject({
    id: 'check.one#1',
    endpoint: 'quote.accept',
    query: { page: '2', x: 'a b' },
    request: { headers: { authorization: 'Bearer ***' }, body: { amount: '1.10' } },
    response: { status: 200, body: { data: {} } },
  });
  expect(w.recorder.records.at(-1)).toBe(exchange);
});

test('what no endpoint stands for goes out as it is; a query is kept to the letter', async () => {
  const w = partyFixture();
  await w.timeline.act('check', async () => {
    const known = await w.party.send('GET', '/api/v1/orders/7?status=%50&status=B');
    const unknown = await w.party.send('DELETE', 'nowhere', { rawBody: '{broken' });
    expect(known).toMatchObject({ endpoint: 'order.read', params: { intent_id: '7' } });
    expect(unknown.endpoint).toBeUndefined();
    expect(unknown.request.body).toBe('{broken');
  });
  expect(w.server.seen.slice(1).map(({ path, body }) => [path, body])).toEqual([
    ['/api/v1/orders/7?status=%50&status=B', undefined],
    ['/nowhere', '{broken'],
  ]);
});

test('another credential is sent under its label, or none at all', async () => {
  const w = partyFixture();
  await w.timeline.act('check', async () => {
    const forged = await w.party.call('stats.read', {
      credential: { label: 'forged', token: 'evil' },
    });
    const none = await w.party.call('stats.read', { credential: { label: 'none' } });
    expect([forged.auth, none.auth]).toEqual(['forged', 'none']);
  });
  expect(w.server.seen.map(({ headers }) => headers['authorization'])).toEqual([
    'Bearer evil',
    undefined,
  ]);
});

test('the token is renewed before it expires, once for all who need it', async () => {
  const w = partyFixture();
  await w.timeline.act('check', async () => {
    await w.party.call('stats.read');
    await w.timeline.sleep(3_539_000);
    await w.party.call('stats.read');
    expect(w.party.token).toBe('token-1');
    await w.timeline.sleep(2_000);
    await sideBySide(w.timeline, {
      a: () => w.party.call('stats.read'),
      b: () => w.open.as('check.two').call('stats.read'),
    });
  });
  expect(w.party.token).toBe('token-2');
  expect(exchangesOf(w).filter(({ endpoint }) => endpoint === 'token.create').length).toBe(2);
  expect(w.recorder.secrets.maskText('token-1, token-2')).toBe('***1, ***2');
});

test('without a token that can be had, calls go out without one, and it is not asked for each time', async () => {
  const broken = fakeBackend();
  const transport: Transport = {
    ...broken.transport,
    request: async (request) =>
      request.path === '/auth/token' ? respond(500) : broken.transport.request(request),
  };
  const w = partyFixture({ ...broken, transport });
  await w.timeline.act('check', async () => {
    await w.party.call('stats.read');
    await w.party.call('stats.read');
  });
  expect(exchangesOf(w).map(({ endpoint }) => endpoint)).toEqual([
    'token.create',
    'stats.read',
    'stats.read',
  ]);
  expect(broken.seen[0]?.headers).not.toHaveProperty('authorization');
});

test('a token that could not be renewed is no token of its own any more once it ends', async () => {
  const backend = fakeBackend();
  let isDown = false;
  const transport: Transport = {
    ...backend.transport,
    request: async (request) =>
      isDown && request.path === '/auth/token' ? respond(500) : backend.transport.request(request),
  };
  const w = partyFixture({ ...backend, transport });
  const labels = await w.timeline.act('check', async () => {
    const first = await w.party.call('stats.read');
    isDown = true;
    await w.timeline.sleep(3_580_000);
    const late = await w.party.call('stats.read');
    await w.timeline.sleep(30_000);
    const ended = await w.party.call('stats.read');
    isDown = false;
    await w.timeline.sleep(10_000);
    return [first, late, ended, await w.party.call('stats.read')].map(({ auth }) => auth);
  });
  expect(labels).toEqual(['own', 'own', 'token at its end', 'own']);
});

test('a token from elsewhere is used as it is, and asked for again before its own expiry', async () => {
  const claims = Buffer.from(JSON.stringify({ sub: 'Bank::z', exp: 100 })).toString('base64url');
  let asked = 0;
  const w = partyFixture(fakeBackend(), { token: async () => `eyJh.${claims}.${(asked += 1)}` });
  await w.timeline.act('check', async () => {
    await w.party.call('stats.read');
    await w.timeline.sleep(80_000);
    await w.party.call('stats.read');
    expect(asked).toBe(1);
    await w.timeline.sleep(15_000);
    await w.party.call('stats.read');
  });
  expect(asked).toBe(2);
  expect(exchangesOf(w).length).toBe(3);
});

test('a token from elsewhere may come with its lifetime', async () => {
  let asked = 0;
  const token = async () => ({ token: `opaque-${(asked += 1)}`, expiresInSeconds: 100 });
  const w = partyFixture(fakeBackend(), { token });
  await w.timeline.act('check', async () => {
    await w.party.call('stats.read');
    await w.timeline.sleep(95_000);
    await w.party.call('stats.read');
  });
  expect(w.party.token).toBe('opaque-2');
});

test('a target that asks for patience gets it, each attempt recorded, and not for ever', async () => {
  const answers = [
    respond(429, {}, { 'retry-after': '7' }),
    respond(
      429,
      {},
      {
        date: 'Tue, 01 Jan 2030 00:00:00 GMT',
        'retry-after': 'Tue, 01 Jan 2030 00:00:05 GMT',
      },
    ),
    respond(200, { data: {} }),
  ];
  const w = partyFixture(fakeBackend(() => answers.shift() ?? respond(429)));
  await w.timeline.act('check', async () => {
    expect((await w.party.call('stats.read')).response?.status).toBe(200);
    expect(w.timeline.now()).toBe(12_000);
    expect((await w.party.call('stats.read')).response?.status).toBe(429);
    // Pauses of 1, 2 and 4 s without a Retry-After, and the gap that the refusal opened.
    expect(w.timeline.now() - 12_000).toBeGreaterThanOrEqual(7_000);
    expect(w.timeline.now() - 12_000).toBeLessThan(7_200);
  });
  expect(exchangesOf(w).filter(({ by }) => by === 'check.one').length).toBe(7);
});

test('a target that asks for more patience than anybody has is taken at its word', async () => {
  const w = partyFixture(fakeBackend(() => respond(429, {}, { 'retry-after': '86400' })));
  await w.timeline.act('check', () => w.party.call('stats.read'));
  expect(w.timeline.now()).toBe(0);
});

test('what is refused for its pace for ever is waited for once, until it is answered otherwise', async () => {
  let isBusy = true;
  const busy = respond(429, {}, { 'retry-after': '25' });
  const w = partyFixture(
    fakeBackend((request) => (isBusy && request.path.endsWith('stats') ? busy : respond(200, {}))),
  );
  const now = () => Math.round(w.timeline.now() / 1_000);
  await w.timeline.act('check', async () => {
    expect((await w.party.call('stats.read')).response?.status).toBe(429);
    expect(now()).toBe(50);
    await w.party.call('stats.read');
    await w.party.call('health.read');
    expect(now()).toBe(50);
    isBusy = false;
    await w.party.call('stats.read');
    isBusy = true;
    await w.party.call('stats.read');
    expect(now()).toBe(100);
  });
});

test('who is turned away for the pace holds back all who come after', async () => {
  let open = 0;
  const w: ReturnType<typeof partyFixture> = partyFixture(
    fakeBackend(() => {
      // Three a second, at most.
      open += 1;
      if (open === 1) void w.timeline.background('refill', refill);
      return open <= 3 ? respond(200, {}) : respond(429, {}, { 'retry-after': '1' });
    }),
  );
  const refill = async (): Promise<void> => {
    await w.timeline.sleep(1_000);
    open = 0;
  };
  const ask = () => w.party.call('health.read', { credential: { label: 'none' } });
  const statuses = await w.timeline.together(
    Array.from({ length: 12 }, (_, n) => [`ask ${n}`, async () => (await ask()).response?.status]),
  );
  expect(statuses).toEqual(Array(12).fill(200));
});

test('a request that never comes back is an exchange with an error', async () => {
  const server = fakeBackend();
  const transport: Transport = {
    ...server.transport,
    request: (request) =>
      request.path === '/health' ? new Promise(() => {}) : server.transport.request(request),
  };
  const timeline = virtualTimeline(virtualClock(0), { watchdogMs: 40 });
  const recorder = createRecorder();
  const open = createParty({ name: 'sender', role: 'institution', transport, timeline, recorder });
  const exchange = await timeline.act('check', () => open.as('check.one').call('health.read'));
  expect(exchange.error?.code).toBe('timeout');
});

const jwt = `eyJhbGciOiJub25lIn0.${Buffer.from('{"sub":"Bank::a1"}').toString('base64url')}.c2ln`;

/** A backend whose token endpoint answers in its own way. */
function tokensAnswered(answer: (body: unknown) => WireAnswer) {
  const server = fakeBackend();
  const bodies: unknown[] = [];
  const transport: Transport = {
    ...server.transport,
    async request(request) {
      if (request.path !== '/auth/token') return server.transport.request(request);
      const body: unknown = request.body === undefined ? undefined : JSON.parse(request.body);
      bodies.push(body);
      return answer(body);
    },
  };
  return { ...partyFixture({ ...server, transport }), bodies };
}

test.each<[string, unknown]>([
  ['as the body itself', jwt],
  ['without the envelope', { token: jwt, expires_in: 60 }],
  ['under another name', { data: { access_token: jwt } }],
  ['under another name, and no JWT', { access_token: 'opaque' }],
  ['deeper down', { data: { result: { bearer: `Bearer ${jwt}` } } }],
])('a token is found in its field: %s', async (_, body) => {
  const w = tokensAnswered(() => respond(200, body));
  await w.timeline.act('check', () => w.party.call('stats.read'));
  expect(w.party.token).toBe(JSON.stringify(body).includes(jwt) ? jwt : 'opaque');
  expect(w.server.seen.at(-1)?.headers['authorization']).toBe(`Bearer ${w.party.token}`);
});

test('a token that came without its envelope is renewed by the lifetime beside it', async () => {
  const w = tokensAnswered(() => respond(200, { token: jwt, expires_in: 60 }));
  await w.timeline.act('check', async () => {
    await w.party.call('stats.read');
    await w.timeline.sleep(55_000);
    await w.party.call('stats.read');
  });
  expect(w.bodies).toHaveLength(2);
});

test('a token request without a body that is refused is sent again with the body that the backend wants', async () => {
  const granted = respond(200, { data: { token: jwt, expires_in: 60 } });
  const empty = tokensAnswered((body) => (body === undefined ? respond(415) : granted));
  await empty.timeline.act('check', () => empty.party.call('stats.read'));
  expect([empty.party.token, empty.bodies]).toEqual([jwt, [undefined, {}]]);

  const named = tokensAnswered((body) =>
    (body as { role?: string } | undefined)?.role === 'institution'
      ? granted
      : respond(400, { detail: 'role is missing' }),
  );
  await named.timeline.act('check', async () => {
    await named.party.call('stats.read');
    await named.timeline.sleep(55_000);
    await named.party.call('stats.read');
  });
  const wanted = { role: 'institution' };
  expect(named.bodies).toEqual([undefined, {}, wanted, wanted]);
});

test('a refusal that is not about the form of the request is taken for what it is', async () => {
  const w = tokensAnswered(() => respond(404));
  await w.timeline.act('check', () => w.party.call('stats.read'));
  expect(w.bodies).toEqual([undefined]);
});
