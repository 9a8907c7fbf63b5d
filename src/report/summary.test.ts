import { expect, it } from 'vitest';
import { outcomeSentence, reasonsFor } from './summary.ts';
import { report } from '../../test/support/report/check-run.ts';

it('counts a reason once, however many checks gave it', () => {
  const whole = report();
  const [one] = whole.requirements;
  if (!one) throw new Error('the sample has no requirement');
  const left = (reason: string) => ({ ...one, verdict: 'not_exercised' as const, reason });
  const requirements = ['no order was taken', 'no stream was open', 'no order was taken'].map(left);
  expect(reasonsFor({ ...whole, checks: [], requirements }, 'not_exercised')).toEqual([
    { reason: 'no order was taken', checks: 0, requirements: 2 },
    { reason: 'no stream was open', checks: 0, requirements: 1 },
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
