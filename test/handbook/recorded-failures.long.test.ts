import { expect, it } from 'vitest';
import { everyNth, saidAgain } from './recorded-failures.ts';

it.each(everyNth(20))('the suite says of %s what was recorded (npm run handbook)', async (id) => {
  const { now, recorded } = await saidAgain(id);
  expect(now).toBe(recorded);
});
