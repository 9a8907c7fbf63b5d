import { expect, it } from 'vitest';
import { flaws } from './flaws.ts';
import { showsAt } from './proofs.ts';

// Every flaw in every dialect: shows.long.test.ts.
const sample = flaws.filter((_, index) => index % 5 === 2).map((flaw) => [flaw.id, flaw] as const);

it.each(sample)('%s shows to a client', async (_, flaw) => {
  expect(await showsAt(flaw, 'harbour')).toEqual({ sound: false, flawed: true });
});
