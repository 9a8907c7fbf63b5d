import { expect, test } from 'vitest';
import { createSignal } from './signal.ts';
import { systemClock } from './clock/system-clock.ts';
import { systemTimeline } from './system-timeline.ts';
import { sideBySide } from '../../test/support/side-by-side.ts';

const timeline = systemTimeline(systemClock());

test('waits as long as it takes, side by side', async () => {
  const start = timeline.now();
  await sideBySide(timeline, {
    a: () => timeline.sleep(20),
    b: () => timeline.act('c', () => timeline.until(start + 30)),
  });
  expect(timeline.now()).toBeGreaterThanOrEqual(start + 30);
  expect(timeline.now()).toBeLessThan(start + 2_000);
});

test('a wait ends with the signal or with the moment', async () => {
  const signal = createSignal();
  const ringing = timeline.wait(signal, timeline.now() + 10_000);
  signal.ring();
  expect(await ringing).toBe('rung');
  expect(await timeline.wait(signal, timeline.now() + 5)).toBe('due');
  expect(await timeline.turn(async () => 3)).toBe(3);
});

test('together waits for all and throws what was thrown first', async () => {
  let ended = false;
  const all = sideBySide(timeline, {
    late: () => timeline.sleep(10).then(() => (ended = true)),
    early: () => Promise.reject(new Error('early')),
  });
  await expect(all).rejects.toThrow('early');
  expect(ended).toBe(true);
});

test('its end gives its error to all that wait, act or have work under way, and to all that come later', async () => {
  const ending = systemTimeline(systemClock());
  const never = new Promise<never>(() => {});
  const under = [
    ending.sleep(60_000),
    ending.until(ending.now() + 60_000),
    ending.wait(createSignal()),
    ending.turn(() => never),
    ending.act('stuck', () => never),
    ending.together([['stuck', () => never]]),
  ].map((one) => one.catch((error: unknown) => error));
  const error = new Error('it is over');
  ending.end(error);
  ending.end(new Error('a second reason'));
  expect(await Promise.all(under)).toEqual(under.map(() => error));
  await expect(ending.sleep(1)).rejects.toBe(error);
  await expect(ending.turn(async () => 1)).rejects.toBe(error);
  await expect(ending.act('late', async () => 1)).rejects.toBe(error);
});
