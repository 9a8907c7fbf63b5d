import { describe, expect, it } from 'vitest';
import { mistakes, seedThatShows } from './mistakes.ts';

// Every mistake, each under twelve seeds until one shows it: mistakes.long.test.ts.

describe('drawn sequences let the rules find that', () => {
  it.each([
    ['a losing quote with a long rate stays PENDING', '1'],
    ['a quote is accepted in the second after its deadline', '5'],
    ['the cancel of a QUOTED order is acknowledged, and the order settles', '3'],
  ])('%s', async (name, seed) => {
    const mistake = mistakes.find((one) => one.name === name);
    if (!mistake) throw new Error(`no mistake is that ${name}`);
    expect(await seedThatShows(mistake, [seed])).toBe(seed);
  });
});
