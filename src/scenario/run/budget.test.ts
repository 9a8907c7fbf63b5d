import { expect, it } from 'vitest';
import { ownLimits } from '../../history/limits.ts';
import { createBudget } from './budget.ts';
import { Halt } from './halt.ts';

/** The limit that ended some work. */
function limitOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Halt && error.ending.kind === 'inconclusive') return error.ending.limit;
    throw error;
  }
}

it('stops a scenario at its number of steps, in any time on a driven clock', () => {
  const budget = createBudget(undefined);
  for (let n = 0; n < ownLimits['scenario.steps']; n += 1) budget.step();
  expect(limitOf(() => budget.step())).toBe('scenario.steps');
});

it('stops a scenario at its duration on a clock that is not driven', () => {
  let now = 1_000;
  const budget = createBudget(() => now);
  now += ownLimits['scenario.own_clock_ms'];
  expect(limitOf(() => budget.step())).toBeUndefined();
  now += 1;
  expect(limitOf(() => budget.step())).toBe('scenario.own_clock_ms');
});

it('stops a scenario at the total length of its values', () => {
  const budget = createBudget(undefined);
  budget.value(ownLimits['scenario.all_chars']);
  expect(limitOf(() => budget.value(0))).toBeUndefined();
  expect(limitOf(() => budget.value(1))).toBe('scenario.all_chars');
});
