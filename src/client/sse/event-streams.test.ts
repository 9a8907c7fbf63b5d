import { expect, test } from 'vitest';
import type { Frame } from '../../history/records.ts';
import {
  fakeBackend,
  encode,
  exchangesOf,
  partyFixture,
} from '../../../test/support/client/fake-backend.ts';
import type { Transport, WireAnswer, WireStream } from '../http/transport.ts';

const heartbeat = (frame: Frame): boolean => frame.event === 'heartbeat';

test('a stream of its own: asked for, its frames recorded and found, closed by us', async () => {
  const w = partyFixture();
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
  const w = partyFixture();
  await w.timeline.act('check', async () => {
    const stream = await w.party.listen();
    w.clock.at(5_000, () => w.server.sinks[0]?.end({ code: 'reset', message: 'gone' }));
    expect(await stream.find(heartbeat, 60_000)).toBeUndefined();
    expect(w.timeline.now()).toBe(5_000);
    expect(stream.ended).toMatchObject({ cause: 'error', message: 'reset: gone', at: 5_000 });
  });
});

test('a refused stream is told by its exchange', async () => {
  const server = fakeBackend();
  server.refuseStreams(403);
  const w = partyFixture(server);
  const stream = await w.timeline.act('check', () => w.party.listen());
  expect([stream.isOpen, stream.opened.response?.status, stream.opened.opensStream]).toEqual([
    false,
    403,
    undefined,
  ]);
  expect(await stream.find(heartbeat, 9_000)).toBeUndefined();
});

/** A backend that answers the opening of a stream after `forMs` of target time. */
function silentBackend(forMs: number) {
  const server = fakeBackend();
  const w = partyFixture({
    ...server,
    transport: {
      ...server.transport,
      async open(request, sink) {
        let giveUp: () => void = () => {};
        const answer = new Promise<WireAnswer | WireStream>((resolve) => {
          giveUp = () => resolve({ kind: 'error', error: { code: 'timeout', message: 'late' } });
          w.clock.at(w.clock.now() + forMs, () => {
            void server.transport
              .open(request, sink)
              .then((opened) => opened.kind !== 'pending' && resolve(opened));
            sink.chunk(encode('event: heartbeat\ndata: {}\n\n'));
          });
        });
        return { kind: 'pending', answer, waitMs: 35_000, giveUp };
      },
    },
  });
  return w;
}

test('target time goes on while a stream waits for its headers, and others may call', async () => {
  const w = silentBackend(30_000);
  const silent: number[] = [];
  await w.timeline.act('check', async () => {
    const party = w.open.as('check', {
      call: (send) => send(),
      listen: (open) => open({ onSilence: () => silent.push(w.timeline.now()) }),
      stream: (stream) => stream,
    });
    const stream = await party.listen();
    expect([stream.isOpen, w.timeline.now(), silent]).toEqual([true, 30_000, [0]]);
    expect(stream.opened).toMatchObject({ sent: 0, received: 30_000, opensStream: true });
    expect(stream.frames.map(({ event }) => event)).toEqual(['heartbeat']);
  });
});

test('headers that do not come with the first heartbeat either are given up', async () => {
  const w = silentBackend(60_000);
  await w.timeline.act('check', async () => {
    const stream = await w.party.listen();
    expect([stream.isOpen, w.timeline.now()]).toEqual([false, 35_000]);
    expect(stream.opened.error).toEqual({ code: 'timeout', message: 'late' });
  });
});

test('frames that come while the opening is under way stand after it in the history', async () => {
  const server = fakeBackend();
  const transport: Transport = {
    ...server.transport,
    async open(request, sink) {
      const opened = await server.transport.open(request, sink);
      sink.chunk(encode('data: early\n\n'));
      sink.end();
      return opened;
    },
  };
  const w = partyFixture({ ...server, transport });
  const stream = await w.timeline.act('check', () => w.party.listen());
  expect(w.recorder.records.slice(1).map(({ kind }) => kind)).toEqual(['exchange', 'frame', 'end']);
  expect([stream.isOpen, stream.frames[0]?.text, stream.ended?.cause]).toEqual([
    false,
    'early',
    'target',
  ]);
});

test('a message without end closes the stream', async () => {
  const w = partyFixture();
  await w.timeline.act('check', async () => {
    const stream = await w.party.listen();
    w.server.sinks[0]?.chunk(encode('x'.repeat(2_000_000)));
    expect(stream.ended).toMatchObject({ cause: 'us', limit: 'stream.message_chars' });
    expect(w.server.aborted).toEqual([0]);
  });
});

test('the shared stream is opened anew when it ends, from where it was, and closed in the end', async () => {
  const w = partyFixture();
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
  const w = partyFixture();
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
  const w = partyFixture(fakeBackend(), { role: 'market-maker' });
  await w.timeline.act('check', () => w.party.listen());
  expect(w.server.seen.at(-1)?.path).toBe('/api/v1/events');
});
