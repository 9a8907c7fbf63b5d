import { expect, it } from 'vitest';
import { isLoad, loaded, played } from './play-library.ts';

it('the whole library passes on the embedded reference, over more than two days of its time, and no rule objects', async () => {
  const { bad, targetMs } = await played(loaded('scenarios').filter((one) => !isLoad(one)));
  expect(bad).toEqual([]);
  expect(targetMs).toBeGreaterThan(2 * 24 * 3_600_000);
});

it('the scenarios of many orders pass on the embedded reference, and no rule objects', async () => {
  const many = loaded('scenarios').filter(isLoad);
  expect(many.length).toBeGreaterThan(0);
  expect((await played(many)).bad).toEqual([]);
});
