import fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from './virtual-clock.ts';

test('fires one deadline a step, in order, at its moment', () => {
  const clock = virtualClock(1_000);
  const seen: [string, number][] = [];
  const note = (name: string) => () => void seen.push([name, clock.now()]);
  clock.at(1_500, note('late'));
  clock.at(1_200, note('first'));
  clock.at(1_200, note('second'));
  expect(clock.nextDue()).toBe(1_200);
  expect(clock.advanceToNext()?.instant).toBe(1_200);
  expect(seen).toEqual([['first', 1_200]]);
  clock.advanceToNext();
  clock.advanceToNext();
  expect(seen.slice(1)).toEqual([
    ['second', 1_200],
    ['late', 1_500],
  ]);
  expect(clock.advanceToNext()).toBeUndefined();
});

test('what is scheduled for the past or for now fires at now, not at once', () => {
  const clock = virtualClock(1_000);
  let fired = 0;
  clock.at(10, () => (fired += 1));
  clock.at(1_000, () => (fired += 1));
  expect(fired).toBe(0);
  clock.advanceTo(1_000);
  expect(fired).toBe(2);
  expect(clock.now()).toBe(1_000);
});

test('what a deadline schedules for its own moment fires at that moment', () => {
  const clock = virtualClock(0);
  const seen: number[] = [];
  clock.at(5, () => clock.at(5, () => clock.at(6, () => void seen.push(clock.now()))));
  clock.advanceTo(5);
  expect(clock.nextDue()).toBe(6);
  clock.advanceTo(7);
  expect(seen).toEqual([6]);
});

test('delays beyond what a host timer can hold come due at their moment', () => {
  const clock = virtualClock(0);
  const far = 400 * 24 * 3_600_000;
  let at = -1;
  clock.at(far, () => (at = clock.now()));
  clock.advanceTo(far - 1);
  expect(at).toBe(-1);
  clock.advanceToNext();
  expect(at).toBe(far);
});

test('a cancelled deadline does not fire, and does not draw time to its moment', () => {
  const clock = virtualClock(0);
  let fired = false;
  const cancel = clock.at(5, () => (fired = true));
  clock.at(1, () => cancel());
  clock.at(9, () => {});
  clock.advanceToNext();
  clock.advanceToNext();
  expect([fired, clock.now()]).toEqual([false, 9]);
});

test('time goes forward only, and is not moved from within a deadline', () => {
  const clock = virtualClock(10);
  expect(() => clock.advanceTo(9)).toThrow(RangeError);
  clock.at(11, () => clock.advanceTo(20));
  expect(() => clock.advanceToNext()).toThrow(/within a deadline/);
});

test('a deadline that throws is spent, and the next one still fires', () => {
  const clock = virtualClock(0);
  let fired = false;
  clock.at(1, () => {
    throw new Error('boom');
  });
  clock.at(2, () => (fired = true));
  expect(() => clock.advanceToNext()).toThrow('boom');
  clock.advanceToNext();
  expect([fired, clock.now()]).toEqual([true, 2]);
});

test('however time is cut into steps, the same deadlines fire in the same order at the same moments', () => {
  const moments = fc.array(fc.nat({ max: 100 }), { maxLength: 30 });
  const cuts = fc.array(fc.nat({ max: 120 }), { maxLength: 10 });
  const trace = (wanted: readonly number[], stops: readonly number[]): string[] => {
    const clock = virtualClock(0);
    const seen: string[] = [];
    wanted.forEach((instant, index) => {
      clock.at(instant, () => {
        seen.push(`${index}@${clock.now()}`);
        if (index % 3 === 0) clock.at(instant + 7, () => seen.push(`${index}+@${clock.now()}`));
      });
    });
    for (const stop of [...stops].sort((a, b) => a - b)) clock.advanceTo(stop);
    clock.advanceTo(200);
    return seen;
  };
  fc.assert(
    fc.property(moments, cuts, (wanted, stops) => {
      expect(trace(wanted, stops)).toEqual(trace(wanted, []));
    }),
  );
});
