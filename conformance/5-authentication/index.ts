import type { Check } from '../../src/suite/engine/check.ts';
import { expiredTokenChecks } from './expired-token.ts';
import { identityChecks } from './whoami-and-health.ts';
import { wrongClaimChecks } from './wrong-claims.ts';
import { badTokenListChecks } from './bad-token-narrowed-list.ts';
import { bearerHeaderChecks } from './bearer-header-only.ts';
import { tokenRequiredChecks } from './token-required.ts';

/** Part 5, and the endpoints of part 4.1 that every backend has: tokens, their claims, and refusals. */
export const authChecks: readonly Check[] = [
  ...identityChecks,
  ...tokenRequiredChecks,
  ...badTokenListChecks,
  ...bearerHeaderChecks,
  ...wrongClaimChecks,
  ...expiredTokenChecks,
];
