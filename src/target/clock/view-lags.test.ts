import { describe, expect, it } from 'vitest';
import { createRecorder } from '../../history/recorder.ts';
import type { Exchange, HistoryRecord } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { createViewLags } from './view-lags.ts';

const intentId = '11111111-1111-4111-8111-111111111111';

/** Host time passes in pauses alone; the clock stands at 0. */
function viewsOfHost() {
  let now = 1_000;
  const views = createViewLags({
    now: () => now,
    pause: async (ms) => {
      now += ms;
    },
    instant: 0,
  });
  const recorder = createRecorder();
  recorder.watch(views.noted);
  const pass = (ms: number): void => {
    now += ms;
  };
  let count = 0;
  /** An answer that shows an order in a state. */
  const shows = (
    party: string,
    endpoint: EndpointName,
    status: string,
    answered: 200 | 403 = 200,
  ): Exchange => {
    const age = views.ageOf({ party, endpoint });
    const order = { intent_id: intentId, status, sender_party_id: 'Bank::1' };
    return recorder.exchange({
      id: `check#${(count += 1)}`,
      by: 'check',
      party,
      role: 'institution',
      endpoint,
      params: { intent_id: intentId },
      query: {},
      auth: 'own',
      request: { method: 'GET', path: `/${endpoint}`, headers: {} },
      sent: 0,
      received: 0,
      precededBy: recorder.records.length,
      shows: age,
      response: {
        status: answered,
        headers: {},
        body: { data: endpoint === 'order.list' ? [order] : order },
      },
    });
  };
  const took = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = now;
    await work();
    return now - begun;
  };
  return { views, pass, shows, took };
}

const read = { party: 'sender', endpoint: 'order.read' } as const;
const list = { party: 'sender', endpoint: 'order.list' } as const;

describe('lags of views', () => {
  it('are waited for after a step, by each view as much as it lags, and no view twice', async () => {
    const { views, took } = viewsOfHost();
    views.learn('sender', 'order.list', 100);
    views.moved(500);
    expect(await took(() => views.caughtUp(read))).toBe(0);
    expect(await took(() => views.caughtUp(list))).toBe(101);
    expect(await took(() => views.caughtUp(list))).toBe(0);
  });

  it('are no excuse where none was measured, and none shows', () => {
    const { views, shows } = viewsOfHost();
    shows('sender_custodian', 'order.read', 'FAILED');
    const right = shows('sender', 'order.read', 'FAILED');
    expect(views.shouldAskAgain(right)).toBe(false);
    expect(right.shows?.recordsAgo).toBe(0);
  });

  it('leave a message of steps that were passed any date since before the first of them, also two steps later', () => {
    const { views, pass } = viewsOfHost();
    views.learn('sender', 'stream', 100);
    const move = (instant: number): number => {
      pass(1);
      views.moved(instant);
      return views.streamSince('sender');
    };
    for (const instant of [1_000, 2_000]) move(instant);
    pass(500);
    expect(move(3_000)).toBe(2_000);
    views.passing();
    expect(move(13_000)).toBe(1_000);
    views.passing();
    pass(500);
    expect(move(14_000)).toBe(1_000);
    pass(500);
    expect(move(15_000)).toBe(1_000);
    pass(500);
    expect(move(16_000)).toBe(15_000);
  });

  it('are no reason to ask again where a party is refused: only who was shown an order as its own may miss it', () => {
    const { views, pass, shows } = viewsOfHost();
    shows('maker_a', 'rfq.read', 'PENDING');
    shows('sender_custodian', 'order.read', 'PENDING');
    pass(50);
    expect(views.shouldAskAgain(shows('maker_a', 'order.read', '', 403))).toBe(false);
    expect(views.shouldAskAgain(shows('sender_custodian', 'order.read', '', 403))).toBe(true);
  });

  it('are known of a view that has begun to lag since it was measured, and waited for once it did so twice', async () => {
    const { views, pass, shows, took } = viewsOfHost();
    const follows = async (was: string, is: string): Promise<Exchange> => {
      shows('sender_custodian', 'order.read', is);
      pass(1);
      const stale = shows('sender', 'order.read', was);
      let passed = 0;
      for (let again = stale; views.shouldAskAgain(again); passed += 20) {
        await views.rest();
        again = shows('sender', 'order.read', passed < 200 ? was : is);
      }
      return stale;
    };
    const first = await follows('PENDING', 'QUOTED');
    expect(first.shows?.recordsAgo).toBe(1);
    views.moved(1);
    expect(await took(() => views.caughtUp(read))).toBe(0);
    await follows('QUOTED', 'FAILED');
    views.moved(2);
    expect(await took(() => views.caughtUp(list))).toBe(0);
    expect(await took(() => views.caughtUp(read))).toBeGreaterThan(200);
  });

  it('are asked for no more once views of a kind have stayed wrong some times', async () => {
    const { views, shows } = viewsOfHost();
    let looks = 0;
    for (let time = 0; time < 10; time += 1) {
      shows('sender_custodian', 'order.read', 'FAILED');
      while (views.shouldAskAgain(shows('sender', 'order.read', 'PENDING'))) {
        looks += 1;
        await views.rest();
      }
    }
    expect(looks).toBeLessThan(400);
  });

  it('make what is shown as old as they are', () => {
    const { views, pass, shows } = viewsOfHost();
    views.learn('sender', 'order.list', 100);
    views.moved(500);
    pass(50);
    shows('maker_a', 'order.read', 'PENDING');
    views.moved(900);
    const early = views.ageOf(list);
    pass(90);
    const late = views.ageOf(list);
    expect([early?.since, early?.recordsAgo]).toEqual([0, 1]);
    expect([late?.since, late?.recordsAgo]).toEqual([500, 1]);
  });

  it('are taken to be like those of the same party where a view could not be measured', async () => {
    const { views, took } = viewsOfHost();
    views.learn('maker_a', 'rfq.list', 100);
    views.moved(1);
    const settlements = { party: 'maker_a', endpoint: 'settlement.list' } as const;
    const other = { party: 'maker_a', endpoint: 'settlement.read' } as const;
    expect(await took(() => views.caughtUp(other))).toBe(0);
    views.learn('maker_b', 'stream', 300);
    expect(await took(() => views.caughtUp({ party: 'maker_b', endpoint: 'rfq.read' }))).toBe(0);
    expect(await took(() => views.caughtUp(settlements))).toBe(101);
  });

  it('count a stream that brought no event of an order as 2 s behind where a view of its party lags', () => {
    const { views, pass } = viewsOfHost();
    views.moved(1);
    expect(views.streamSince('maker_a')).toBe(1);
    views.learn('maker_a', 'rfq.list', 100);
    pass(1_999);
    expect(views.streamSince('maker_a')).toBe(0);
    pass(1);
    expect(views.streamSince('maker_a')).toBe(1);
  });

  it.each([
    ['that catches up is asked again until it does, and all lags are known to have grown', 300],
    ['that stays wrong is asked again for a while, and fails', 1_000_000],
  ])('beyond what was measured: a view %s', async (_, truly) => {
    const { views, pass, shows } = viewsOfHost();
    views.learn('sender', 'order.read', 100);
    shows('sender_custodian', 'order.read', 'FAILED');
    let passed = 0;
    const ask = (): Exchange =>
      shows('sender', 'order.read', passed < truly ? 'PENDING' : 'FAILED');
    passed = 150;
    pass(150);
    const first = ask();
    let asked = 1;
    for (let again = first; views.shouldAskAgain(again); again = ask()) {
      await views.rest();
      passed += 20;
      asked += 1;
    }
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(120);
    const isExcused = (first.shows?.recordsAgo ?? 0) > 0;
    expect(isExcused).toBe(truly < 1_000_000);
  });

  it('of streams grow by how late an overdue heartbeat comes; the wait fades, and the age stays', () => {
    const { views, pass } = viewsOfHost();
    const opened = { kind: 'exchange', id: 'a', party: 'sender', opensStream: true };
    views.learn('sender', 'stream', 100);
    views.noted(opened as unknown as HistoryRecord);
    for (const instant of [40_000, 80_000]) {
      views.moved(instant);
      expect(views.overdue()).toEqual(['sender']);
      pass(300);
      views.cameLate(['sender']);
    }
    views.moved(80_001);
    expect(views.streamsLeftMs()).toBeGreaterThan(295);
    for (let step = 2; step < 300; step += 1) views.moved(80_000 + step);
    expect(views.streamsLeftMs()).toBeLessThan(105);
    pass(310);
    expect(views.streamSince('sender')).toBeLessThan(80_299);
    pass(100);
    expect(views.streamSince('sender')).toBe(80_299);
  });

  it('within what was measured are asked no second time', async () => {
    const { views, pass, shows } = viewsOfHost();
    views.learn('sender', 'order.list', 100);
    shows('sender_custodian', 'order.read', 'FAILED');
    pass(50);
    expect(views.shouldAskAgain(shows('sender', 'order.list', 'PENDING'))).toBe(false);
  });

  it('are measured up to where something shows, or never does', async () => {
    const { views, pass } = viewsOfHost();
    let left = 200;
    const rest = async (pause: () => Promise<void>): Promise<void> => {
      left -= 20;
      pass(20);
      await pause();
    };
    const lateness = views.measuring();
    pass(10);
    expect(await lateness('read', async () => true, rest)).toEqual({ mostMs: 0, waitMs: 0 });
    const late = await lateness('read', async () => left <= 0, rest);
    expect(late?.mostMs).toBeGreaterThanOrEqual(210);
    // The request itself took ten of them, as the request that moves the clock does.
    expect(late?.waitMs).toBe((late?.mostMs ?? 0) - 10);
    expect(await lateness('read', async () => false, rest)).toBeUndefined();
    expect(await lateness('read', async () => undefined, rest)).toBeUndefined();
  });
});
