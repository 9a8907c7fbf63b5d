import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CastName, cast, castNames } from '../../src/spec/requirements/requirement.ts';
import { type TestServer, testServer, type Stream } from './harness.ts';

/** Everybody's streams, and what came on each since last asked. */
async function allListen(b: TestServer) {
  const streams = new Map<CastName, Stream>();
  for (const name of castNames) streams.set(name, await b.listen(name));
  const read = new Map<CastName, number>();
  return {
    /** Names of the events since the last call, for those parties that got any. */
    async since(): Promise<Partial<Record<CastName, string[]>>> {
      await b.pass(0);
      const found: Partial<Record<CastName, string[]>> = {};
      for (const [name, stream] of streams) {
        const fresh = stream.names().slice(read.get(name) ?? 0);
        read.set(name, stream.names().length);
        if (fresh.length > 0) found[name] = fresh;
      }
      return found;
    },
    of: (name: CastName) => streams.get(name) as Stream,
  };
}

const makers = castNames.filter((name) => cast[name] === 'market-maker');
const each = (names: readonly CastName[], events: string[]) =>
  Object.fromEntries(names.map((name) => [name, events]));
const side: readonly CastName[] = ['sender', 'sender_custodian', 'receiver_custodian'];

describe('to whom events go, and to nobody else', () => {
  let b: TestServer;
  let heard: Awaited<ReturnType<typeof allListen>>;
  beforeEach(async () => {
    b = testServer();
    heard = await allListen(b);
  });
  afterEach(() => b.close());

  it('a new request goes to every maker', async () => {
    await b.order();
    expect(await heard.since()).toEqual(each(makers, ['quote_request_new']));
  });

  it("a quote goes to the sender and the sender's custodian", async () => {
    const id = await b.order();
    await heard.since();
    await b.quote('maker_a', id);
    const names: CastName[] = ['sender', 'sender_custodian'];
    expect(await heard.since()).toEqual(each(names, ['quote_received']));
  });

  it('an acceptance goes to both sides, to the winner and to the makers that lost', async () => {
    const id = await b.order();
    await b.quote('maker_a', id);
    const won = await b.quote('maker_b', id);
    await heard.since();
    await b.accept(id, won);
    expect(await heard.since()).toEqual({
      ...each(side, ['order_updated']),
      maker_a: ['quote_rejected'],
      maker_b: ['quote_accepted'],
    });
  });

  it('a settlement goes to both sides and to the winner', async () => {
    const id = await b.order();
    await b.quote('maker_a', id);
    const won = await b.quote('maker_b', id);
    await b.accept(id, won);
    await heard.since();
    await b.pass(4000);
    expect(await heard.since()).toEqual({
      ...each(side, ['order_updated', 'order_updated']),
      maker_b: ['settlement_completed'],
    });
    const states = heard.of('receiver_custodian').frames.map(({ data }) => data.status);
    expect(states).toEqual(['QUOTED', 'EXECUTING', 'SETTLED']);
  });

  it('an expiry goes to both sides and to every maker', async () => {
    await b.order();
    await heard.since();
    await b.pass(60_000);
    expect(await heard.since()).toEqual({
      ...each(side, ['order_updated']),
      ...each(makers, ['quote_request_expired']),
    });
  });

  it('a cancel goes to both sides and to every maker', async () => {
    const intent_id = await b.order();
    await heard.since();
    await b.call('sender', 'order.cancel', { params: { intent_id } });
    expect(await heard.since()).toEqual({
      ...each(side, ['order_updated']),
      ...each(makers, ['quote_request_expired']),
    });
  });

  it('a failed settlement goes to both sides and to no maker', async () => {
    const id = await b.order();
    const won = await b.quote('maker_a', id);
    b.fault(id, { kind: 'revert', leg: 3 });
    await b.accept(id, won);
    await heard.since();
    await b.pass(4000);
    expect(await heard.since()).toEqual(each(side, ['order_updated', 'order_updated']));
    expect(heard.of('sender').frames.at(-1)?.data.status).toBe('FAILED');
  });

  it('a refusal goes to nobody', async () => {
    const id = await b.order();
    await b.quote('maker_a', id);
    await heard.since();
    await b.call('outsider', 'order.cancel', { params: { intent_id: id } });
    await b.call('sender', 'order.create', { body: b.orderBody({ target_amount: '-1' }) });
    await b.call('maker_b', 'quote.submit', { params: { intent_id: id }, body: {} });
    expect(await heard.since()).toEqual({});
  });

  it('nothing that a maker gets tells who asks', async () => {
    const won = await b.order({ memo: 'for our client' });
    await b.accept(won, await b.quote('maker_a', won));
    await b.pass(4000);
    await heard.since();
    const hidden = [
      ...side.map((name) => b.party(name).partyId),
      'for our client',
      'ab12',
      '00ff#1',
    ];
    for (const maker of makers)
      for (const secret of hidden) expect(heard.of(maker).text()).not.toContain(secret);
  });

  it('two streams of one party get the same messages', async () => {
    const second = await b.listen('sender');
    const id = await b.order();
    await b.quote('maker_a', id);
    await b.pass(0);
    expect(second.text()).toBe(heard.of('sender').text());
    expect(second.frames).toHaveLength(1);
  });
});

describe('a stream limited to one order', () => {
  it('gets the events of that order alone, in whatever letters it is named', async () => {
    const b = testServer();
    const [one, other] = [await b.order(), await b.order()];
    const mine = await b.listen('sender', { query: { intent_id: one.toUpperCase() } });
    await b.quote('maker_a', other);
    await b.quote('maker_a', one);
    await b.call('sender', 'order.cancel', { params: { intent_id: other } });
    await b.pass(0);
    expect(mine.frames.map(({ event, data }) => [event, data.intent_id])).toEqual([
      ['quote_received', one],
    ]);
    await b.close();
  });

  it.each([
    ['silent', /^opened$/],
    ['refuse', /404/],
  ] as const)('to one that does not exist is answered %s', async (answer, outcome) => {
    const b = testServer({ answers: { 'stream.unknown_filter': answer } });
    const query = { intent_id: '00000000-0000-4000-8000-000000000000' };
    const opened = await b.listen('sender', { query }).then(
      () => 'opened',
      (error: Error) => error.message,
    );
    expect(opened).toMatch(outcome);
    await b.close();
  });

  it('to no UUID is refused', async () => {
    const b = testServer();
    await expect(b.listen('sender', { query: { intent_id: 'x' } })).rejects.toThrow('400');
    await b.close();
  });
});
