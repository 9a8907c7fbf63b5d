import { describe, expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { mergeReports, type RunReport } from '../../src/report/index.ts';
import { diagnosisOf, drawMutations, isDiagnosed, runMutated } from './run-mutated.ts';

describe('a mutation of the reference', () => {
  it('comes to one cause that names its place, on the first screen, of five drawn at least four', async () => {
    const drawn = [];
    for (const mutation of drawMutations(8n, 5)) {
      drawn.push(diagnosisOf(await runMutated(mutation, 1n, 'narrow')));
    }
    const missed = drawn.filter((one) => !isDiagnosed(one));
    expect(missed.length > 1 ? missed : []).toEqual([]);
  });
});

it.each([
  ['whoami-names-operator-as-party', 'identity.read:party_id:wrong-value'],
  ['total-items-less-in-threes', 'total_items:wrong-value'],
  ['no-subject-for-makers', 'token.create:sub:missing'],
])('%s is the cause of all that follows from it', async (id, cause) => {
  const { causes = [] } = await reportOf(id);
  expect(causes.map((one) => one.id)).toEqual([cause]);
});

async function reportOf(id: string, seed = 1n): Promise<RunReport> {
  const mutation = mutationNamed(id);
  if (!mutation) throw new Error(`no mutation is named ${id}`);
  return (await runMutated(mutation, seed, 'narrow')).report;
}

it('a mutation has the same cause under every seed', async () => {
  for (const seed of [1n, 9n]) {
    const { causes = [] } = await reportOf('settlement-rate-cut', seed);
    expect([seed, ...causes.map(({ id }) => id)]).toEqual([seed, 'fx_rate:wrong-value']);
  }
});

describe('two mutations that have nothing to do with each other', () => {
  it.each([
    ['token-lifetime-zero-for-custodians', 'receiver-custodian-hears-of-second-quotes'],
    ['read-order-source-amount-max-malformed', 'settlement-rate-cut'],
    ['settlement-rate-cut', 'cancel-of-unknown-succeeds'],
  ])(
    '%s and %s come to two causes, each its own',
    async (one, other) => {
      const reports = [await reportOf(one), await reportOf(other)];
      const merged = mergeReports(reports);
      if (!merged.ok) throw new Error(merged.problem);
      const own = reports.flatMap(({ causes = [] }) => causes.map(({ id }) => id));
      expect(own).toHaveLength(2);
      expect((merged.report.causes ?? []).map(({ id }) => id).toSorted()).toEqual(own.toSorted());
    },
    300_000,
  );
});
