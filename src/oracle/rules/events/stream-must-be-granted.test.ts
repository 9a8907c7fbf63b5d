import { expect, test } from 'vitest';
import type { CastName } from '../../../spec/requirements/index.ts';
import {
  altered,
  listening,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';

const requirements = {
  sender: 'access.order.events.institution-allowed',
  sender_custodian: 'stream.intent-filter.for-custodian',
} as const;

/** A party is refused a stream of one order while it listens; then perhaps a second stream. */
function refused(party: keyof typeof requirements, more: { second?: boolean; ended?: boolean }) {
  const fake = listening('sender', 'sender_custodian');
  const order = fake.create();
  fake.advance(5_000);
  if (more.ended) fake.cancel(order);
  const limited = fake.listen(party, order.intent_id);
  fake.hangUp(limited);
  fake.read('sender', order);
  if (more.second) fake.listen(party);
  fake.advance(1_000);
  const history = altered(fake, (record) =>
    record.kind === 'exchange' && record.id === limited.id
      ? { ...record, response: { status: 403, headers: {}, body: { code: 'no' } } }
      : record,
  );
  const records = history.records.filter((one) => one.kind !== 'end' || one.stream !== limited.id);
  return outcomes({ records }, requirements[party]).includes('fail');
}

test.each(['sender', 'sender_custodian'] as const)(
  '%s may limit one of the streams that it is granted',
  (party) => {
    expect(refused(party, { second: true })).toBe(true);
  },
);

test.each([
  ['no further stream was ever granted', {}],
  ['the order had ended', { second: true, ended: true }],
])('nothing is said where %s', (_, more) => {
  expect(refused('sender', more)).toBe(false);
});

/** Parties open the order stream, and some of them are refused. */
function unequal(refusedTo: readonly CastName[], ...parties: readonly CastName[]) {
  const history = altered(listening(...parties), (record) =>
    record.kind === 'exchange' &&
    record.endpoint === 'order.events' &&
    refusedTo.includes(record.party as CastName)
      ? { ...record, response: { status: 403, headers: {}, body: { code: 'no' } } }
      : record,
  );
  return outcomes(history, 'access.order.events.custodian-allowed').includes('fail');
}

test('custodians have a stream, all of them or none', () => {
  const [one, other] = ['sender_custodian', 'outsider_custodian'] as const;
  expect(unequal([other], one, other)).toBe(true);
  expect(unequal([one, other], one, other, 'sender')).toBe(false);
});
