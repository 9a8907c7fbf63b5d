import { expect, test } from 'vitest';
import { failureReasonIn, failureReasonPath, reasonFieldOf } from './failure-reason.ts';

test.each([
  ['a field of the order', { failure_reason: 'REVERT' }, 'failure_reason'],
  ['an object', { outcome: { code: 1, reason: 'REVERT' } }, 'outcome.reason'],
  ['an object far within', { a: { b: { c: { d: { e: 'REVERT' } } } } }, 'a.b.c.d.e'],
  ['an item of a list', { reasons: ['none', 'REVERT'] }, 'reasons.1'],
  ['an object in a list', { events: [{ to: 'FAILED', why: 'REVERT' }] }, 'events.0.why'],
])('a failure reason is found in %s', (_, shown, path) => {
  const order = { intent_id: 'a', status: 'FAILED', ...shown };
  expect(failureReasonPath(order)?.join('.')).toBe(path);
  expect(failureReasonIn(order)).toBe('REVERT');
  expect(reasonFieldOf(order, path)).toBe('REVERT');
});

test.each([
  ['the memo', { memo: 'TIMEOUT' }],
  ['the memo of an order within', { order: { memo: 'TIMEOUT' } }],
  ['the signature', { intent_signature: 'TIMEOUT' }],
  ['the contract', { source_contract_id: 'TIMEOUT' }],
  ['the status', { status: 'TIMEOUT' }],
  ['other words', { failure_reason: 'TIMED_OUT', note: 'TIMEOUT of the bank' }],
  [
    'nesting that no honest order has',
    { a: { b: { c: { d: { e: { f: { g: { h: 'REVERT' } } } } } } } },
  ],
])('%s shows no failure reason', (_, order) => {
  expect(failureReasonPath(order)).toBeUndefined();
  expect(failureReasonIn(order)).toBeUndefined();
});

test('the declared field of a target is read whatever its value', () => {
  const order = { outcome: { reason: 'other' } };
  expect(reasonFieldOf(order, 'outcome.reason')).toBe('other');
  expect(reasonFieldOf(order, 'outcome.reason.code')).toBeUndefined();
  expect(reasonFieldOf(order, 'failure_reason')).toBeUndefined();
  expect(reasonFieldOf(order, undefined)).toBeUndefined();
});
