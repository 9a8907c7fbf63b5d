import { expect, test } from 'vitest';
import type { History, HistoryRecord } from '../../../history/records.ts';
import { formatTimestamp } from '../../../spec/forms.ts';
import {
  altered,
  listening,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';
import type { FakeTarget } from '../../../../test/support/oracle/fake-target.ts';

type Json = Record<string, unknown>;

/** Quotes with these validities, each on an order of its own, in the lists of the order side. */
function quoted(...validities: readonly number[]): FakeTarget {
  const fake = listening('sender', 'maker_a');
  for (const validMs of validities) {
    const order = fake.create();
    fake.quote('maker_a', order, '1', validMs);
    fake.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
  }
  return fake;
}

/** The same where each quote is granted another validity than it asks for. */
const granting = (fake: FakeTarget, granted: (askedMs: number) => number): History => {
  const regrant = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(regrant);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, regrant(inner)]),
    ) as Json;
    const [since, until] = [fields['submitted_at'], fields['valid_until']].map((instant) =>
      Date.parse(String(instant)),
    ) as [number, number];
    return Number.isNaN(since) || Number.isNaN(until)
      ? fields
      : { ...fields, valid_until: formatTimestamp(since + granted(until - since)) };
  };
  return altered(fake, (record) =>
    record.kind === 'exchange' && record.response
      ? ({ ...record, response: regrant(record.response) } as HistoryRecord)
      : record,
  );
};

test.each<[string, readonly number[], (askedMs: number) => number, boolean]>([
  ['as they were asked for', [20_000, 15_000, 5_000], (asked) => asked, false],
  // A backend may limit the validity of quotes (gap `quote.max_validity`).
  ['up to ten seconds', [20_000, 15_000, 5_000], (asked) => Math.min(asked, 10_000), false],
  ['for ten seconds, once', [20_000, 5_000], (asked) => Math.min(asked, 10_000), true],
  ['for half as long', [20_000, 15_000, 5_000], (asked) => asked / 2, true],
  [
    'for ten seconds, the short ones for less than they ask',
    [20_000, 15_000, 5_000],
    (asked) => (asked > 10_000 ? 10_000 : asked - 2_000),
    true,
  ],
  ['for ten seconds, the short ones too', [20_000, 15_000, 5_000], () => 10_000, true],
  [
    'for ten seconds, but some as they ask',
    [20_000, 15_000, 12_000],
    (asked) => (asked > 13_000 && asked < 16_000 ? asked : 10_000),
    true,
  ],
])('quotes that are valid %s', (_, validities, granted, fails) => {
  const history = granting(quoted(...validities), granted);
  for (const requirement of ['own-quote.valid-until.echo', 'quote.valid-until.as-submitted']) {
    expect(outcomes(history, requirement).includes('fail')).toBe(fails);
  }
});
