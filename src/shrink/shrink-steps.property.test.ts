import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, shrinkSteps } from './shrink-steps.ts';

/** Shows it as long as some numbers are in the list, each at least a certain size. */
const needing = (
  needed: readonly number[],
  limit = Number.POSITIVE_INFINITY,
): Attempt<readonly number[]> => {
  let tries = 0;
  return async (steps) => {
    tries += 1;
    if (tries > limit) return 'spent';
    return needed.every((one) => steps.some((step) => step >= one)) ? 'shows' : 'shows not';
  };
};
const smaller = (step: number): readonly number[] => (step > 0 ? [step - 1] : []);

describe('making a list of steps shorter', () => {
  it('ends when no step can be removed or simplified', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 9 }), { maxLength: 20, size: 'max' }),
        fc.nat({ max: 9 }),
        async (steps, needed) => {
          fc.pre(steps.some((step) => step >= needed));
          expect(await shrinkSteps(steps, { smaller }, needing([needed]))).toEqual([needed]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes few tries for each step', async () => {
    const steps = Array.from({ length: 64 }, (_, index) => index % 2);
    let tries = 0;
    const shows: Attempt<readonly number[]> = async (some) => {
      tries += 1;
      return some.filter((one) => one === 1).length === 32 ? 'shows' : 'shows not';
    };
    const found = await shrinkSteps(steps, { smaller: () => [] }, shows);
    expect(found).toHaveLength(32);
    expect(tries).toBeLessThan(5 * steps.length);
  });

  it('keeps its result when time is up', async () => {
    const steps = [5, 1, 2, 3];
    expect(await shrinkSteps(steps, { smaller }, needing([5], 0))).toEqual(steps);
    const some = await shrinkSteps(steps, { smaller }, needing([5], 3));
    expect(some).toContain(5);
    expect(some.length).toBeLessThanOrEqual(4);
  });

  it('uses a custom removal if one is given', async () => {
    const without = (steps: readonly number[], from: number, size: number): readonly number[] => {
      const sum = steps.slice(from, from + size).reduce((all, step) => all + step, 0);
      const [first, ...rest] = steps.slice(from + size);
      return [...steps.slice(0, from), ...(first === undefined ? [] : [first + sum, ...rest])];
    };
    const total: Attempt<readonly number[]> = async (steps) =>
      steps.reduce((all, step) => all + step, 0) >= 6 ? 'shows' : 'shows not';
    const found = await shrinkSteps([1, 2, 3, 4], { smaller, without }, total);
    expect(found).toEqual([6]);
  });
});
