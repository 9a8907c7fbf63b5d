import { describe, expect, it } from 'vitest';
import { diagnosisOf, drawMutations, isDiagnosed, runMutated } from './run-mutated.ts';

describe('a mutation of the reference', () => {
  it('comes to one cause that names its place, on the first screen, of five drawn at least four', async () => {
    const drawn = [];
    for (const mutation of drawMutations(8n, 5)) {
      drawn.push(diagnosisOf(await runMutated(mutation, 1n, 'narrow')));
    }
    const missed = drawn.filter((one) => !isDiagnosed(one));
    expect(missed.length > 1 ? missed : []).toEqual([]);
  }, 300_000);
});
