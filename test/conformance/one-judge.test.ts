import { expect, it } from 'vitest';
import { alsoAsserted } from '../../conformance/also-asserted.ts';
import { checks } from '../../conformance/index.ts';
import { allRules } from '../../src/oracle/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

const seed = 1n;

it('a requirement that a rule judges is asserted by a check with a written reason, or not at all', async () => {
  const target = await openEmbedded({ seed });
  const report = await runTarget(target, { ...silentObserver, checks, seed });
  await target.close();
  const byRules = new Set<string>(allRules.flatMap(({ requirements }) => requirements));
  const checkIds = new Set(checks.map(({ id }) => id));
  const judgedTwice = report.requirements
    .filter(({ id, judged_by }) => byRules.has(id) && judged_by.some((by) => checkIds.has(by)))
    .map(({ id }) => id);
  expect(judgedTwice.toSorted()).toEqual(Object.keys(alsoAsserted).toSorted());
});
