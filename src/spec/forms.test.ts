import { describe, expect, it } from 'vitest';
import { type FormName, formatTimestamp, forms, hasForm, parseTimestamp } from './forms.ts';

const good: Readonly<Record<FormName, readonly string[]>> = {
  uuid: ['0b8f8f6e-5d3a-4c55-9d0e-1f2a3b4c5d6e', '0B8F8F6E-5D3A-4C55-9D0E-1F2A3B4C5D6E'],
  party: ['Bank A::12ab', 'a::b::0', 'Bank::0xFF'],
  contract: ['00ab#0', '0xAB#12'],
  hex: ['0', 'deadBEEF', '0x0a'],
  decimal: ['0', '1', '-1', '1.50', '0.000000000000000000001', '12345678901234567890.1'],
  currency: ['USD', 'usdc', 'X'],
  timestamp: [
    '2026-01-31T23:59:59.999Z',
    '2024-02-29T00:00:00.000Z',
    '2026-01-01T00:00:00.000+00:00',
  ],
  text: ['', 'a\nb'],
};

const bad: Readonly<Record<FormName, readonly unknown[]>> = {
  uuid: ['', 'x', '0b8f8f6e5d3a4c559d0e1f2a3b4c5d6e', ' 0b8f8f6e-5d3a-4c55-9d0e-1f2a3b4c5d6e', 1],
  party: ['', 'Bank', 'Bank::', '::ab', 'Bank:ab', 'Bank::xyz', null],
  contract: ['ab', '#0', 'ab#', 'ab#x', 'xy#1'],
  hex: ['', '0x', 'xyz', 'ab cd', 255],
  decimal: ['', '.5', '1.', '1e3', '+1', '1_000', '0x1F', 'Infinity', ' 1', '1,5', 1, 1.5, null],
  currency: ['', ' ', 'U D', 840],
  timestamp: [
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.000',
    '2026-01-01T00:00:00.000+02:00',
    '2026-01-01 00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2025-02-29T00:00:00.000Z',
    1767225600000,
    null,
  ],
  text: [1, null, undefined, {}],
};

const cases = (Object.keys(forms) as FormName[]).flatMap((name) => [
  ...good[name].map((value) => [name, value, true] as const),
  ...bad[name].map((value) => [name, value, false] as const),
]);

describe('forms', () => {
  it.each(cases)('%s %j: %s', (name, value, holds) => {
    expect(hasForm(name, value)).toBe(holds);
  });

  it('reads back the moment that it writes', () => {
    const moment = 1_767_225_599_007;
    expect(formatTimestamp(moment)).toBe('2025-12-31T23:59:59.007Z');
    expect(parseTimestamp(formatTimestamp(moment))).toBe(moment);
    expect(parseTimestamp('2026-02-30T00:00:00.000Z')).toBeUndefined();
    expect(parseTimestamp(moment)).toBeUndefined();
  });
});
