import type { Check } from '../../src/conformance/check.ts';
import { roleChecks } from './roles.ts';

/** Parts 1.4 and 4: who may do what, by role and by relation to an order. */
export const accessChecks: readonly Check[] = [...roleChecks];
