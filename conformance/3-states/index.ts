import type { Check } from '../../src/conformance/check.ts';
import { lifeChecks } from './life.ts';

/** Part 3, and what of part 2 takes a driven situation: the ways of orders and quotes. */
export const stateChecks: readonly Check[] = [...lifeChecks];
