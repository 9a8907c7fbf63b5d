import { expect, test } from 'vitest';
import type { History } from '../../../history/records.ts';
import {
  edited,
  issued,
  outcomes,
  rewritten,
} from '../../../../test/support/oracle/findings-and-edits.ts';

const applies = 'order.failure-reason.applies';

/** An order that expired, quoted or not, with this reason. */
function expired(reason: string | undefined, quoted: boolean): History {
  const fake = issued('sender', 'maker_a');
  const order = fake.create();
  if (quoted) fake.quote('maker_a', order, '0.85');
  fake.advance(70_000);
  fake.read('sender', order);
  return edited(fake, { at: 'order.read' }, (one) => {
    delete one['failure_reason'];
    if (reason !== undefined) one['failure_reason'] = reason;
  });
}

test.each([
  ['TIMEOUT', false, ['fail']],
  ['TIMEOUT', true, ['fail']],
  ['REVERT', true, ['fail']],
  ['SLIPPAGE', false, ['fail']],
  ['SLIPPAGE', true, ['pass']],
  ['NO_QUOTE', false, ['pass']],
  ['OPERATOR_WITHDRAWN', false, ['pass']],
  [undefined, false, []],
])('%s of an order that expired (quoted: %s)', (reason, quoted, found) => {
  expect(outcomes(expired(reason, quoted), applies)).toEqual(found);
});

/** An order that ended with REVERT in this state, `afterMs` after its acceptance. */
function reverted(status: string, afterMs: number): History {
  const fake = issued('sender', 'maker_a');
  const order = fake.create();
  const quote = fake.quote('maker_a', order, '0.85');
  fake.accept(order, quote);
  fake.advance(afterMs);
  fake.read('sender', order);
  return edited(fake, { at: 'order.read' }, (one) => {
    one['status'] = status;
    one['failure_reason'] = 'REVERT';
  });
}

test.each([
  ['FAILED', 2_000, ['pass']],
  ['EXPIRED', 2_000, ['fail']],
  ['EXPIRED', 3_600_000, ['pass']],
])('REVERT of an order that is %s, %i ms after its acceptance', (status, afterMs, found) => {
  expect(outcomes(reverted(status, afterMs), applies)).toEqual(found);
});

const cancelled = 'order.failure-reason.user-cancelled';

/** An order that was cancelled and shows no reason, beside one that expired. */
function beside(reason: string | undefined): History {
  const fake = issued('sender');
  const [one, other] = [fake.create(), fake.create()];
  fake.cancel(one);
  fake.advance(70_000);
  for (const order of [one, other]) fake.read('sender', order);
  const silent = rewritten(fake, '"USER_CANCELLED"', 'null');
  return edited(silent, { at: 'order.read' }, (order) => {
    if (order['intent_id'] === other.intent_id) order['failure_reason'] = reason ?? null;
  });
}

test.each([
  ['a second', 59_000, 'nothing', false],
  ['a second', 59_000, 'its state', true],
  ['50 s', 10_000, 'nothing', true],
])('an order cancelled %s before its end by an answer with %s', (_, afterMs, shown, isTold) => {
  const fake = issued('sender');
  const order = fake.create();
  fake.advance(afterMs);
  fake.cancel(order);
  const other = fake.create();
  fake.advance(70_000);
  for (const one of [order, other]) fake.read('sender', one);
  const answered = edited(fake, { at: 'order.cancel' }, (one) => {
    if (shown === 'nothing') delete one['status'];
  });
  const silent = edited(
    rewritten(answered, '"USER_CANCELLED"', 'null'),
    { at: 'order.read' },
    (one) => {
      if (one['intent_id'] === other.intent_id) one['failure_reason'] = 'NO_QUOTE';
    },
  );
  expect(outcomes(silent, cancelled).includes('warn')).toBe(isTold);
});

test('a cancelled order without a reason is a warning if other orders show theirs', () => {
  expect(outcomes(beside('NO_QUOTE'), cancelled)).toContain('warn');
  expect(outcomes(beside(undefined), cancelled)).not.toContain('warn');
});
