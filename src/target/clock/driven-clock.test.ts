import { expect, it } from 'vitest';
import { withDrift } from './driven-clock.ts';

it('is ahead of its last reading by no more than the longest time between two', async () => {
  let host = 0;
  const { advance, aheadMs } = withDrift(
    async (ms) => {
      host += 40;
      return host + ms;
    },
    () => host,
  );
  expect(aheadMs()).toBe(1_000);
  host += 2_500;
  expect(aheadMs()).toBe(2_500);
  expect(await advance(1_000)).toBe(3_540);
  expect(aheadMs()).toBe(2_540);
  await advance(1_000);
  expect(aheadMs()).toBe(2_540);
});
