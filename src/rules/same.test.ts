import { expect, test } from 'vitest';
import { sameValue } from './same.ts';

test.each([
  ['source_contract_id', '00ab12#0', '00AB12#0', true],
  ['source_contract_id', '00ab12#0', '00ab12#1', false],
  ['intent_signature', 'ab12', 'AB12', true],
  ['memo', 'ab12', 'AB12', false],
  ['receiver_party_id', 'Payee::1220ab', 'Payee::1220AB', true],
  ['receiver_party_id', 'Payee::1220ab', 'PAYEE::1220ab', false],
  ['target_amount', '100.50', '100.5', true],
])('%s: %s and %s mean the same: %s', (field, a, b, holds) => {
  expect(sameValue(field, a, b)).toBe(holds);
});
