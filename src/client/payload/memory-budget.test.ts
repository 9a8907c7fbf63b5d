import { expect, test } from 'vitest';
import { createMemoryBudget } from './memory-budget.ts';

const mebibyte = 1024 * 1024;
const plenty = () => ({
  limit: 'run.kept_bytes' as const,
  bytes: 1_024 * mebibyte,
  streamBytes: 10 * mebibyte,
});

/** Number of values of this cost that the budget takes when it is offered 1,000. */
const taken = (budget: ReturnType<typeof createMemoryBudget>, cost: number): number =>
  Array.from({ length: 1_000 }, () => budget.take(cost)).filter((limit) => !limit).length;

test('takes values up to its size', () => {
  expect(taken(createMemoryBudget(plenty(), 10 * mebibyte), mebibyte)).toBe(10);
});

test('takes few large values, and small ones after them', () => {
  const budget = createMemoryBudget(plenty(), 128 * mebibyte);
  expect(taken(budget, 5 * mebibyte)).toBe(4);
  expect(budget.exceeded(5 * mebibyte)).toBe('party.large_bytes');
  expect(taken(budget, mebibyte)).toBe(108);
});

test('takes no more of all parties together than a run keeps', () => {
  const run = { ...plenty(), bytes: 15 * mebibyte };
  const [one, other] = [createMemoryBudget(run, 10 * mebibyte), createMemoryBudget(run)];
  expect([taken(one, mebibyte), taken(other, mebibyte)]).toEqual([10, 5]);
  expect([one.exceeded(1), other.exceeded(1)]).toEqual(['party.kept_bytes', 'run.kept_bytes']);
});

test('takes no more of all event streams together than a run reads', () => {
  const run = plenty();
  const [one, other] = [createMemoryBudget(run), createMemoryBudget(run)];
  expect(one.takeStream(6 * mebibyte)).toBeUndefined();
  expect(other.takeStream(4 * mebibyte)).toBeUndefined();
  expect(other.takeStream(1)).toBe('run.stream_bytes');
});
