import { expect, it } from 'vitest';
import { outcomeSentence, reasonsFor } from './summary.ts';
import { report } from '../../test/support/report/check-run.ts';

it('counts a reason once, however many checks gave it', () => {
  const whole = report();
  const [one] = whole.requirements;
  if (!one) throw new Error('the sample has no requirement');
  const left = (reason: string) => ({ ...one, verdict: 'not_exercised' as const, reason });
  const requirements = [
    left('no order was taken (a#1)'),
    left('no order was taken (a#1); no order was taken (b#3, b#4)'),
    left('no order was taken (c#1); no stream was open'),
  ];
  expect(reasonsFor({ ...whole, checks: [], requirements }, 'not_exercised')).toEqual([
    { reason: 'no order was taken', checks: 0, requirements: 2 },
    { reason: 'no order was taken; no stream was open', checks: 0, requirements: 1 },
  ]);
});

it('counts a reason once, whichever order it speaks of', () => {
  const whole = report();
  const [one] = whole.requirements;
  if (!one) throw new Error('the sample has no requirement');
  const left = (order: string, quote: string) => ({
    ...one,
    verdict: 'not_exercised' as const,
    reason: `POST /v1/orders/${order}/quotes/${quote}/accept answered 422`,
  });
  const requirements = [left('0a-1', 'q1'), left('0a-2', 'q2')];
  expect(reasonsFor({ ...whole, checks: [], requirements }, 'not_exercised')).toEqual([
    { reason: 'POST /v1/orders/{id}/quotes/{id}/accept answered 422', checks: 0, requirements: 2 },
  ]);
});

it.each([
  ['conformant', 0, 'conformant: nothing that was judged is violated'],
  [
    'conformant',
    3,
    'conformant: nothing that was judged is violated; 4 of 9 requirements could not be judged',
  ],
  ['nonconformant', 3, 'nonconformant: the interface is violated'],
] as const)('says of a %s run with %d silent checks what it is worth', (outcome, silent, said) => {
  const whole = report();
  const requirements = {
    ...whole.totals.requirements,
    error: 0,
    fail: 0,
    warn: 0,
    pass: 5,
    out_of_scope: 0,
    not_exercised: silent,
    inconclusive: silent === 0 ? 0 : 1,
  };
  const totals = { ...whole.totals, requirements };
  expect(outcomeSentence({ ...whole, outcome, totals })).toBe(said);
});
