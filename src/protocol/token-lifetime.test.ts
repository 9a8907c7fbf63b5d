import { expect, test } from 'vitest';
import { hasDefaultLifetime } from './token-lifetime.ts';

test('the default span is told, or told with its last second cut', () => {
  expect([3_600, 3_599, 3_598, 900].map((told) => hasDefaultLifetime(told))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a token that was issued before it was handed out is known by its claims', () => {
  expect(hasDefaultLifetime(3_412, { iat: 1_000, exp: 4_600 })).toBe(true);
  expect(hasDefaultLifetime(3_412, { iat: 1_000, exp: 4_412 })).toBe(false);
  expect(hasDefaultLifetime(3_412, { exp: 4_600 })).toBe(false);
});
