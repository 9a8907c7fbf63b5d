import { expect, test } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { mutationNamed } from '../../mutants/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

// A target that takes what may be taken is not asked for more; one that refuses it elsewhere is.
test.each([
  ['maximum-as-a-number', 'order.create.number-amount'],
  ['quoting-a-cancelled-request-again', 'quote.submit.closed.cancelled'],
])('%s: inconsistent acceptance is a warning', async (id, check) => {
  const mutation = mutationNamed(id);
  if (!mutation) throw new Error(`no mutation is named ${id}`);
  const target = await openEmbedded({ seed: 1n, tamper: mutation.tamper() });
  const report = await runTarget(target, { ...silentObserver, checks, seed: 1n, only: [check] });
  await target.close();
  const verdicts = new Map(report.checks.map((one) => [one.id, one.verdict]));
  expect(verdicts.get(check)).toBe('warn');
});
