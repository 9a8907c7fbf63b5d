import { describe, expect, it } from 'vitest';
import { parts } from '../vocabulary.ts';
import { type Gap, gapIds, gaps, referenceAnswers } from './index.ts';

const register: Readonly<Record<string, Gap>> = gaps;

describe('the gap register', () => {
  it('has well-formed names', () => {
    expect(gapIds.filter((id) => !/^[a-z]+\.[a-z][a-z_]*$/.test(id))).toEqual([]);
  });

  it.each(gapIds)('%s is a whole entry', (id) => {
    const gap = gaps[id];
    expect(parts as readonly string[]).toContain(gap.part.split('.')[0]);
    expect(gap.question).toMatch(/\?$/);
    expect(new Set(gap.values).size).toBe(gap.values.length);
    for (const text of [...gap.values, gap.others, gap.because, gap.observe]) {
      expect(text.trim()).not.toBe('');
    }
    expect(gap.because).toMatch(/\.$/);
  });

  it('has an answer of the reference to each', () => {
    expect(Object.keys(referenceAnswers)).toEqual(gapIds);
    for (const id of gapIds) expect(register[id]?.values).toContain(referenceAnswers[id]);
  });
});
