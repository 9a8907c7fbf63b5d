import { expect, test } from 'vitest';
import { hasDefaultLifetime } from './token-lifetime.ts';

test('the default lifetime is 3600 s, or 3599 s if the second is cut', () => {
  expect([3_600, 3_599, 3_598, 900].map((told) => hasDefaultLifetime(told))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('the claims show the default lifetime of a token that was issued earlier', () => {
  expect(hasDefaultLifetime(3_412, { iat: 1_000, exp: 4_600 })).toBe(true);
  expect(hasDefaultLifetime(3_412, { iat: 1_000, exp: 4_412 })).toBe(false);
  expect(hasDefaultLifetime(3_412, { exp: 4_600 })).toBe(false);
});
