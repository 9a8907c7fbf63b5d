import { describe, expect, it } from 'vitest';
import { Outages } from './outages.ts';

describe('outages', () => {
  it('that follow each other are never longer together than a target may be late', () => {
    const outages = new Outages();
    expect(outages.begin(0, 1_200)).toBe(1_200);
    expect(outages.begin(1_200, 1_200)).toBe(1_200);
    expect(outages.begin(2_300, 1_200)).toBe(200);
    expect(outages.begin(2_500, 1_200)).toBe(0);
    expect(outages.begin(2_501, 1_200)).toBe(1_200);
  });

  it('have room for what is carried out late after them', () => {
    const outages = new Outages();
    expect(outages.begin(0, 2_000, 1_000)).toBe(1_500);
    expect([outages.overMs, outages.isLate(2_500), outages.isLate(2_501)]).toEqual([
      2_500,
      true,
      false,
    ]);
  });
});
