import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { patchedSource, sourceOf } from './flawed-peer.ts';
import { parts } from '../../src/spec/vocabulary.ts';
import { flaws } from './flaws.ts';
import { minute } from './flaws/flaw.ts';

describe('the independent flaws', () => {
  it('are ninety-eight, each with an id of its own', () => {
    expect(flaws).toHaveLength(98);
    expect(new Set(flaws.map(({ id }) => id)).size).toBe(98);
    expect(flaws.filter(({ id }) => !/^[a-z]+(-[a-z]+)+$/.test(id))).toEqual([]);
  });

  it('break every part of the document', () => {
    const broken = new Set(flaws.map(({ part }) => part.split('.')[0]));
    // The conventions stand in part 2.
    expect(parts.filter((part) => !broken.has(part))).toEqual(['conventions']);
  });

  it('take two circumstances or more, or time, in half of the cases at least', () => {
    const hard = flaws.filter(
      ({ circumstances, ageMs = 0 }) => circumstances.length > 1 || ageMs > 3 * minute,
    );
    expect(hard.length).toBeGreaterThanOrEqual(49);
    expect(flaws.filter(({ circumstances }) => circumstances.length === 0)).toEqual([]);
  });

  it.each(flaws.map((flaw) => [flaw.id, flaw] as const))('%s fits the source', (_, flaw) => {
    expect(flaw.patches.length).toBeGreaterThan(0);
    for (const file of new Set(flaw.patches.map((patch) => patch.file))) {
      const source = patchedSource(flaw, file);
      expect(source).not.toBe(sourceOf(file));
      expect(transformSync(source, { loader: 'ts' }).warnings).toEqual([]);
    }
  });
});
