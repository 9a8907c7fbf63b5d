import { expect, test } from 'vitest';
import { createSignal } from './signal.ts';
import { controlledTimeline } from './controlled-timeline.ts';
import { flushPending } from './event-loop.ts';
import { virtualClock } from './clock/virtual-clock.ts';
import { sideBySide } from '../../test/support/side-by-side.ts';

/** A target whose clock is driven: it answers some turns of the event loop later. */
function drivenTarget() {
  const clock = virtualClock(5_000);
  const advances: number[] = [];
  return {
    clock,
    advances,
    startMs: clock.now(),
    async advance(ms: number) {
      advances.push(ms);
      await flushPending(3);
      clock.advanceTo(clock.now() + ms);
      await flushPending(3);
      return clock.now();
    },
  };
}

test('starts where the target stands and moves it slice by slice to what is due', async () => {
  const target = drivenTarget();
  const timeline = controlledTimeline(target);
  await timeline.act('a', () => timeline.sleep(2_500));
  expect(target.advances).toEqual([1_000, 1_000, 500]);
  expect([timeline.now(), target.clock.now()]).toEqual([7_500, 7_500]);
});

test('goes in long strides while all sleep for long, and in short ones while anybody listens', async () => {
  const target = drivenTarget();
  const timeline = controlledTimeline(target);
  await timeline.act('sleeper', () => timeline.sleep(131_000));
  expect(target.advances.filter((ms) => ms === 10_000)).toHaveLength(2);
  expect(target.advances.filter((ms) => ms === 1_000)).toHaveLength(111);
  target.advances.length = 0;
  await timeline.act('listener', () => timeline.wait(createSignal(), timeline.now() + 131_000));
  expect(target.advances).toEqual(Array.from({ length: 131 }, () => 1_000));
});

test('a year to the turn of it costs no more than some thousand steps', async () => {
  const target = drivenTarget();
  const timeline = controlledTimeline(target);
  await timeline.act('sleeper', () => timeline.sleep(365 * 86_400_000));
  expect(Math.max(...target.advances)).toBe(3_600_000);
  expect(target.advances.length).toBeLessThan(9_500);
});

test('strides grow with the calm, and are short again before whoever wakes', async () => {
  const target = drivenTarget();
  const timeline = controlledTimeline(target);
  await timeline.act('sleeper', () => timeline.sleep(7_200_000));
  const short = target.advances.findLastIndex((ms) => ms > 1_000) + 1;
  const longest = Math.max(...target.advances);
  expect(longest).toBeGreaterThan(300_000);
  expect(longest).toBeLessThan(720_000);
  expect(target.advances.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 10_000));
  expect(target.advances.slice(short).every((ms) => ms === 1_000)).toBe(true);
  expect(target.advances.length - short).toBeGreaterThan(60);
  expect(target.advances.length).toBeLessThan(240);
});

test('what a long step set off may arrive during later steps; after a short one all has arrived', async () => {
  const target = drivenTarget();
  const passing: boolean[] = [];
  const flushPending = async (isPassing = false): Promise<void> => void passing.push(isPassing);
  const timeline = controlledTimeline(target, { flushPending });
  await timeline.act('sleeper', () => timeline.sleep(7_200_000));
  const ofSteps = passing.slice(-target.advances.length);
  expect(ofSteps).toEqual(target.advances.map((ms) => ms > 1_000));
});

test('does not move while a request is in flight, and requests run side by side', async () => {
  const target = drivenTarget();
  const timeline = controlledTimeline(target, { sliceMs: () => 10_000 });
  let most = 0;
  let underWay = 0;
  const request = () =>
    timeline.turn(async () => {
      most = Math.max(most, (underWay += 1));
      await flushPending(20);
      underWay -= 1;
      return target.clock.now();
    });
  const [, moments] = await sideBySide<unknown>(timeline, {
    sleeper: () => timeline.sleep(10),
    caller: () => Promise.all([request(), request()]),
  });
  expect([most, moments]).toEqual([2, [5_000, 5_000]]);
});

test('what arrives while the target moves is known to lie within that step, or was read late from the one before', async () => {
  const target = drivenTarget();
  const timeline = controlledTimeline(target, { sliceMs: () => 100 });
  const signal = createSignal();
  const seen: unknown[] = [];
  target.clock.at(5_250, () => {
    seen.push(timeline.earliest?.(), timeline.now());
    signal.ring();
  });
  await timeline.act('listener', async () => {
    seen.push(await timeline.wait(signal, 9_000), timeline.earliest?.(), timeline.now());
  });
  expect(seen).toEqual([5_100, 5_300, 'rung', 5_300, 5_300]);
});

test('what is read after a long step may have come at its beginning; after a short one it is of now', async () => {
  const target = drivenTarget();
  const timeline = controlledTimeline(target);
  const before: unknown[] = [];
  const look = () => before.push(timeline.now() - (timeline.earliest?.() ?? 0));
  const advance = target.advance.bind(target);
  // The end of each step is read from within the next, which begins where it ended.
  target.advance = async (ms) => {
    look();
    return advance(ms);
  };
  await timeline.act('sleeper', () => timeline.sleep(145_000));
  look();
  // Of the step itself and the one before: long after long, short after long, short after short.
  expect(new Set(before)).toEqual(new Set([10_000, 20_000, 11_000, 2_000, 0]));
});

test('nobody acts before the step has ended', async () => {
  const target = drivenTarget();
  const signal = createSignal();
  let moving = false;
  const timeline = controlledTimeline({
    ...target,
    async advance(ms) {
      moving = true;
      const now = await target.advance(ms);
      moving = false;
      return now;
    },
  });
  target.clock.at(5_100, () => signal.ring());
  await timeline.act('listener', async () => {
    await timeline.wait(signal, 6_000);
    expect(moving).toBe(false);
  });
});

test('a target that rounds, or goes on by itself, is followed; any other that leaps, goes back or stands still fails the run', async () => {
  const target = drivenTarget();
  const rounding = controlledTimeline({ ...target, advance: async () => 6_000 });
  await rounding.act('a', () => rounding.sleep(10));
  expect(rounding.now()).toBe(6_000);
  const leap = { ...target, advance: async () => 60_000 };
  const running = controlledTimeline(leap, { driftMs: () => 60_000 });
  await running.act('a', () => running.sleep(10));
  expect(running.now()).toBe(60_000);
  const eager = controlledTimeline(leap);
  await expect(eager.act('a', () => eager.sleep(10))).rejects.toThrow(
    'was told to go on to 1970-01-01T00:00:05.010Z, and went on to 1970-01-01T00:01:00.000Z',
  );
  const back = controlledTimeline({ ...target, advance: async () => 1_000 });
  await expect(back.act('a', () => back.sleep(10))).rejects.toThrow(
    'went back from 1970-01-01T00:00:05.000Z to 1970-01-01T00:00:01.000Z',
  );
  const dead = controlledTimeline({ ...target, advance: async () => 5_000 });
  await expect(dead.act('a', () => dead.sleep(10))).rejects.toThrow(/stands still/);
});

test('a target that counts whole seconds goes on by steps that are shorter', async () => {
  const target = drivenTarget();
  const advance = async (ms: number) => Math.floor((await target.advance(ms)) / 1_000) * 1_000;
  const timeline = controlledTimeline({ ...target, advance }, { sliceMs: () => 100 });
  await timeline.act('sleeper', () => timeline.sleep(2_500));
  expect(timeline.now()).toBe(8_000);
});

test('a clock that cannot be reached fails whoever waits', async () => {
  const target = drivenTarget();
  const advance = () => Promise.reject(new Error('connection refused'));
  const timeline = controlledTimeline({ ...target, advance });
  await expect(timeline.act('a', () => timeline.sleep(10))).rejects.toThrow('connection refused');
});

test('all that is due at the moment at which the target stands goes on side by side', async () => {
  const timeline = controlledTimeline(drivenTarget());
  let most = 0;
  let underWay = 0;
  const check = async (): Promise<void> => {
    await timeline.sleep(0);
    await timeline.turn(async () => {
      most = Math.max(most, (underWay += 1));
      await flushPending(20);
      underWay -= 1;
    });
  };
  await timeline.together(['a', 'b', 'c'].map((name) => [name, check] as const));
  expect(most).toBe(3);
});

/** Start of each call in ms. One actor makes three calls, another one call after 30 ms. */
async function callsBesideSleep(patienceMs: number, still: boolean) {
  const target = drivenTarget();
  const timeline = controlledTimeline(target, { patienceMs: () => patienceMs });
  const begun: number[] = [];
  let inFlight = 0;
  const call = (): Promise<void> =>
    timeline.turn(
      async () => {
        begun.push(target.clock.now() - 5_000);
        inFlight += 1;
        await flushPending(20);
        inFlight -= 1;
      },
      { still },
    );
  target.advance = ((advance) => async (ms: number) => {
    expect(inFlight).toBe(0);
    return advance(ms);
  })(target.advance.bind(target));
  await sideBySide(timeline, {
    sleeper: async () => {
      await timeline.sleep(30);
      await call();
    },
    caller: async () => {
      for (let n = 0; n < 3; n += 1) await call();
    },
  });
  return begun;
}

test.each([
  ['no patience: all calls first', 0, false, [0, 0, 0, 30]],
  ['too little of it', 9, false, [0, 0, 0, 30]],
  ['enough before the first answer', 30, false, [30, 30, 30, 30]],
  ['enough after one answer', 15, false, [0, 30, 30, 30]],
  ['enough after two answers', 10, false, [0, 0, 30, 30]],
  ['calls before which no time is to pass', 30, true, [0, 0, 0, 30]],
] as const)(
  'time goes on between the calls of one actor, for another: %s',
  async (_, ms, still, begun) => {
    expect(await callsBesideSleep(ms, still)).toEqual(begun);
  },
);

test.each([
  ['waits for all calls where answers come at once', 0, 'call, due'],
  ['goes on beside them where they take long', 10, 'due, call'],
] as const)('who waits for the moment at which the clock stands %s', async (_, ms, order) => {
  const timeline = controlledTimeline(drivenTarget(), { patienceMs: () => ms });
  const seen: string[] = [];
  await sideBySide(timeline, {
    caller: async () => {
      await timeline.turn(() => flushPending(60));
      seen.push('call');
    },
    sleeper: async () => {
      await timeline.sleep(0);
      seen.push('due');
    },
  });
  expect(seen.join(', ')).toBe(order);
});

test('while many calls are under way none is held back for somebody whose moment comes', async () => {
  const target = drivenTarget();
  const timeline = controlledTimeline(target, { patienceMs: () => 30 });
  const begun: number[] = [];
  const call = (turns: number) =>
    timeline.turn(async () => {
      begun.push(target.clock.now() - 5_000);
      await flushPending(turns);
    });
  const slow = Array.from({ length: 24 }, (_, n) => [`slow ${n}`, () => call(200)] as const);
  await timeline.together([
    ['sleeper', () => timeline.sleep(40)],
    ...slow,
    [
      'caller',
      async () => {
        await call(1);
        await call(1);
      },
    ],
  ]);
  expect(begun.filter((at) => at === 0)).toHaveLength(26);
});

test('its end reaches all that goes on, also while a step or a request never ends', async () => {
  let steps = 0;
  const never = new Promise<never>(() => {});
  const timeline = controlledTimeline({
    startMs: 0,
    advance: () => {
      steps += 1;
      return never;
    },
  });
  const told: string[] = [];
  const actor = (name: string, body: () => Promise<unknown>) =>
    [name, () => body().catch((error: Error) => told.push(`${name}: ${error.message}`))] as const;
  const run = timeline.act('run', () =>
    timeline.together([
      actor('sleeper', () => timeline.sleep(5_000)),
      actor('listener', () => timeline.wait(createSignal())),
    ]),
  );
  await flushPending(10);
  expect(steps).toBe(1);
  const caller = timeline.turn(() => never);
  timeline.end(new Error('over'));
  await expect(run).rejects.toThrow('over');
  await expect(caller).rejects.toThrow('over');
  await flushPending();
  expect(told.toSorted()).toEqual(['listener: over', 'sleeper: over']);
  await expect(timeline.act('late', async () => 1)).rejects.toThrow('over');
});
