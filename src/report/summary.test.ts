import { expect, it } from 'vitest';
import { reasonsFor } from './summary.ts';
import { report } from './testing/fixture.ts';

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
