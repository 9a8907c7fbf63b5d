import { expect, it } from 'vitest';
import { report } from '../../../test/support/report/check-run.ts';
import { filtered, noFilter } from './filter.ts';

const parties = new Map([['order.flow', new Set(['sender'])]]);
const ids = (filter: Partial<typeof noFilter>): readonly string[] =>
  filtered(report(), { ...noFilter, ...filter }, parties).map(({ id }) => id);

it('finds requirements by words, verdict, part and party', () => {
  expect(ids({})).toHaveLength(report().requirements.length);
  expect(ids({ words: 'DECIMAL strings' })).toEqual(['order.form']);
  expect(ids({ verdict: 'fail' })).toEqual(['order.form']);
  expect(ids({ part: '5' })).toEqual(['token.late', 'token.forged']);
  expect(ids({ party: 'sender' })).toEqual(['order.read', 'order.form']);
  expect(ids({ party: 'nobody' })).toEqual([]);
});
