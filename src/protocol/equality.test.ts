import { expect, test } from 'vitest';
import { equalValues } from './equality.ts';

test.each([
  ['source_contract_id', '00ab12#0', '00AB12#0', true],
  ['source_contract_id', '00ab12#0', '00ab12#1', false],
  ['intent_signature', 'ab12', 'AB12', true],
  ['memo', 'ab12', 'AB12', false],
  ['receiver_party_id', 'Payee::1220ab', 'Payee::1220AB', true],
  ['receiver_party_id', 'Payee::1220ab', 'PAYEE::1220ab', false],
  ['target_amount', '100.50', '100.5', true],
])('%s: %s and %s mean the same: %s', (field, a, b, holds) => {
  expect(equalValues(field, a, b)).toBe(holds);
});

test.each(['target_amount', 'created_at', 'intent_id', 'memo'])(
  'values that are no valid %s are compared by structure, not by identity',
  (field) => {
    const one = { a: [1] };
    expect(equalValues(field, one, one)).toBe(true);
    expect(equalValues(field, one, { a: [1] })).toBe(true);
    expect(equalValues(field, one, { a: [2] })).toBe(false);
    const members = { a: [{ b: 1, c: null }], d: {} };
    expect(equalValues(field, members, { d: {}, a: [{ c: null, b: 1 }] })).toBe(true);
    expect(equalValues(field, one, '1')).toBe(false);
  },
);
