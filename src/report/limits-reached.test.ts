import { expect, it } from 'vitest';
import { limitError } from '../history/limits.ts';
import type { Exchange } from '../history/records.ts';
import { exchange } from '../../test/support/records.ts';
import { limitsReached } from './assemble.ts';

const several = (party: string, limited: number, others: number): Exchange[] => [
  ...Array.from({ length: limited }, () =>
    exchange({ party, error: limitError('answer.body_bytes') }),
  ),
  ...Array.from({ length: others }, () => exchange({ party })),
];

it('names each limit that was reached, and by whom', () => {
  const records = [...several('maker_b', 2, 8), ...several('maker_a', 1, 9)];
  expect(limitsReached({ records })).toEqual({
    notes: [
      'the limit answer.body_bytes of assay was reached: maker_a 1 time, maker_b 2 times; nothing is judged by it',
    ],
    unjudged: [],
  });
});

it('names an endpoint of which most was not read, whoever asked', () => {
  const created = several('sender', 5, 1).map((one) => ({
    ...one,
    endpoint: 'order.create' as const,
  }));
  const records = [...created, ...several('sender', 0, 20)];
  expect(limitsReached({ records }).unjudged).toEqual([
    'order.create is not judged: 5 of its 6 answers ran into limits of assay',
  ]);
});

it.each([
  [3, 3, 0],
  [4, 3, 1],
  [4, 0, 0],
  [5, 0, 1],
])('%i limited answers beside %i others: %i parties are not judged', (limited, others, parties) => {
  expect(limitsReached({ records: several('sender', limited, others) }).unjudged).toHaveLength(
    parties,
  );
});
