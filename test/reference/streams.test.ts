import { describe, expect, it } from 'vitest';
import { type TestServer, testServer, startMs } from './harness.ts';

describe('heartbeats', () => {
  const beats = (stream: { frames: { event: string; data: unknown }[] }) =>
    stream.frames.filter(({ event }) => event === 'heartbeat').map(({ data }) => data);
  const at = (ms: number) => new Date(startMs + ms).toISOString();

  it('come every 30 seconds of the clock, counted from the start of each stream', async () => {
    const b = testServer();
    const first = await b.listen('sender');
    await b.pass(10_000);
    const second = await b.listen('maker_a');
    await b.pass(29_999);
    expect(beats(second)).toEqual([]);
    await b.pass(50_001);
    expect(beats(first)).toEqual(
      [at(30_000), at(60_000), at(90_000)].map((t) => ({ timestamp: t })),
    );
    expect(beats(second)).toEqual([at(40_000), at(70_000)].map((t) => ({ timestamp: t })));
    expect(first.frames.every(({ id }) => id === undefined)).toBe(true);
    await b.close();
  });

  it.each([
    [{ 'heartbeat.phase': 'on-connect-too' }, 0, [{ timestamp: at(0) }, { timestamp: at(30_000) }]],
    [{ 'heartbeat.phase': 'common-tick' }, 10_000, [{ timestamp: at(30_000) }]],
    [{ 'heartbeat.payload': 'empty-object' }, 0, [{}]],
    [{ 'heartbeat.payload': 'server-time' }, 0, [{ server_time: at(30_000), status: 'alive' }]],
  ] as const)('follow %j on a stream that is opened after %d ms', async (answers, ms, expected) => {
    const b = testServer({ answers });
    await b.pass(ms);
    const stream = await b.listen('maker_a');
    await b.pass(30_000);
    expect(beats(stream)).toEqual(expected);
    await b.close();
  });

  it('stop with their stream, and leave nothing armed on the clock', async () => {
    const b = testServer();
    const before = b.clock.nextDue();
    const streams = [await b.listen('sender'), await b.listen('sender')];
    expect(b.clock.nextDue()).toBe(startMs + 30_000);
    for (const stream of streams) stream.abort();
    await b.pass(0);
    expect(b.clock.nextDue()).toBe(before);
    await b.close();
  });

  it('stop when the server closes', async () => {
    const b = testServer();
    const stream = await b.listen('sender');
    await b.order();
    await b.close();
    expect(stream.ended()).toBe(true);
    expect(b.clock.nextDue()).toBeUndefined();
  });
});

describe('resuming', () => {
  it('goes on behind the last id, without a gap and without a repetition', async () => {
    const b = testServer();
    const first = await b.listen('sender');
    const id = await b.order();
    await b.quote('maker_a', id);
    await b.quote('maker_b', id);
    await b.pass(0);
    const lastSeen = first.frames[0]?.id ?? '';
    first.abort();
    await b.pass(0);
    const chosen = await b.quote('maker_c', id);
    await b.accept(id, chosen);
    const second = await b.listen('sender', { headers: { 'last-event-id': lastSeen } });
    await b.pass(4000);
    expect(second.names()).toEqual([
      'quote_received',
      'quote_received',
      'order_updated',
      'order_updated',
      'order_updated',
    ]);
    const ids = [...first.frames, ...second.frames].map((frame) => frame.id).filter(Boolean);
    expect(new Set(ids.slice(2)).size).toBe(5);
    await b.close();
  });

  it.each(['', 'nonsense', '0-1', '99'])('starts anew behind the id %j', async (lastEventId) => {
    const b = testServer();
    const id = await b.order();
    await b.quote('maker_a', id);
    const stream = await b.listen('sender', { headers: { 'last-event-id': lastEventId } });
    await b.pass(0);
    expect(stream.frames).toEqual([]);
    await b.close();
  });

  it('starts anew, and gives no ids, where the assignment knows no resuming', async () => {
    const firstId = async (b: TestServer): Promise<string | undefined> => {
      const first = await b.listen('sender');
      const id = await b.order();
      for (const maker of ['maker_a', 'maker_b'] as const) await b.quote(maker, id);
      await b.pass(0);
      return first.frames[0]?.id;
    };
    // The same seed, so that its ids would equal those of the other server.
    const twin = testServer();
    const headers = { 'last-event-id': (await firstId(twin)) ?? '' };
    await twin.close();
    const b = testServer({ answers: { 'stream.resume': 'none' } });
    expect(await firstId(b)).toBeUndefined();
    const second = await b.listen('sender', { headers });
    await b.pass(0);
    expect(second.frames).toEqual([]);
    await b.close();
  });
});

describe('a reader that takes nothing', () => {
  it('is cut off and can resume with all that it missed', async () => {
    const b = testServer({ server: { bounds: { retained: 400, maxBacklog: 100 } } });
    const slow = await b.listen('sender');
    const fast = await b.listen('sender_custodian');
    const id = await b.order({ memo: 'm'.repeat(900) });
    await b.quote('maker_b', id);
    await b.pass(0);
    slow.readable.pause();
    for (let n = 0; n < 300 && !slow.ended(); n += 1) {
      await b.quote('maker_a', id);
      await b.pass(0);
    }
    slow.readable.resume();
    await b.pass(0);
    expect([slow.ended(), fast.ended()]).toEqual([true, false]);
    expect(slow.frames.length).toBeLessThan(fast.frames.length);
    const headers = { 'last-event-id': slow.frames.at(-1)?.id ?? '' };
    const again = await b.listen('sender', { headers });
    await b.pass(0);
    const seen = [...slow.frames, ...again.frames].map(({ data }) => data.quote_id);
    expect(seen).toEqual(fast.frames.map(({ data }) => data.quote_id));
    await b.close();
  });
});

describe('what a stream looks like', () => {
  it.each([
    ['lf', '\n'],
    ['crlf', '\r\n'],
    ['cr', '\r'],
  ] as const)('ends its lines with %s', async (answer, end) => {
    const b = testServer({ answers: { 'stream.line_end': answer } });
    const stream = await b.listen('sender');
    await b.quote('maker_a', await b.order());
    await b.pass(0);
    const lines = stream.text().split(end);
    expect(lines).toHaveLength(5);
    expect(lines.join('')).not.toMatch(/[\r\n]/);
    await b.close();
  });
});
