// A run, a history and a scenario, in plain code.
import { check } from 'assay';
import { judge } from 'assay/history';
import { play } from 'assay/scenario';
import { expect, it } from 'vitest';

it('checks the embedded reference, and judges its history again', async () => {
  const outcome = await check({ only: 'order.cancel.pending', seed: 7 });
  if (outcome.kind !== 'judged') throw new Error(outcome.problems.join('\n'));
  const { report, history } = outcome;
  expect(report.outcome).toBe('conformant');

  const { rules, requirements } = judge(history, { report });
  expect(rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  const cancel = requirements.find(({ id }) => id === 'order.cancel.never-settles');
  expect(cancel).toMatchObject({ verdict: 'pass' });
});

it('plays a scenario', async () => {
  const outcome = await play({
    text: `
scenario: A PENDING order can be cancelled
verifies: [order.cancel.pending]
steps:
  - sender: create order
    save: order
  - sender: cancel order
    of: $order
  - sender: read order
    of: $order
    expect: { failure_reason: USER_CANCELLED }
`,
  });
  expect(outcome).toMatchObject({ kind: 'played', verdict: 'pass' });
});
