import type { Check } from '../../src/suite/engine/check.ts';
import { expiredTokenChecks } from './expired-token.ts';
import { identityChecks } from './whoami-and-health.ts';
import { wrongClaimChecks } from './wrong-claims.ts';
import { badTokenListChecks } from './bad-token-narrowed-list.ts';
import { bearerHeaderChecks } from './bearer-header-only.ts';
import { tokenRequiredChecks } from './token-required.ts';

/** Part 5, and of part 4.1 what any backend answers: tokens, what they carry, and what is refused. */
export const authChecks: readonly Check[] = [
  ...identityChecks,
  ...tokenRequiredChecks,
  ...badTokenListChecks,
  ...bearerHeaderChecks,
  ...wrongClaimChecks,
  ...expiredTokenChecks,
];
