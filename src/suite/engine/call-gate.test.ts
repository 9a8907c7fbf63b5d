import { describe, expect, it } from 'vitest';
import { createCallGate } from './call-gate.ts';
import { aTimeline } from './testing.ts';
import { sideBySide } from '../../../test/support/side-by-side.ts';

describe('a quiet section', () => {
  it('gets its turn within its patience, however busy others are', async () => {
    const timeline = aTimeline();
    const gate = createCallGate(timeline, { concurrency: 8, overtakingMs: 500 });
    const start = timeline.now();
    let quietAt = 0;
    const busy = (owner: string, firstMs: number) => async () => {
      await timeline.sleep(firstMs);
      for (let i = 0; i < 50; i += 1) await gate.pass(owner, () => timeline.sleep(100));
    };
    await sideBySide(timeline, {
      a: busy('a', 0),
      b: busy('b', 50),
      quiet: async () => {
        await timeline.sleep(60);
        await gate.exclusively('quiet', async () => {
          quietAt = timeline.now() - start;
        });
      },
    });
    // It asked at 60, lost patience at 560, and the calls in flight by then ended within 100.
    expect(quietAt).toBeGreaterThanOrEqual(560);
    expect(quietAt).toBeLessThanOrEqual(700);
  });

  it('is over even when its body throws', async () => {
    const timeline = aTimeline();
    const gate = createCallGate(timeline, { concurrency: 1 });
    await timeline.act('all', async () => {
      await expect(gate.exclusively('a', () => Promise.reject(new Error('no')))).rejects.toThrow(
        'no',
      );
      await expect(gate.pass('b', () => Promise.resolve(1))).resolves.toBe(1);
    });
  });
});

describe('concurrency', () => {
  it('limits calls in flight and keeps their order', async () => {
    const timeline = aTimeline();
    const gate = createCallGate(timeline, { concurrency: 2 });
    let now = 0;
    let most = 0;
    const order: number[] = [];
    await timeline.together(
      [1, 2, 3, 4, 5].map((n) => [
        `${n}`,
        () =>
          gate.pass(`${n}`, async () => {
            order.push(n);
            now += 1;
            most = Math.max(most, now);
            await timeline.sleep(10);
            now -= 1;
          }),
      ]),
    );
    expect(most).toBe(2);
    expect(order).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('room', () => {
  it('is limited so that calls of running checks never wait long', async () => {
    const timeline = aTimeline();
    const gate = createCallGate(timeline, { concurrency: 2 });
    const waits: number[] = [];
    const begun: string[] = [];
    const check = async (owner: string): Promise<void> => {
      await gate.whenFree(owner);
      begun.push(owner);
      const running = (async () => {
        for (let call = 0; call < 3; call += 1) {
          const asked = timeline.now();
          await gate.pass(owner, async () => {
            waits.push(timeline.now() - asked);
            await timeline.sleep(100);
          });
        }
      })();
      gate.checkBegun();
      await running;
    };
    const owners = Array.from({ length: 40 }, (_, n) => `check ${n}`);
    await timeline.together(owners.map((owner) => [owner, () => check(owner)]));
    expect(begun).toEqual(owners);
    // Without, each call would wait for one of all others: two seconds.
    expect(Math.max(...waits)).toBeLessThanOrEqual(200);
  });
});

it('lets a prompt call go ahead of those that queue, but not into a quiet section', async () => {
  const timeline = aTimeline();
  const gate = createCallGate(timeline, { concurrency: 1 });
  const start = timeline.now();
  const begun: [string, number][] = [];
  const call = (owner: string, prompt: boolean) =>
    gate.pass(
      owner,
      async () => {
        begun.push([owner, timeline.now() - start]);
        await timeline.sleep(100);
      },
      { prompt },
    );
  await sideBySide(timeline, {
    first: () => call('first', false),
    second: () => call('second', false),
    prompt: () => call('prompt', true),
  });
  const quietSince = timeline.now() - start;
  await sideBySide(timeline, {
    quiet: () => gate.exclusively('quiet', () => timeline.sleep(50)),
    'prompt in quiet': () => call('prompt in quiet', true),
  });
  expect(begun).toEqual([
    ['first', 0],
    ['prompt', 0],
    ['second', 100],
    ['prompt in quiet', quietSince + 50],
  ]);
});

it('read-only sections run in parallel, and others may read but not write meanwhile', async () => {
  const timeline = aTimeline();
  const gate = createCallGate(timeline, { concurrency: 8 });
  const start = timeline.now();
  const log: [string, number][] = [];
  const call = (owner: string, reads: boolean) =>
    gate.pass(
      owner,
      async () => {
        log.push([owner, timeline.now() - start]);
        await timeline.sleep(10);
      },
      { reads },
    );
  const walk = (owner: string) => () =>
    gate.whileUnchanged(owner, async () => {
      await call(owner, true);
      await call(owner, true);
    });
  await sideBySide(timeline, {
    'early write': () => call('early write', false),
    a: walk('a'),
    b: walk('b'),
    late: async () => {
      await timeline.sleep(15);
      await timeline.together([
        ['write', () => call('write', false)],
        ['read', () => call('read', true)],
        ['alone', () => gate.exclusively('alone', () => call('alone', false))],
      ]);
    },
  });
  expect(log).toEqual([
    ['early write', 0],
    ['a', 10],
    ['b', 10],
    ['read', 15],
    ['a', 20],
    ['b', 20],
    ['alone', 30],
    ['write', 40],
  ]);
});
