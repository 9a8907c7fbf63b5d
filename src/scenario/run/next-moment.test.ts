import { expect, it } from 'vitest';
import { nextMoment } from './next-moment.ts';

const next = (text: string, now: string): string | undefined => {
  const at = nextMoment(text, Date.parse(now));
  return at === undefined ? undefined : new Date(at).toISOString();
};

it.each([
  ['23:59:58.500', '2031-01-06T09:00:00.000Z', '2031-01-06T23:59:58.500Z'],
  ['08:00:00', '2031-01-06T09:00:00.000Z', '2031-01-07T08:00:00.000Z'],
  ['09:00:00', '2031-01-06T09:00:00.000Z', '2031-01-06T09:00:00.000Z'],
  ['12-31T23:59:58.500', '2031-01-06T09:00:00.000Z', '2031-12-31T23:59:58.500Z'],
  ['01-05T00:00:00', '2031-01-06T09:00:00.000Z', '2032-01-05T00:00:00.000Z'],
  ['02-29T00:00:01', '2031-01-06T09:00:00.000Z', '2032-02-29T00:00:01.000Z'],
  ['02-29T00:00:01', '2096-03-01T00:00:00.000Z', '2104-02-29T00:00:01.000Z'],
])('%s after %s is %s', (text, now, expected) => {
  expect(next(text, now)).toBe(expected);
});

it.each(['24:00:00', '9:00:00', '02-30T00:00:00', '13-01T00:00:00', '31-12T00:00:00', 'noon', ''])(
  '%j is no moment',
  (text) => {
    expect(next(text, '2031-01-06T09:00:00.000Z')).toBeUndefined();
  },
);
