import { expect, it } from 'vitest';
import type { Tamper } from '../../src/reference/http/index.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { ranOn } from '../../test/support/tampered.ts';
import { distanceChecks } from './distances.ts';

async function failedOn(
  answers: Parameters<typeof assign>[0],
  tamper: Tamper = {},
  only: readonly string[] = [],
) {
  const { checks, failed } = await ranOn(distanceChecks, {
    assignment: assign(answers),
    tamper,
    only,
  });
  return [
    ...checks.flatMap(({ id, verdict }) => (verdict === 'pass' ? [] : [`${id} ${verdict}`])),
    ...failed,
  ];
}

it.each([
  ['quotes of the past taken', { 'quote.past_validity': 'expired' }],
  ['the moment itself not yet passed', { 'time.boundary': 'not-yet' }],
  ['orders of five minutes', { 'order.lifetime': '300s' }],
] as const)('distances fail nothing with %s', async (_, answers) => {
  expect(await failedOn(answers)).toEqual([]);
});

it('a target that is 700 ms late at each deadline fails', async () => {
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
