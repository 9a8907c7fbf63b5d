import { expect, test } from 'vitest';
import { ranOn } from '../../test/support/tampered.ts';
import { stateChecks } from './index.ts';

test('a short-lived quote may lapse during the race for another', async () => {
  const sight = { gap: 'quote.max_validity', observed: '5.5s' } as const;
  const races = stateChecks.filter(({ id }) => id.startsWith('order.race.valid-until'));
  const { checks } = await ranOn(races, {
    prepare: ({ answers }) =>
      answers.learn([{ ...sight, consistent: true, seen: [], evidence: [] }]),
  });
  expect(checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
});
