import { expect, test } from 'vitest';
import { formatTimestamp } from '../../../spec/forms.ts';
import {
  FakeTarget,
  issued,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';

/** An order that is read before and after its settlement. Its settled_at is as given. */
function settledAt(sinceAcceptanceMs: number, readOnItsWayAtMs: number): FakeTarget {
  const fake = issued('sender');
  const order = fake.create();
  const quote = fake.quote('maker_a', order);
  fake.accept(order, quote);
  fake.advance(readOnItsWayAtMs);
  fake.read('sender', order);
  fake.advance(8_000);
  const accepted = Date.parse(String(order['quote_accepted_at']));
  order['settled_at'] = formatTimestamp(accepted + sinceAcceptanceMs);
  fake.read('sender', order);
  return fake;
}

test.each([
  [4_000, 3_800, false],
  [0, 3_800, true],
  [0, 1_000, false],
  [2_000, 3_800, false],
  [60_000, 3_800, true],
  [-1_000, 1_000, true],
])(
  'settled_at %i ms after the acceptance, of an order on its way at %i ms, is at fault: %s',
  (sinceAcceptanceMs, readOnItsWayAtMs, found) => {
    const history = settledAt(sinceAcceptanceMs, readOnItsWayAtMs);
    const said = outcomes(history, 'order.settled-at.at-settlement');
    expect(said.includes('fail')).toBe(found);
  },
);
