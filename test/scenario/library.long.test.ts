import { expect, it } from 'vitest';
import { isLoad, loaded, played } from './play-library.ts';

it('the scenarios of many orders pass on the embedded reference, and no rule objects', async () => {
  const many = loaded('scenarios').filter(isLoad);
  expect(many.length).toBeGreaterThan(0);
  expect((await played(many)).bad).toEqual([]);
});
