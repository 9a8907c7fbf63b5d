import { expect, test } from 'vitest';
import { runChecks } from '../../src/suite/engine/run-checks.ts';
import { allRules } from '../../src/oracle/index.ts';
import { random } from '../../src/random/random.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { stateChecks } from './index.ts';

test('no quote is blamed that lapsed while another was raced for, where all are valid for a short while', async () => {
  const target = await openEmbedded({ seed: 1n });
  const sight = { gap: 'quote.max_validity', observed: '5.5s' } as const;
  target.answers.learn([{ ...sight, consistent: true, seen: [], evidence: [] }]);
  const { checks } = await runChecks({
    target,
    checks: stateChecks.filter(({ id }) => id.startsWith('order.race.valid-until')),
    rules: allRules,
    options: { random: random('7') },
  });
  await target.close();
  expect(checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
});
