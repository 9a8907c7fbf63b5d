import type { Check } from '../../src/suite/engine/check.ts';
import { whoMayChangeChecks, whoMayReadChecks } from './order-access.ts';
import { whoFindsInListChecks, mixedIdChecks } from './order-parties.ts';
import {
  makerPrivacyChecks,
  senderHiddenChecks,
  senderAlikeChecks,
  severalMakersChecks,
  wrongRoleListChecks,
  wrongRoleChecks,
} from './roles.ts';

/** Parts 1.4 and 4: who may do what, by role and by relation to an order. */
export const accessChecks: readonly Check[] = [
  ...wrongRoleChecks,
  ...whoMayReadChecks,
  ...whoMayChangeChecks,
  ...mixedIdChecks,
  ...whoFindsInListChecks,
  ...wrongRoleListChecks,
  ...senderHiddenChecks,
  ...senderAlikeChecks,
  ...makerPrivacyChecks,
  ...severalMakersChecks,
];
