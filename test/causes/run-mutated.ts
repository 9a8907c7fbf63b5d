import { checks } from '../../conformance/index.ts';
import { type Mutation, mutations } from '../../mutants/index.ts';
import type { History } from '../../src/history/records.ts';
import { random } from '../../src/random/random.ts';
import type { RunReport } from '../../src/report/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { type ChangedPlace, watched } from './changed-places.ts';

/** So many mutations of all there are, which the seed alone decides. */
export function drawMutations(seed: bigint, count: number): readonly Mutation[] {
  const draws = random(seed).fork('mutations for causes');
  const left = [...mutations];
  return Array.from({ length: count }, () => {
    const one = draws.pick(left);
    left.splice(left.indexOf(one), 1);
    return one;
  });
}

/** What the suite said of the reference with one mutation, and where the mutation was at work meanwhile. */
export interface MutatedRun {
  readonly mutation: Mutation;
  readonly report: RunReport;
  readonly history: History;
  readonly changed: readonly ChangedPlace[];
}

/** @param only the part of the suite to run; all of it where absent */
export async function runMutated(
  mutation: Mutation,
  seed = 1n,
  only?: readonly string[],
): Promise<MutatedRun> {
  const { tamper, places } = watched(mutation.tamper());
  const target = await openEmbedded({ seed, tamper });
  try {
    const report = await runTarget(target, {
      ...silentObserver,
      checks,
      seed,
      ...(only && { only }),
    });
    return { mutation, report, history: target.history, changed: places() };
  } finally {
    await target.close();
  }
}
