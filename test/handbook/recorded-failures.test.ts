import { expect, it } from 'vitest';
import { saidAgain } from './recorded-failures.ts';

it.each(['order.cancel.executing-refused', 'convention.timestamps'] as const)(
  'the suite says of %s what was recorded (npm run handbook)',
  async (id) => {
    const { now, recorded } = await saidAgain(id);
    expect(now).toBe(recorded);
  },
);
