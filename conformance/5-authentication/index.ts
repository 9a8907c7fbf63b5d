import type { Check } from '../../src/suite/engine/check.ts';
import { expiredTokenChecks } from './expired-token.ts';
import { identityChecks } from './tokens.ts';
import {
  wrongClaimChecks,
  badTokenListChecks,
  bearerHeaderChecks,
  tokenRequiredChecks,
} from './token-required.ts';

/** Part 5, and the endpoints of part 4.1 that every backend has: tokens, their claims, and refusals. */
export const authChecks: readonly Check[] = [
  ...identityChecks,
  ...tokenRequiredChecks,
  ...badTokenListChecks,
  ...bearerHeaderChecks,
  ...wrongClaimChecks,
  ...expiredTokenChecks,
];
