import { expect, test } from 'vitest';
import type { HistoryRecord } from '../../../history/records.ts';
import { altered, issued, outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';

/** Orders created on whole seconds or between them. `tell` changes the time of the answers. */
function outcomesWhen(
  orders: number,
  afterMs: number,
  tell: (timestamp: string) => string,
): readonly string[] {
  const fake = issued('sender');
  for (let n = 0; n < orders; n += 1) {
    fake.create();
    fake.now = Math.ceil(fake.now / 1_000) * 1_000 + afterMs;
  }
  const retell = (record: HistoryRecord): HistoryRecord => {
    if (record.kind !== 'exchange' || record.endpoint !== 'order.create') return record;
    const text = JSON.stringify(record.response).replace(
      /"timestamp":"([^"]+)"/,
      (_, timestamp: string) => `"timestamp":"${tell(timestamp)}"`,
    );
    return { ...record, response: JSON.parse(text) as never };
  };
  return outcomes(altered(fake, retell), 'convention.timestamps');
}

const cut = (timestamp: string): string => timestamp.replace(/\.\d+Z$/, '.000Z');

test.each<[string, number, number, (timestamp: string) => string, boolean]>([
  ['as they are', 30, 470, (timestamp) => timestamp, false],
  ['cut to the second', 30, 470, cut, true],
  ['cut to the second, on the second', 30, 0, cut, false],
  ['cut to the second, few of them', 10, 470, cut, false],
  ['cut to tenths', 30, 470, (timestamp) => timestamp.replace(/\d\dZ$/, '00Z'), false],
])('moments that are told %s', (_, orders, afterMs, tell, fails) => {
  expect(outcomesWhen(orders, afterMs, tell).includes('fail')).toBe(fails);
});
