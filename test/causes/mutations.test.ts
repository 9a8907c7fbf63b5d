import { describe, expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { mergeReports, type RunReport } from '../../src/report/index.ts';
import { diagnosisOf, isDiagnosed, type MutatedRun, runMutated } from './run-mutated.ts';

/** Several tests ask for the same run. */
const runs = new Map<string, Promise<MutatedRun>>();
function runOf(id: string): Promise<MutatedRun> {
  const mutation = mutationNamed(id);
  if (!mutation) throw new Error(`no mutation is named ${id}`);
  const run = runs.get(id) ?? runMutated(mutation, 1n, 'narrow');
  runs.set(id, run);
  return run;
}
const reportOf = async (id: string): Promise<RunReport> => (await runOf(id)).report;
const idsOf = ({ causes = [] }: RunReport): readonly string[] => causes.map(({ id }) => id);

describe('a mutation of the reference', () => {
  // Of those drawn: mutations.long.test.ts.
  it('comes to one cause that names its place, on the first screen', async () => {
    const diagnosis = diagnosisOf(await runOf('settlement-rate-cut'));
    expect(isDiagnosed(diagnosis) ? [] : diagnosis).toEqual([]);
  });

  // That it is the same under another seed: mutations.long.test.ts.
  it('has a cause that goes by its place', async () => {
    expect(idsOf(await reportOf('settlement-rate-cut'))).toEqual(['fx_rate:wrong-value']);
  });
});

describe('two mutations that have nothing to do with each other', () => {
  it.each([['settlement-rate-cut', 'cancel-of-unknown-succeeds']])(
    '%s and %s come to two causes, each its own',
    async (one, other) => {
      const reports = [await reportOf(one), await reportOf(other)];
      const merged = mergeReports(reports);
      if (!merged.ok) throw new Error(merged.problem);
      const own = reports.flatMap(idsOf);
      expect(own).toHaveLength(2);
      expect([...idsOf(merged.report)].toSorted()).toEqual(own.toSorted());
    },
  );
});
