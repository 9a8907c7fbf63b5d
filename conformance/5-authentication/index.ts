import type { Check } from '../../src/conformance/check.ts';
import { expiryChecks } from './expiry.ts';
import { identityChecks } from './identity.ts';
import { mintedChecks } from './minted.ts';
import { narrowedTokenChecks } from './narrowed.ts';
import { otherPartyChecks } from './others.ts';
import { schemeChecks } from './scheme.ts';
import { wantedChecks } from './wanted.ts';

/** Part 5, and of part 4.1 what any backend answers: tokens, what they carry, and what is refused. */
export const authChecks: readonly Check[] = [
  ...identityChecks,
  ...wantedChecks,
  ...otherPartyChecks,
  ...narrowedTokenChecks,
  ...schemeChecks,
  ...mintedChecks,
  ...expiryChecks,
];
