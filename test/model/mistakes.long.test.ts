import { describe, expect, it } from 'vitest';
import { mistakes, seedThatShows } from './mistakes.ts';

describe('drawn sequences let the rules find that', () => {
  it.each(mistakes.map((mistake) => [mistake.name, mistake] as const))('%s', async (_, mistake) => {
    expect(await seedThatShows(mistake)).toBeDefined();
  });
});
