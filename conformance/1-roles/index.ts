import type { Check } from '../../src/conformance/check.ts';
import { actChecks } from './acts.ts';
import { listChecks } from './lists.ts';
import { makerChecks } from './makers.ts';
import { mixedChecks } from './mixed.ts';
import { narrowedChecks } from './narrowed.ts';
import { readChecks } from './reads.ts';
import { rivalChecks } from './rivals.ts';
import { roleChecks } from './roles.ts';

/** Parts 1.4 and 4: who may do what, by role and by relation to an order. */
export const accessChecks: readonly Check[] = [
  ...roleChecks,
  ...readChecks,
  ...actChecks,
  ...mixedChecks,
  ...listChecks,
  ...narrowedChecks,
  ...makerChecks,
  ...rivalChecks,
];
