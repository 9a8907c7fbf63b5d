import { expect, test } from 'vitest';
import type { HistoryRecord } from '../../../history/records.ts';
import {
  altered,
  listening,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';

/** A maker reads its identity with a new token, and again after `afterMs` with this status. */
function askedAgain(afterMs: number, status: number, auth = 'own'): readonly string[] {
  const fake = listening('sender');
  fake.token('maker_b');
  fake.whoami('maker_b');
  fake.advance(afterMs);
  const last = fake.whoami('maker_b');
  const history = altered(fake, (record): HistoryRecord => {
    if (record.kind !== 'exchange' || record.id !== last.id || status === 200) return record;
    return { ...record, auth, response: { status, headers: {}, body: { code: 'no' } } };
  });
  return outcomes(history, 'auth.token-lasts-until-expiry');
}

test('a token that is refused before it expires, even in its last second, is refused wrongly', () => {
  expect(askedAgain(1_000, 401)).toContain('fail');
  expect(askedAgain(3_599_100, 401)).toContain('fail');
  expect(askedAgain(1_000, 200)).toEqual(['pass']);
});

test.each([
  ['when it has expired', askedAgain(3_600_000, 401)],
  ['for another reason', askedAgain(1_000, 403)],
  ['that is not the party’s own', askedAgain(1_000, 401, 'forged')],
])('nothing is said of a token that is refused %s', (_, found) => {
  expect(found).toEqual([]);
});
