import { expect, test } from 'vitest';
import type { RecordedResponse } from '../../../history/records.ts';
import { altered, issued, outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';

/** A cancel that was refused with this answer. */
const refusedWith = (answer: Partial<RecordedResponse>, status = 409) => {
  const fake = issued('sender');
  const order = fake.create();
  fake.refuse('sender', 'order.cancel', { params: { intent_id: order.intent_id }, status });
  return altered(fake, (record) =>
    record.kind === 'exchange' && record.response?.status === status
      ? { ...record, response: { status, headers: {}, ...answer } }
      : record,
  );
};

test.each([
  ['a page', { text: '<h1>Conflict</h1>' }, 409, ['fail']],
  ['a line of text', { text: 'conflict' }, 422, ['fail']],
  ['JSON under any shape', { body: ['conflict'] }, 409, ['pass']],
  ['nothing', {}, 409, []],
  ['a page of a server that had no time for it', { text: '<h1>Slow</h1>' }, 408, []],
  ['a page that asks for patience', { text: '<h1>Slow down</h1>' }, 429, []],
])('a refusal with %s', (_, answer, status, found) => {
  expect(outcomes(refusedWith(answer, status), 'error.body-json')).toEqual(found);
});

const ended = { intent_id: 'a', status: 'FAILED', failure_reason: 'USER_CANCELLED' };

test.each([
  [{ code: 'USER_CANCELLED' }, 'fail'],
  [{ error: 'NO_QUOTE' }, 'fail'],
  [{ error: { code: 'SLIPPAGE', message: 'too dear' } }, 'fail'],
  [{ errors: [{ code: 'REVERT' }] }, 'fail'],
  [{ error: { status: 409, reason: 'SLIPPAGE' } }, 'fail'],
  ['TIMEOUT', 'fail'],
  // Why the order failed that it is about.
  [{ code: 'order_ended', reason: 'USER_CANCELLED' }, 'pass'],
  [{ code: 'order_ended', order: ended }, 'pass'],
  [ended, 'pass'],
  [{ code: 'order_ended', failure_reason: 'USER_CANCELLED' }, 'pass'],
  [{ message: 'REVERT' }, 'pass'],
])('a refusal that says %j', (body, found) => {
  const seen = outcomes(refusedWith({ body }), 'error.reasons-are-outcomes');
  expect(seen).toEqual([found]);
});
