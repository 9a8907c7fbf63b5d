import { describe, expect, test } from 'vitest';
import type { CastName } from '../../../spec/requirements/index.ts';
import {
  altered,
  violations,
  listening,
  fails,
  issued,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';
import { frame } from '../../../../test/support/records.ts';
import type { Order } from '../../../../test/support/oracle/fake-views.ts';
import { FakeTarget } from '../../../../test/support/oracle/fake-target.ts';

/** Opens a stream; the function sends an event, `ms` after the one before. */
const streamOf = (fake: FakeTarget, party: CastName) => {
  const { id } = fake.listen(party);
  return (event: string, after: number): void => {
    fake.now += after;
    fake.records.push(
      frame({ id: `${party} ${fake.now}`, stream: id, party, at: fake.now, event, data: {} }),
    );
  };
};

test('a heartbeat on connect, and then one on a tick common to all', () => {
  const fake = listening();
  const says = streamOf(fake, 'sender');
  for (const after of [1, 11_000, 30_000, 30_400]) says('heartbeat', after);
  expect(violations(fake)).toEqual([]);
  says('heartbeat', 12_000);
  expect(fails(fake, 'limit.heartbeat-interval.order-stream')).toBe(true);
});

test.each([
  ['on its clock', {}, 'fail'],
  ['within a stride of the driven clock', { after: 60_000 }, 'pass'],
])('a stream that is quiet for 34 s before its end %s', (_, noticed, outcome) => {
  const fake = listening();
  const stream = fake.listen('sender');
  const opened = fake.now;
  fake.advance(31_000);
  fake.now = opened + 64_000;
  fake.hangUp(stream, 'target');
  const strode = altered(fake, (record) =>
    record.kind === 'end' && 'after' in noticed
      ? { ...record, after: opened + noticed.after }
      : record,
  );
  const requirement = 'limit.heartbeat-interval.order-stream';
  expect(fails(strode, requirement)).toBe(outcome === 'fail');
});

test.each([['text'], [undefined]])('a heartbeat whose data is %s breaks part 6', (text) => {
  const fake = listening('sender');
  fake.advance(31_000);
  const bare = altered(fake, (record) => {
    if (record.kind !== 'frame' || record.event !== 'heartbeat') return record;
    const { data: _, ...rest } = record;
    return { ...rest, ...(text !== undefined && { text }) };
  });
  expect(outcomes(fake, 'event.payload-json')).not.toContain('fail');
  expect(outcomes(bare, 'event.payload-json')).toContain('fail');
});

test.each([
  ['that order', true],
  ['nothing', false],
])('a stream limited to %s that ends with it', (_, isLimited) => {
  const fake = listening('sender');
  const order = fake.create();
  const stream = fake.listen('sender', isLimited ? order.intent_id : undefined);
  fake.cancel(order);
  fake.advance(100);
  fake.hangUp(stream, 'target');
  fake.advance(40_000);
  expect(fails(fake, 'stream.stays-open')).toBe(!isLimited);
});

test.each<[string, boolean, (fake: FakeTarget, order: Order) => void]>([
  ['that its party read as open later', true, (fake, order) => fake.read('sender', order)],
  // Its backend may not have learned of the end by then.
  ['that another read as open', false, (fake, order) => fake.read('sender_custodian', order)],
  ['that ended at that time, as far as anybody saw', false, () => {}],
])('a stream limited to an order %s: blamed %s', (_, isFailing, look) => {
  const fake = listening('sender');
  const order = fake.create();
  const stream = fake.listen('sender', order.intent_id);
  fake.hangUp(stream, 'target');
  fake.advance(500);
  look(fake, order);
  fake.cancel(order);
  fake.advance(40_000);
  expect(fails(fake, 'stream.stays-open')).toBe(isFailing);
});

test.each([
  ['expires meanwhile', 20_000, false],
  ['lasts', 3_600_000, true],
  ['of before had expired', -20_000, true],
])('a stream whose token %s, and that ends', (_, tokenMs, isFailing) => {
  const fake = new FakeTarget();
  const issued = fake.token('sender');
  fake.advance(10_000);
  const stream = fake.listen('sender');
  fake.advance(11_000);
  fake.hangUp(stream, 'target');
  const exp = (issued.received + tokenMs) / 1_000;
  const dated = altered(fake, (record) =>
    record.kind === 'exchange' && record.claims
      ? { ...record, claims: { ...record.claims, exp } }
      : record,
  );
  expect(fails(dated, 'stream.stays-open')).toBe(isFailing);
});

test.each([
  ['was opened at the same time as', false],
  ['was opened after', true],
])('a stream that ends, and %s another of its party', (_, isFailing) => {
  const fake = issued('sender');
  const other = fake.listen('sender');
  fake.advance(1_000);
  const stream = fake.listen('sender');
  fake.advance(10_000);
  fake.hangUp(stream, 'target');
  const first = fake.records.find((one) => one.kind === 'exchange' && one.id === other.id);
  const opened = altered(fake, (record) =>
    record.kind === 'exchange' &&
    record.id === stream.id &&
    first?.kind === 'exchange' &&
    !isFailing
      ? { ...record, sent: first.sent, precededBy: 0 }
      : record,
  );
  expect(fails(opened, 'stream.stays-open')).toBe(isFailing);
});

test.each([
  ['when the run restarted it', 0, false],
  ['a minute after that', 60_000, true],
])('a stream that the target ends %s', (_, afterMs, isFailing) => {
  const fake = issued('sender');
  fake.advance(60_000);
  const stream = fake.listen('sender');
  fake.advance(11_000);
  fake.hangUp(stream, 'target');
  const to = fake.now - afterMs;
  const restarts = [{ from: to - 500, to }];
  expect(fails(fake, 'stream.stays-open', { restarts })).toBe(isFailing);
});

test('a stream limited to an order that settled later, by its own account', () => {
  const fake = listening('sender');
  const order = fake.create();
  fake.accept(order, fake.quote('maker_a', order, '1'));
  fake.hangUp(fake.listen('sender', order.intent_id), 'target');
  fake.advance(40_000);
  expect(outcomes(fake, 'stream.stays-open')).toContain('fail');
});

describe('heartbeats beside traffic', () => {
  const beats = ['event.heartbeat.maker-stream', 'limit.heartbeat-interval.maker-stream'] as const;
  const failed = (fake: FakeTarget) => beats.filter((requirement) => fails(fake, requirement));

  test('may count from the last event, since events keep a stream alive too', () => {
    const fake = issued('maker_a');
    const says = streamOf(fake, 'maker_a');
    for (let n = 0; n < 5; n += 1) says('connected', 20_000);
    says('heartbeat', 30_000);
    says('connected', 10_000);
    says('heartbeat', 30_000);
    says('heartbeat', 30_000);
    expect(violations(fake)).toEqual([]);
  });

  test('may not count from the last event if another stream shows a fixed clock', () => {
    const fake = issued('sender', 'maker_a');
    const order = streamOf(fake, 'sender');
    const maker = streamOf(fake, 'maker_a');
    maker('connected', 20_000);
    order('heartbeat', 10_000);
    order('connected', 10_000);
    maker('connected', 5_000);
    expect(failed(fake)).toEqual([]);
    order('heartbeat', 15_000);
    expect(failed(fake)).toEqual(['event.heartbeat.maker-stream']);
  });

  test('show their interval only if a clock sets them', () => {
    const interval = 'limit.heartbeat-interval.maker-stream';
    const fake = issued('maker_a');
    const says = streamOf(fake, 'maker_a');
    says('heartbeat', 30_000);
    says('connected', 29_000);
    says('heartbeat', 1_000);
    expect(outcomes(fake, interval)).toEqual(['pass']);
    const early = issued('maker_a');
    const tells = streamOf(early, 'maker_a');
    tells('heartbeat', 30_000);
    tells('connected', 1_000);
    tells('heartbeat', 30_000);
    expect(outcomes(early, interval)).toEqual([]);
  });
});
