import type { Check } from '../../src/suite/engine/check.ts';
import { whoMayChangeChecks } from './who-may-change-order.ts';
import { whoFindsInListChecks } from './who-finds-order-in-list.ts';
import { makerPrivacyChecks } from './makers-see-own-quotes-and-settlements.ts';
import { mixedIdChecks } from './mixed-order-and-quote-ids.ts';
import { wrongRoleListChecks } from './wrong-role-narrowed-list.ts';
import { senderHiddenChecks } from './sender-hidden-from-makers.ts';
import { senderAlikeChecks } from './senders-indistinguishable.ts';
import { whoMayReadChecks } from './who-may-read-order.ts';
import { severalMakersChecks } from './several-makers-quote.ts';
import { wrongRoleChecks } from './wrong-role-refused.ts';

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
