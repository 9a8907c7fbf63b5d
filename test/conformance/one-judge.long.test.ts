import { expect, it } from 'vitest';
import { alsoAsserted } from '../../conformance/also-asserted.ts';
import { checks } from '../../conformance/index.ts';
import { allRules } from '../../src/oracle/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { sourcesIn } from '../architecture/source.ts';

const seed = 1n;

it('a check asserts a requirement of a rule only with a written reason', async () => {
  const target = await openEmbedded({ seed });
  const report = await runTarget(target, { ...silentObserver, checks, seed });
  await target.close();
  expect(report.outcome).toBe('conformant');
  const byRules = new Set<string>(allRules.flatMap(({ requirements }) => requirements));
  const checkIds = new Set(checks.map(({ id }) => id));
  const judgedTwice = report.requirements
    .filter(({ id, judged_by }) => byRules.has(id) && judged_by.some((by) => checkIds.has(by)))
    .map(({ id }) => id);
  const explained = Object.keys(alsoAsserted);
  expect(judgedTwice.filter((id) => !explained.includes(id))).toEqual([]);
  // An assertion that only a faulty target reaches does not run here, so the source is searched for
  // it.
  const sources = sourcesIn('conformance').map(({ text }) => text);
  const inSource = (id: string): boolean => sources.some((text) => text.includes(`assert('${id}'`));
  expect(explained.filter((id) => !judgedTwice.includes(id) && !inSource(id))).toEqual([]);
});
