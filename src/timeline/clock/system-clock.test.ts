import { expect, test } from 'vitest';
import { systemClock } from './system-clock.ts';

const firedAt = (clock: ReturnType<typeof systemClock>, instant: number): Promise<number> =>
  new Promise((resolve) => {
    clock.at(instant, () => resolve(clock.now()));
  });

test('never early, in order, and never at once', async () => {
  const clock = systemClock();
  const start = clock.now();
  const order: string[] = [];
  const late = firedAt(clock, start + 30).then(() => order.push('late'));
  const soon = firedAt(clock, start + 10).then(() => order.push('soon'));
  const past = firedAt(clock, start - 1_000).then(() => order.push('past'));
  expect(order).toEqual([]);
  expect(await firedAt(clock, start + 15)).toBeGreaterThanOrEqual(start + 15);
  await Promise.all([late, soon, past]);
  expect(order).toEqual(['past', 'soon', 'late']);
});

test('a moment beyond what a host timer can hold does not fire now', async () => {
  const clock = systemClock();
  let fired = false;
  const cancel = clock.at(clock.now() + 2 ** 31 + 5_000, () => (fired = true));
  await firedAt(clock, clock.now() + 20);
  expect(fired).toBe(false);
  cancel();
});

test('a cancelled deadline does not fire', async () => {
  const clock = systemClock();
  let fired = false;
  const cancel = clock.at(clock.now() + 5, () => (fired = true));
  cancel();
  await firedAt(clock, clock.now() + 15);
  expect(fired).toBe(false);
});
