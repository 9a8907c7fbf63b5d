import { expect, test } from 'vitest';
import type { Exchange, Frame } from '../history/records.ts';
import { createRecorder } from '../history/recorder.ts';
import { settle } from '../runtime/settle.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { virtualTimeline } from '../runtime/virtual-timeline.ts';
import { createPacer } from './pacer.ts';
import { createParty, type PartyOptions } from './party.ts';
import type { StreamSink, Transport, WireAnswer, WireRequest } from './transport.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const respond = (
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): WireAnswer => ({
  kind: 'response',
  response: {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    bytes: body === undefined ? new Uint8Array() : encode(JSON.stringify(body)),
  },
});

/** A backend that hands out numbered tokens, says who it is, and lets the test answer everything else. */
function backend(answer: (request: WireRequest) => WireAnswer = () => respond(200, { data: {} })) {
  const seen: WireRequest[] = [];
  const sinks: StreamSink[] = [];
  const aborted: number[] = [];
  let tokens = 0;
  let streamStatus = 200;

  const transport: Transport = {
    baseUrl: 'http://127.0.0.1/bank-a',
    async request(request) {
      seen.push(request);
      await settle(2);
      if (request.path === '/auth/token') {
        tokens += 1;
        const data = { token: `token-${tokens}`, expires_in: 3_600, canton_party_id: 'Bank::a' };
        return respond(200, { data });
      }
      if (request.path === '/api/v1/whoami')
        return respond(200, { data: { party_id: 'Bank::a1' } });
      return answer(request);
    },
    async open(request, sink) {
      seen.push(request);
      if (streamStatus !== 200) return respond(streamStatus);
      const index = sinks.push(sink) - 1;
      return {
        kind: 'stream',
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        abort: () => void aborted.push(index),
      };
    },
    close: async () => {},
  };
  return {
    transport,
    seen,
    sinks,
    aborted,
    refuseStreams: (status: number) => (streamStatus = status),
  };
}

function world(
  server: ReturnType<typeof backend> = backend(),
  options: Partial<Pick<PartyOptions, 'token' | 'role'>> = {},
) {
  const clock = virtualClock(0);
  const timeline = virtualTimeline(clock, { watchdogMs: 2_000 });
  const recorder = createRecorder();
  const open = createParty({
    name: 'sender',
    role: 'institution',
    transport: server.transport,
    timeline,
    recorder,
    ...options,
  });
  return { clock, timeline, recorder, open, server, party: open.as('check.one') };
}

const exchangesOf = ({ recorder }: ReturnType<typeof world>): Exchange[] =>
  recorder.records.filter((record) => record.kind === 'exchange');

test('reaching a party gets a token and its identity, recorded as its own doing', async () => {
  const w = world();
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
  const w = world();
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
  const w = world();
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
  const w = world();
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
  const w = world();
  await w.timeline.act('check', async () => {
    await w.party.call('stats.read');
    await w.timeline.sleep(3_539_000);
    await w.party.call('stats.read');
    expect(w.party.token).toBe('token-1');
    await w.timeline.sleep(2_000);
    await w.timeline.together([
      ['a', () => w.party.call('stats.read')],
      ['b', () => w.open.as('check.two').call('stats.read')],
    ]);
  });
  expect(w.party.token).toBe('token-2');
  expect(exchangesOf(w).filter(({ endpoint }) => endpoint === 'token.create').length).toBe(2);
  expect(w.open.secrets()).toEqual(['token-1', 'token-2']);
});

test('without a token that can be had, calls go out without one, and it is not asked for each time', async () => {
  const broken = backend();
  const transport: Transport = {
    ...broken.transport,
    request: async (request) =>
      request.path === '/auth/token' ? respond(500) : broken.transport.request(request),
  };
  const w = world({ ...broken, transport });
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

test('a token from elsewhere is used as it is, and asked for again before its own expiry', async () => {
  const claims = Buffer.from(JSON.stringify({ sub: 'Bank::z', exp: 100 })).toString('base64url');
  let asked = 0;
  const w = world(backend(), { token: async () => `eyJh.${claims}.${(asked += 1)}` });
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
  const w = world(backend(), { token });
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
  const w = world(backend(() => answers.shift() ?? respond(429)));
  await w.timeline.act('check', async () => {
    expect((await w.party.call('stats.read')).response?.status).toBe(200);
    expect(w.timeline.now()).toBe(12_000);
    expect((await w.party.call('stats.read')).response?.status).toBe(429);
    expect(w.timeline.now()).toBe(14_000);
  });
  expect(exchangesOf(w).filter(({ by }) => by === 'check.one').length).toBe(6);
});

test('a target that asks for more patience than anybody has is taken at its word', async () => {
  const w = world(backend(() => respond(429, {}, { 'retry-after': '86400' })));
  await w.timeline.act('check', () => w.party.call('stats.read'));
  expect(w.timeline.now()).toBe(0);
});

test('a request that never comes back is an exchange with an error', async () => {
  const server = backend();
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

test('a pacer spaces requests out over all who share it', async () => {
  const w = world();
  const pacer = createPacer(w.timeline, 10);
  await w.timeline.together(
    Array.from({ length: 11 }, (_, index) => [`${index}`, () => pacer.admit()] as const),
  );
  expect(w.timeline.now()).toBe(1_000);
});

const heartbeat = (frame: Frame): boolean => frame.event === 'heartbeat';

test('a stream of its own: asked for, its frames recorded and found, closed by us', async () => {
  const w = world();
  await w.timeline.act('check', async () => {
    const stream = await w.party.listen({ intentId: 'i', lastEventId: '9' });
    expect(w.server.seen.at(-1)).toMatchObject({
      path: '/api/v1/orders/events?intent_id=i',
      headers: {
        accept: 'text/event-stream',
        'last-event-id': '9',
        authorization: 'Bearer token-1',
      },
    });
    expect(stream.opened).toMatchObject({ opensStream: true, endpoint: 'order.events' });
    w.clock.at(30_000, () =>
      w.server.sinks[0]?.chunk(encode('event: heartbeat\nid: 7\ndata: {"a":1}\n\n')),
    );
    const found = await stream.find(heartbeat, 60_000);
    expect(found).toMatchObject({
      stream: stream.opened.id,
      by: 'check.one',
      received: 30_000,
      eventId: '7',
      data: { a: 1 },
    });
    expect(await stream.find(heartbeat, 0)).toBe(found);
    expect(await stream.find(({ event }) => event === 'other', 61_000)).toBeUndefined();
    expect(w.timeline.now()).toBe(61_000);
    await stream.close();
    expect([stream.isOpen, stream.ended?.cause, w.server.aborted]).toEqual([false, 'us', [0]]);
    expect(await stream.find(({ event }) => event === 'other', 99_000)).toBeUndefined();
  });
  expect(w.timeline.now()).toBe(61_000);
});

test('a search ends with its stream, and what came before the end is found', async () => {
  const w = world();
  await w.timeline.act('check', async () => {
    const stream = await w.party.listen();
    w.clock.at(5_000, () => w.server.sinks[0]?.end({ code: 'reset', message: 'gone' }));
    expect(await stream.find(heartbeat, 60_000)).toBeUndefined();
    expect(w.timeline.now()).toBe(5_000);
    expect(stream.ended).toMatchObject({ cause: 'error', message: 'reset: gone', at: 5_000 });
  });
});

test('a refused stream is told by its exchange', async () => {
  const server = backend();
  server.refuseStreams(403);
  const w = world(server);
  const stream = await w.timeline.act('check', () => w.party.listen());
  expect([stream.isOpen, stream.opened.response?.status, stream.opened.opensStream]).toEqual([
    false,
    403,
    undefined,
  ]);
  expect(await stream.find(heartbeat, 9_000)).toBeUndefined();
});

test('frames that come while the opening is under way stand after it in the history', async () => {
  const server = backend();
  const transport: Transport = {
    ...server.transport,
    async open(request, sink) {
      const opened = await server.transport.open(request, sink);
      sink.chunk(encode('data: early\n\n'));
      sink.end();
      return opened;
    },
  };
  const w = world({ ...server, transport });
  const stream = await w.timeline.act('check', () => w.party.listen());
  expect(w.recorder.records.slice(1).map(({ kind }) => kind)).toEqual(['exchange', 'frame', 'end']);
  expect([stream.isOpen, stream.frames[0]?.text, stream.ended?.cause]).toEqual([
    false,
    'early',
    'target',
  ]);
});

test('what is no stream of events ends it: a message without end', async () => {
  const w = world();
  await w.timeline.act('check', async () => {
    const stream = await w.party.listen();
    w.server.sinks[0]?.chunk(encode('x'.repeat(2_000_000)));
    expect(stream.ended).toMatchObject({ cause: 'error' });
    expect(w.server.aborted).toEqual([0]);
  });
});

test('the shared stream is opened anew when it ends, from where it was, and closed in the end', async () => {
  const w = world();
  await w.timeline.act('open', () => w.open.openEvents());
  const { events } = w.party;
  await w.timeline.act('check', async () => {
    w.clock.at(20_000, () => w.server.sinks[0]?.chunk(encode('id: 41\nevent: a\ndata: {}\n\n')));
    w.clock.at(30_000, () => w.server.sinks[0]?.end());
    w.clock.at(31_000, () => w.server.sinks[1]?.chunk(encode('event: b\ndata: {}\n\n')));
    expect((await events.find(({ event }) => event === 'b', 60_000))?.received).toBe(31_000);
    expect(events.frames.length).toBe(2);
    expect(events.isOpen).toBe(true);
  });
  expect(w.server.seen.at(-1)?.headers['last-event-id']).toBe('41');
  expect(events.opened.by).toBe('party.sender');
  await w.open.close();
  expect([events.isOpen, events.ended?.cause]).toEqual([false, 'us']);
});

test('a shared stream that is refused, or ends at once, is tried again ever more rarely', async () => {
  const w = world();
  w.server.refuseStreams(503);
  await w.timeline.act('open', () => w.open.openEvents());
  await w.timeline.act('check', () => w.timeline.sleep(120_000));
  const moments = exchangesOf(w)
    .filter(({ endpoint }) => endpoint === 'order.events')
    .map(({ sent }) => sent);
  expect(moments).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000]);
  await w.open.close();
});

test('market makers have a stream of their own', async () => {
  const w = world(backend(), { role: 'market-maker' });
  await w.timeline.act('check', () => w.party.listen());
  expect(w.server.seen.at(-1)?.path).toBe('/api/v1/events');
});
