import { expect, test } from 'vitest';
import type { History, HistoryRecord } from '../../../history/records.ts';
import {
  altered,
  listening,
  outcomes,
  rewritten,
} from '../../../../test/support/oracle/findings-and-edits.ts';
import type { FakeTarget } from '../../../../test/support/oracle/fake-target.ts';

const requirement = 'error.refusal-changes-nothing';

/** An order that its sender lists; the answer to its creation is another. */
function listed(
  change: (creation: HistoryRecord) => HistoryRecord,
  before?: (fake: FakeTarget) => void,
) {
  const fake = listening('sender', 'maker_a');
  before?.(fake);
  fake.create();
  fake.advance(500);
  fake.list('sender', 'order.list');
  return altered(fake, (record) =>
    record.kind === 'exchange' && record.endpoint === 'order.create' ? change(record) : record,
  );
}

const answered =
  (status: number) =>
  (record: HistoryRecord): HistoryRecord =>
    record.kind === 'exchange'
      ? { ...record, response: { status, headers: {}, body: { code: 'no' } } }
      : record;

const told = (history: History): readonly string[] => outcomes(history, requirement);

test.each([400, 401, 403, 409, 422])(
  'an order whose creation was refused with %d is nowhere',
  (status) => {
    expect(told(listed(answered(status)))).toContain('fail');
  },
);

test.each([
  ['was taken', (record: HistoryRecord) => record],
  ['was told to come later', answered(429)],
  ['broke', answered(502)],
])('nothing is said of one whose creation %s', (_, change) => {
  expect(told(listed(change))).not.toContain('fail');
});

test('nor of one that was created at another time, as by an earlier run that sent the same', () => {
  const created = '"created_at":"2020-01-01T00:00:00.000Z"';
  const earlier = rewritten(listed(answered(401)), /"created_at":"[^"]*"/g, created);
  expect(told(earlier)).not.toContain('fail');
});

test('nor of one that was listed before the creation was sent, as by a run of the same seed a moment ago', () => {
  const { records } = listed(answered(401));
  const list = records.at(-1);
  if (list?.kind !== 'exchange') throw new Error('the list of orders comes last');
  const first = records[0]?.kind === 'exchange' ? records[0].sent : 0;
  const before = { ...list, id: 'before', sent: first - 2, received: first - 1, precededBy: 0 };
  const later = records.map((record) =>
    record.kind === 'exchange' ? { ...record, precededBy: (record.precededBy ?? 0) + 1 } : record,
  );
  expect(told({ records: later })).toContain('fail');
  expect(told({ records: [before, ...later] })).not.toContain('fail');
});

/** The list of orders with each order in it twice, the second time by another id. */
function doubled(record: HistoryRecord): HistoryRecord {
  if (record.kind !== 'exchange' || record.endpoint !== 'order.list' || !record.response) {
    return record;
  }
  const body = record.response.body as { readonly data: readonly { intent_id: string }[] };
  const again = body.data.map((order) => ({ ...order, intent_id: 'f'.repeat(8) }));
  return {
    ...record,
    response: { ...record.response, body: { ...body, data: [...body.data, ...again] } },
  };
}

test.each([
  ['once', [], true],
  ['twice, and broke once', [answered(502)], false],
])('an order of which there are two, sent %s', (_, more, fails) => {
  const history = altered(
    listed((record) => record),
    doubled,
  );
  const records = history.records.flatMap((record) =>
    record.kind === 'exchange' && record.endpoint === 'order.create'
      ? [record, ...more.map((change) => ({ ...change(record), id: 'again' }))]
      : [record],
  );
  expect(outcomes({ records }, 'order.create.once').includes('fail')).toBe(fails);
});
