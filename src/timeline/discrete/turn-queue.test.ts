import { expect, test } from 'vitest';
import { createSignal } from '../signal.ts';
import { random } from '../../random/random.ts';
import { drainMicrotasks, flushPending } from '../event-loop.ts';
import { LostTurnError } from '../timeline-errors.ts';
import type { Timeline } from '../timeline.ts';
import { virtualClock } from '../clock/virtual-clock.ts';
import { virtualTimeline } from '../virtual-timeline.ts';
import { sideBySide } from '../../../test/support/side-by-side.ts';

const fresh = (): Timeline => virtualTimeline(virtualClock(0), { watchdogMs: 2_000 });

test('turns run one at a time, first come first served, and not before everybody waits', async () => {
  const timeline = fresh();
  const seen: string[] = [];
  let underWay = 0;
  const worker = (name: string, turns: number) =>
    [
      name,
      async () => {
        await timeline.turn(async () => {
          underWay += 1;
          expect(underWay).toBe(1);
          await flushPending(turns);
          seen.push(name);
          underWay -= 1;
        });
      },
    ] as const;
  await timeline.together([worker('slow', 60), worker('quick', 0), worker('middling', 7)]);
  expect(seen).toEqual(['slow', 'quick', 'middling']);
});

test('two turns that one actor started side by side both run', async () => {
  const timeline = fresh();
  const both = timeline.act('a', () =>
    Promise.all([timeline.turn(async () => 1), timeline.turn(async () => 2), timeline.sleep(3)]),
  );
  expect((await both).slice(0, 2)).toEqual([1, 2]);
});

test('time does not move while anybody queues', async () => {
  const timeline = fresh();
  const seen: number[] = [];
  await sideBySide(timeline, {
    sleeper: async () => timeline.sleep(1),
    worker: async () => {
      for (let n = 0; n < 5; n += 1) {
        await timeline.turn(() => flushPending(5));
        seen.push(timeline.now());
      }
    },
  });
  expect(seen).toEqual([0, 0, 0, 0, 0]);
});

test('whoever a turn wakes goes on after its own actor, whenever within the turn the signal rang', async () => {
  const order = async (ringAfter: number, workTurns: number): Promise<string[]> => {
    const timeline = fresh();
    const signal = createSignal();
    const seen: string[] = [];
    await sideBySide(timeline, {
      listener: async () => {
        await timeline.wait(signal);
        seen.push('listener');
      },
      worker: async () => {
        await timeline.turn(async () => {
          void drainMicrotasks(ringAfter).then(() => signal.ring());
          await drainMicrotasks(workTurns);
        });
        seen.push('worker');
      },
    });
    return seen;
  };
  expect(await order(0, 20)).toEqual(['worker', 'listener']);
  expect(await order(3, 0)).toEqual(['worker', 'listener']);
});

test('work within a turn belongs to it; a wait within a turn is refused', async () => {
  const timeline = fresh();
  await timeline.act('a', async () => {
    expect(await timeline.turn(() => timeline.turn(async () => 7))).toBe(7);
    await expect(timeline.turn(() => timeline.sleep(1))).rejects.toThrow(/cannot wait/);
  });
});

test('what a turn set off may ask for a turn of its own later', async () => {
  const timeline = fresh();
  let late: Promise<string> | undefined;
  await timeline.act('a', async () => {
    await timeline.turn(async () => {
      void drainMicrotasks(3).then(() => (late = timeline.turn(async () => 'late')));
    });
    await timeline.sleep(5);
  });
  expect(await late).toBe('late');
});

test('a seeded pick among those that queue explores other orders, the same for the same seed', async () => {
  const orderFor = async (seed: bigint): Promise<string> => {
    const timeline = virtualTimeline(virtualClock(0), { random: random(seed) });
    const seen: string[] = [];
    await timeline.together(
      ['a', 'b', 'c', 'd'].map((name) => [
        name,
        async () => {
          await timeline.turn(async () => seen.push(name));
        },
      ]),
    );
    return seen.join('');
  };
  const orders = new Set<string>();
  for (let seed = 0n; seed < 20n; seed += 1n) orders.add(await orderFor(seed));
  expect(orders.size).toBeGreaterThan(5);
  expect(await orderFor(3n)).toBe(await orderFor(3n));
});

test('work that never ends loses its turn, and the others go on', async () => {
  const timeline = virtualTimeline(virtualClock(0), { watchdogMs: 40 });
  const results = await sideBySide<string>(timeline, {
    holder: () =>
      timeline
        .turn(() => new Promise<string>(() => {}))
        .catch((error: unknown) => (error instanceof LostTurnError ? error.message : 'other')),
    next: () => timeline.turn(async () => 'fine'),
  });
  expect(results[0]).toMatch(/^holder has had the turn/);
  expect(results[1]).toBe('fine');
});
