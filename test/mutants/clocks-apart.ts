import { checks } from '../../conformance/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

/**
 * What did not come out well where the clocks of suite and target stand apart, save what is out of scope anyhow.
 * @param only the checks that are run; all of them unless told
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
