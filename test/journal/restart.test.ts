import { describe, expect, it } from 'vitest';
import { saveState } from '../../src/reference/core/index.ts';
import { startMs, type TestServer } from '../reference/harness.ts';
import { type Life, lifeOf, recoveredOf, restarted } from './harness.ts';

const held = ({ server }: Life) => saveState(server.world.state());

/** A little of everything: orders in every state, faults, refusals and reads. */
async function live(b: TestServer, orders = 5): Promise<readonly string[]> {
  const ids: string[] = [];
  b.fault('next', { kind: 'stall' });
  for (let n = 0; n < orders; n += 1) {
    const id = await b.order();
    ids.push(id);
    const quotes = [await b.quote('maker_a', id), await b.quote('maker_b', id)];
    if (n !== 2) await b.accept(id, quotes[n % 2] ?? '', n === 3 ? 'sender_custodian' : 'sender');
    await b.call('sender', 'order.list');
    await b.call('outsider', 'order.cancel', { params: { intent_id: id } });
    await b.pass(700);
  }
  b.fault('next', { kind: 'revert', leg: 2 });
  return ids;
}

describe('a world and its journal', () => {
  it('are the same at every moment', async () => {
    const life = lifeOf();
    expect(recoveredOf(life.store).state).toEqual(held(life));
    await live(life.server);
    expect(recoveredOf(life.store).state).toEqual(held(life));
    await life.server.pass(60_000);
    const { state, tails } = recoveredOf(life.store);
    expect(state).toEqual(held(life));
    expect(tails.length).toBeGreaterThan(4);
    for (const tail of tails) expect(life.server.world.sent(tail.to)).toEqual(tail);
    await life.server.close();
  });

  it('hold no read and no refusal', async () => {
    const life = lifeOf();
    const before = life.store.read('segment-00000001.log').length;
    await life.server.call('sender', 'order.list');
    await life.server.call('sender', 'order.create', { body: {} });
    expect(life.store.read('segment-00000001.log')).toHaveLength(before);
    await life.server.close();
  });
});

describe('after a kill', () => {
  it('orders, quotes, holdings, faults and deadlines are the same', async () => {
    const first = lifeOf();
    await live(first.server);
    const before = held(first);
    const second = restarted(first);
    expect(held(second)).toEqual(before);
    await second.server.pass(60_000);
    const unbroken = lifeOf();
    await live(unbroken.server);
    await unbroken.server.pass(60_000);
    const status = ({ orders }: ReturnType<typeof held>) =>
      orders.map((order) => [order.id, order.status, order.failureReason, order.settled?.at]);
    expect(status(held(second))).toEqual(status(held(unbroken)));
    await second.server.close();
    await unbroken.server.close();
  });

  it('what came due meanwhile happens in order, each as of its own moment', async () => {
    const first = lifeOf();
    const id = await first.server.order();
    await first.server.accept(id, await first.server.quote('maker_a', id));
    const files = first.store.kill();
    first.server.world.close();
    first.clock.advanceTo(startMs + 3_000_000);
    const second = lifeOf({ clock: first.clock, store: { files } });
    const [order] = held(second).orders;
    expect([order?.status, order?.settled?.at]).toEqual(['SETTLED', startMs + 4000]);
    expect(recoveredOf(second.store).state).toEqual(held(second));
    await second.server.close();
  });

  it('no identifier is issued twice, not even by lives that begin alike', async () => {
    const seen = new Set<string>();
    let count = 0;
    const note = (...ids: (string | undefined)[]): void => {
      for (const id of ids) {
        count += 1;
        seen.add(id ?? '');
      }
    };
    let life = lifeOf();
    for (let n = 0; n < 4; n += 1) {
      const b = life.server;
      const answer = await b.call('sender', 'order.create', { body: b.orderBody() });
      const id = String(answer.json.data?.intent_id);
      const none = await b.send('sender', 'GET', '/nowhere');
      note(id, await b.quote('maker_a', id), answer.json.meta?.request_id, none.json.request_id);
      life = restarted(life);
    }
    expect(seen.size).toBe(count);
    expect(seen).not.toContain('undefined');
    await life.server.close();
  });

  it('tokens from before are honoured, whatever they are signed with', async () => {
    for (const algorithm of ['EdDSA', 'HS256', 'ES256', 'RS256'] as const) {
      const options = { answers: { 'token.algorithm': algorithm } };
      const first = lifeOf(options);
      const token = await first.server.token('sender');
      const second = restarted(first, options);
      const { status } = await second.server.call('sender', 'order.list', { token });
      expect([algorithm, status]).toEqual([algorithm, 200]);
      await second.server.close();
    }
  });

  it('a stream is resumed without a hole, over events of both lives', async () => {
    const first = lifeOf();
    const stream = await first.server.listen('sender');
    const id = await first.server.order();
    const quote = await first.server.quote('maker_a', id);
    await first.server.pass(1);
    const last = stream.frames.at(-1)?.id ?? '';
    await first.server.accept(id, quote);
    const missed = first.server.world.sent(first.server.party('sender').partyId);
    const second = restarted(first);
    await second.server.pass(5000);
    const again = await second.server.listen('sender', { headers: { 'last-event-id': last } });
    await second.server.pass(1);
    expect(again.names().slice(0, 1)).toEqual(['order_updated']);
    const statuses = again.frames.map(({ data }) => String(data.status));
    expect(statuses).toEqual(['QUOTED', 'EXECUTING', 'SETTLED']);
    const numbers = [last, ...again.frames.map((frame) => frame.id ?? '')].map((text) =>
      Number(text.split('-')[1]),
    );
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
    expect(missed?.next).toBe((numbers[0] ?? 0) + 2);
    await second.server.close();
  });

  it('the last record may be torn: it is cut with a notice, and the world goes on', async () => {
    const first = lifeOf();
    await live(first.server, 2);
    const files = new Map(first.store.kill());
    first.server.world.close();
    const name = 'segment-00000001.log';
    files.set(name, files.get(name)?.subarray(0, -9) ?? new Uint8Array());
    const second = lifeOf({ clock: first.clock, store: { files } });
    expect(second.journal.notices.join()).toMatch(
      /^segment-00000001.log breaks off .* at byte \d+/,
    );
    await live(second.server, 2);
    expect(recoveredOf(second.store).state).toEqual(held(second));
    const third = restarted(second);
    expect(third.journal.notices).toEqual([]);
    await third.server.close();
  });
});

describe('snapshots', () => {
  const small = { journal: { snapshotAfterBytes: 40_000 } };

  it('bound what is read, and change nothing', async () => {
    let life = lifeOf(small);
    for (let n = 0; n < 4; n += 1) {
      await live(life.server, 8);
      life = restarted(life, small);
    }
    const names = life.store.list().toSorted();
    expect(names).toHaveLength(2);
    expect(names.join()).toMatch(/^segment-(\d{8}).log,snapshot-\1.log$/);
    expect(names[0]).not.toBe('segment-00000001.log');
    expect(recoveredOf(life.store).state).toEqual(held(life));
    for (const tail of recoveredOf(life.store).tails)
      expect(life.server.world.sent(tail.to)).toEqual(tail);
    await life.server.pass(60_000);
    expect(recoveredOf(life.store).state).toEqual(held(life));
    await life.server.close();
  });
});

describe('a full disk', () => {
  it('is answered by 503, loses and invents nothing, and passes', async () => {
    const life = lifeOf();
    const b = life.server;
    const id = await b.order();
    const stream = await b.listen('sender');
    const before = held(life);
    const { capacity } = life.store;
    life.store.capacity = 0;
    const refused = await b.call('sender', 'order.create', { body: b.orderBody() });
    expect([refused.status, refused.headers['retry-after'], refused.json.code]).toEqual([
      503,
      '1',
      'unavailable',
    ]);
    const quote = await b.call('maker_a', 'quote.submit', {
      params: { intent_id: id },
      body: b.quoteBody(),
    });
    expect(quote.status).toBe(503);
    expect(held(life)).toEqual(before);
    expect((await b.call('sender', 'order.list')).status).toBe(200);
    await b.pass(100_000);
    // An overdue expiry is not shown before the journal holds it.
    expect((await b.call('sender', 'order.list')).status).toBe(503);
    expect(stream.names()).toEqual([]);
    life.store.capacity = capacity;
    const read = await b.call('sender', 'order.read', { params: { intent_id: id } });
    expect([read.status, read.json.data?.status]).toEqual([200, 'EXPIRED']);
    await b.pass(1);
    expect(stream.names()).toEqual(['order_updated']);
    const next = await b.order();
    expect(recoveredOf(life.store).state).toEqual(held(life));
    const again = restarted(life);
    expect(held(again).orders.map((order) => order.id)).toEqual([id, next]);
    await again.server.close();
  });
});

describe('a slow disk', () => {
  function slow(life: Life): () => void {
    const waiting: (() => void)[] = [];
    life.store.later = (work) => waiting.push(work);
    return () => {
      for (const work of waiting.splice(0)) work();
    };
  }

  it('holds back answers, events and reads until the changes are written', async () => {
    const life = lifeOf();
    const b = life.server;
    const stream = await b.listen('maker_a');
    await b.token('sender');
    const release = slow(life);
    const answered: string[] = [];
    const created = b.order().then((id) => answered.push(id));
    await b.pass(1);
    const listed = b.call('sender', 'order.list').then(({ json }) => {
      answered.push(String(json.data?.[0]?.intent_id));
    });
    await b.pass(5);
    expect([answered, stream.names()]).toEqual([[], []]);
    release();
    await Promise.all([created, listed]);
    await b.pass(1);
    expect(stream.names()).toEqual(['quote_request_new']);
    expect(answered[1]).toBe(answered[0]);
    release();
    await b.close();
  });

  it('that is killed keeps answered changes, and perhaps unanswered ones', async () => {
    for (const survives of [0, 20, 100_000]) {
      const life = lifeOf();
      const id = await life.server.order();
      slow(life);
      let answered = false;
      life.server.order().then(
        () => (answered = true),
        () => undefined,
      );
      await life.server.pass(5);
      const next = restarted(life, { survives });
      const ids = held(next).orders.map((order) => order.id);
      expect([answered, ids[0], ids.length]).toEqual([false, id, survives === 100_000 ? 2 : 1]);
      expect(recoveredOf(next.store).state).toEqual(held(next));
      await next.server.close();
    }
  });
});
