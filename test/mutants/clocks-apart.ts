import { checks } from '../../conformance/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

/**
 * Verdicts other than pass and out_of_scope if the clock of the target is `aheadMs` ahead of the
 * suite.
 * @param only the checks to run; all by default
 */
export async function amissWhere(
  aheadMs: number,
  only?: readonly string[],
): Promise<readonly string[]> {
  const target = await openEmbedded({ seed: 1n, aheadMs });
  const report = await runTarget(target, {
    ...silentObserver,
    checks,
    seed: 1n,
    ...(only && { only }),
  });
  await target.close();
  return (
    [...report.checks, ...report.requirements]
      .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'out_of_scope')
      // Of a part of the suite much is not exercised.
      .filter(({ verdict }) => !only || verdict !== 'not_exercised')
      .map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason ?? ''}`)
  );
}
