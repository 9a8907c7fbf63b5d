import type { Check } from '../../src/conformance/check.ts';
import { listChecks } from './lists.ts';
import { makerChecks } from './makers.ts';
import { relationChecks } from './relations.ts';
import { roleChecks } from './roles.ts';

/** Parts 1.4 and 4: who may do what, by role and by relation to an order. */
export const accessChecks: readonly Check[] = [
  ...roleChecks,
  ...relationChecks,
  ...listChecks,
  ...makerChecks,
];
