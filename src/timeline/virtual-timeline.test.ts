import { expect, test } from 'vitest';
import { createSignal } from './signal.ts';
import { drainMicrotasks, eventLoopTurn, flushPending } from './event-loop.ts';
import { DeadlockError, StalledError } from './timeline-errors.ts';
import type { Timeline } from './timeline.ts';
import { virtualClock } from './clock/virtual-clock.ts';
import { virtualTimeline } from './virtual-timeline.ts';
import { sideBySide } from '../../test/support/side-by-side.ts';

const fresh = (): Timeline => virtualTimeline(virtualClock(0), { watchdogMs: 2_000 });

test('actors that sleep are woken in order, each at its moment', async () => {
  const timeline = fresh();
  const seen: string[] = [];
  const sleeper = (name: string, ms: number) =>
    [
      name,
      async () => {
        await timeline.sleep(ms);
        seen.push(`${name}@${timeline.now()}`);
      },
    ] as const;
  await timeline.together([sleeper('a', 3_600_000), sleeper('b', 5), sleeper('c', 5)]);
  expect(seen).toEqual(['b@5', 'c@5', 'a@3600000']);
});

test('time stands still while an actor is busy with what the timeline does not know', async () => {
  const timeline = fresh();
  const seen: number[] = [];
  await sideBySide(timeline, {
    busy: async () => {
      await flushPending(50);
      seen.push(timeline.now());
    },
    sleeper: async () => {
      await timeline.sleep(10);
      seen.push(timeline.now());
    },
  });
  expect(seen).toEqual([0, 10]);
});

test('those who are woken together go on one after another, each until it waits again', async () => {
  const timeline = fresh();
  const seen: string[] = [];
  const walker = (name: string) =>
    [
      name,
      async () => {
        for (const round of [1, 2]) {
          seen.push(`${name}${round} begins`);
          for (let step = 0; step < 5; step += 1) await Promise.resolve();
          seen.push(`${name}${round} ends`);
          await timeline.sleep(10);
        }
      },
    ] as const;
  await timeline.together([walker('a'), walker('b')]);
  const whole = (name: string) => [`${name} begins`, `${name} ends`];
  expect(seen).toEqual(['a1', 'b1', 'a2', 'b2'].flatMap(whole));
});

test('an actor that waits after something else than the timeline is told to make that a turn', async () => {
  const timeline = virtualTimeline(virtualClock(0), { watchdogMs: 40 });
  const stuck = timeline.act('lost', async () => {
    await eventLoopTurn();
    await timeline.sleep(1);
  });
  await expect(stuck).rejects.toThrow(/by lost \(.*is a turn\)/);
});

test('the past comes due after a turn, without time moving', async () => {
  const timeline = fresh();
  await timeline.act('a', async () => {
    await timeline.sleep(10);
    await timeline.until(3);
    await timeline.sleep(-5);
    expect(timeline.now()).toBe(10);
  });
});

test('deadlines of a world on the same clock come due among the waits', async () => {
  const clock = virtualClock(0);
  const timeline = virtualTimeline(clock);
  const seen: string[] = [];
  const signal = createSignal();
  clock.at(20, () => {
    seen.push('world');
    signal.ring();
  });
  await sideBySide(timeline, {
    early: async () => {
      await timeline.sleep(10);
      seen.push('early');
    },
    listener: async () => {
      seen.push(await timeline.wait(signal, 30));
      seen.push(`${timeline.now()}`);
    },
  });
  expect(seen).toEqual(['early', 'world', 'rung', '20']);
});

test('moments follow each other without a turn of the event loop, which the host gets now and then', async () => {
  const clock = virtualClock(0);
  for (let moment = 1; moment <= 1_000; moment += 1) clock.at(moment, () => {});
  let turns = 0;
  const count = (): void => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const timeline = virtualTimeline(clock);
  await timeline.act('a', () => timeline.sleep(1_001)).finally(() => clearImmediate(immediate));
  expect(turns).toBeGreaterThan(3);
  expect(turns).toBeLessThan(30);
});

test('what a deadline sets off arrives before the next one, a few rounds of microtasks later', async () => {
  const clock = virtualClock(0);
  const seen: string[] = [];
  clock.at(10, () => void drainMicrotasks(3).then(() => seen.push('set off')));
  clock.at(10, () => seen.push('next'));
  const timeline = virtualTimeline(clock);
  await timeline.act('a', () => timeline.sleep(11));
  expect(seen).toEqual(['set off', 'next']);
});

test('what a deadline sets off is not waited for where it says that it only writes', async () => {
  const clock = virtualClock(0);
  const seen: string[] = [];
  clock.at(10, () => void drainMicrotasks(3).then(() => seen.push('set off')), 'writes');
  clock.at(10, () => seen.push('next'), 'writes');
  const timeline = virtualTimeline(clock);
  await timeline.act('a', () => timeline.sleep(11));
  expect(seen[0]).toBe('next');
});

test('whoever waits for what a deadline writes goes on before the next deadline', async () => {
  const clock = virtualClock(0);
  const timeline = virtualTimeline(clock);
  const signal = createSignal();
  const seen: string[] = [];
  clock.at(10, () => signal.ring(), 'writes');
  clock.at(10, () => seen.push('next'), 'writes');
  await timeline.act('listener', async () => {
    seen.push(await timeline.wait(signal, 30));
    await timeline.sleep(1);
  });
  expect(seen).toEqual(['rung', 'next']);
});

test('a wait tells whether the signal rang or the moment came, and a later ring is not remembered', async () => {
  const timeline = fresh();
  const signal = createSignal();
  await timeline.act('a', async () => {
    signal.ring();
    expect(await timeline.wait(signal, 5)).toBe('due');
    const waiting = timeline.wait(signal);
    signal.ring();
    expect(await waiting).toBe('rung');
    expect(timeline.now()).toBe(5);
  });
});

test('acting within together, and together within acting, do not hold each other up', async () => {
  const timeline = fresh();
  const results = await timeline.act('outer', () =>
    sideBySide(timeline, {
      left: async () => timeline.act('inner', async () => timeline.sleep(5).then(() => 1)),
      right: async () => (await timeline.together([['x', async () => timeline.sleep(9)]])).length,
    }),
  );
  expect([results, timeline.now()]).toEqual([[1, 1], 9]);
});

test('together waits for all and throws what was thrown first', async () => {
  const timeline = fresh();
  let ended = false;
  const all = sideBySide(timeline, {
    late: async () => {
      await timeline.sleep(10);
      throw new Error('late');
    },
    early: async () => {
      await timeline.sleep(5);
      throw new Error('early');
    },
    fine: async () => {
      await timeline.sleep(20);
      ended = true;
    },
  });
  await expect(all).rejects.toThrow('early');
  expect(ended).toBe(true);
});

test('background waits come due with the others but do not move time', async () => {
  const timeline = fresh();
  const seen: number[] = [];
  let on = true;
  const serving = timeline.background('beat', async () => {
    while (on) {
      await timeline.sleep(10);
      seen.push(timeline.now());
    }
  });
  await flushPending(50);
  expect(seen).toEqual([]);
  await timeline.act('a', async () => timeline.sleep(25));
  await flushPending(50);
  expect(seen).toEqual([10, 20]);
  on = false;
  await timeline.act('a', async () => timeline.sleep(10));
  await serving;
});

test('a deadlock is told to those who wait, by name', async () => {
  const timeline = fresh();
  const signal = createSignal();
  const stuck = timeline.act('giver', async () =>
    timeline.act('taker', () => timeline.wait(signal)),
  );
  await expect(stuck).rejects.toThrow(DeadlockError);
  await expect(timeline.act('other', () => timeline.wait(signal))).rejects.toThrow(/other/);
});

test('those who wait without a moment are told even though something keeps coming due', async () => {
  const clock = virtualClock(0);
  const timeline = virtualTimeline(clock);
  const beat = (): void => void clock.at(clock.now() + 3_600_000, beat);
  beat();
  const stuck = timeline.act('a', () => timeline.wait(createSignal()));
  await expect(stuck).rejects.toThrow(DeadlockError);
});

test('the watchdog names who holds time still, and ends everybody', async () => {
  const timeline = virtualTimeline(virtualClock(0), { watchdogMs: 40 });
  const sleeper = timeline.act('sleeper', () => timeline.sleep(5));
  const holder = timeline.act('holder', () => new Promise<void>(() => {}));
  await expect(holder).rejects.toThrow(/by holder \(/);
  await expect(sleeper).rejects.toThrow(StalledError);
  await expect(timeline.sleep(1)).rejects.toThrow(StalledError);
});

test('a deadline of the world that throws fails the run instead of being lost', async () => {
  const clock = virtualClock(0);
  const timeline = virtualTimeline(clock);
  clock.at(5, () => {
    throw new Error('bug in the world');
  });
  await expect(timeline.act('a', () => timeline.sleep(10))).rejects.toThrow('bug in the world');
});

test('waits outside of any actor move time too', async () => {
  const timeline = fresh();
  await timeline.sleep(1_000);
  expect(timeline.now()).toBe(1_000);
});

test('a timeline within an actor of another does not take its actors for its own', async () => {
  const outer = fresh();
  const inner = fresh();
  await outer.act('campaign', () => inner.act('world', () => inner.sleep(100)));
  expect([outer.now(), inner.now()]).toEqual([0, 100]);
});

test('5,000 sleeps at once end in order', async () => {
  const timeline = fresh();
  const count = 5_000;
  let last = 0;
  let inOrder = true;
  const sleep = async (ms: number): Promise<void> => {
    await timeline.sleep(ms);
    inOrder &&= timeline.now() >= last;
    last = timeline.now();
  };
  await timeline.act('sleeper', () =>
    Promise.all(Array.from({ length: count }, (_, index) => sleep((index * 7_919) % count))),
  );
  expect([inOrder, last]).toEqual([true, count - 1]);
});
