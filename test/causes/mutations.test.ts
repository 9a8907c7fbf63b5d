import { expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { diagnosisOf, isDiagnosed, runMutated } from './run-mutated.ts';

// Of those drawn, under another seed, and of two that are merged: mutations.long.test.ts.
it('a mutation of the reference comes to one cause that names its place, on the first screen', async () => {
  const mutation = mutationNamed('settlement-rate-cut');
  if (!mutation) throw new Error('there is no such mutation');
  const run = await runMutated(mutation, 1n, 'narrow');
  const diagnosis = diagnosisOf(run);
  expect(isDiagnosed(diagnosis) ? [] : diagnosis).toEqual([]);
  expect(run.report.causes?.map(({ id }) => id)).toEqual(['fx_rate:wrong-value']);
  expect(diagnosis.junitFailures).toBe(1);
});
