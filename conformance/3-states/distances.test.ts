import { expect, it } from 'vitest';
import { allRules } from '../../src/oracle/index.ts';
import { random } from '../../src/random/random.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import { runChecks } from '../../src/suite/engine/run-checks.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { distanceChecks } from './distances.ts';

async function failedOn(
  answers: Parameters<typeof assign>[0],
  tamper: Tamper = {},
  only: readonly string[] = [],
) {
  const target = await openEmbedded({ seed: 1n, assignment: assign(answers), tamper });
  const { checks, requirements } = await runChecks({
    target,
    checks: distanceChecks,
    rules: allRules,
    options: { random: random('7'), only },
  });
  await target.close();
  return [
    ...checks.flatMap(({ id, verdict }) => (verdict === 'pass' ? [] : [`${id} ${verdict}`])),
    ...requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : [])),
  ];
}

it.each([
  ['quotes of the past taken', { 'quote.past_validity': 'expired' }],
  ['the moment itself not yet passed', { 'time.boundary': 'not-yet' }],
  ['orders of five minutes', { 'order.lifetime': '300s' }],
] as const)('distances fail nothing with %s', async (_, answers) => {
  expect(await failedOn(answers)).toEqual([]);
});

it('what is taken with a deadline in the past is used', async () => {
  const late: Tamper = {
    policy: (own) => ({
      ...own,
      time: {
        passed: (now, deadline) => own.time.passed(now - 700, deadline),
        end: (deadline) => own.time.end(deadline) + 700,
      },
    }),
  };
  expect(await failedOn({}, late, ['quote.submit.distances.past'])).toEqual([
    'quote.submit.distances.past fail',
    'order.accept.expired-quote-refused',
  ]);
});
