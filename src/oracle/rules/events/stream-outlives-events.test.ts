import { expect, test } from 'vitest';
import { altered, issued, outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';
import type { FakeTarget } from '../../../../test/support/oracle/fake-target.ts';

/** The same history, as if the network had ended what the target did. */
const brokenOff = (fake: FakeTarget) =>
  altered(fake, (record) =>
    record.kind === 'end' ? { ...record, cause: 'error' as const } : record,
  );

test.each([
  ['five times', 5, 1, true],
  ['four times', 4, 1, false],
  // Connections may be renewed from time to time, whatever for.
  ['five times, after more than that', 5, 2, false],
])('streams that break off at an event, %s', (_, times, events, fails) => {
  const fake = issued('sender');
  for (let n = 0; n < times; n += 1) {
    const stream = fake.listen('sender');
    fake.advance(40_000);
    for (let told = 0; told < events; told += 1) fake.cancel(fake.create());
    fake.advance(100);
    fake.hangUp(stream, 'target');
  }
  expect(outcomes(brokenOff(fake), 'stream.stays-open').includes('fail')).toBe(fails);
});

test.each([
  ['never told', false, true],
  ['told once', true, false],
])('streams that break off when a quote is accepted, which is %s', (_, once, fails) => {
  const fake = issued('maker_a');
  for (let n = 0; n < 5; n += 1) {
    const stream = fake.listen('maker_a');
    const order = fake.create();
    const quote = fake.quote('maker_a', order, '1');
    if (n > 0 || !once) fake.hangUp(stream, 'target');
    fake.accept(order, quote);
    if (n === 0 && once) fake.hangUp(stream, 'target');
    fake.advance(40_000);
  }
  expect(outcomes(brokenOff(fake), 'event.quote-accepted.sent').includes('fail')).toBe(fails);
  expect(outcomes(brokenOff(fake), 'event.quote-request-new.sent')).not.toContain('fail');
});

test('streams that break off before they have carried anything', () => {
  const fake = issued('sender');
  for (let n = 0; n < 6; n += 1) {
    const stream = fake.listen('sender');
    fake.advance(40_000);
    fake.hangUp(stream, 'target');
  }
  expect(outcomes(brokenOff(fake), 'stream.stays-open')).not.toContain('fail');
});

test.each([
  ['while they are open', 'during', true],
  // As where a server is started again and again, and goes on with what was due meanwhile.
  ['while nobody listens', 'after', false],
])('streams that break off, and orders that settle %s', (_, when, fails) => {
  const fake = issued('sender', 'maker_a');
  for (let n = 0; n < 6; n += 1) {
    const order = fake.create();
    const quote = fake.quote('maker_a', order, '1');
    const stream = fake.listen('maker_a');
    fake.accept(order, quote);
    if (when === 'after') fake.hangUp(stream, 'target');
    fake.advance(4_500);
    if (when === 'during') fake.hangUp(stream, 'target');
    fake.read('sender', order);
    fake.advance(40_000);
  }
  const silent = {
    ...brokenOff(fake),
    records: brokenOff(fake).records.filter(
      (record) => record.kind !== 'frame' || record.event !== 'settlement_completed',
    ),
  };
  const sent = outcomes(silent, 'event.settlement-completed.sent');
  expect(sent.includes('fail')).toBe(fails);
});

test('streams of a maker that break off when the quotes of another are accepted', () => {
  const fake = issued('maker_a', 'maker_b');
  for (let n = 0; n < 6; n += 1) {
    const order = fake.create();
    const quote = fake.quote('maker_b', order, '1');
    const stream = fake.listen('maker_a');
    fake.accept(order, quote);
    fake.hangUp(stream, 'target');
    fake.advance(40_000);
  }
  expect(outcomes(brokenOff(fake), 'event.quote-accepted.sent')).not.toContain('fail');
});
