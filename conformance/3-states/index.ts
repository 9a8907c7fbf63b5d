import type { Check } from '../../src/conformance/check.ts';
import { acceptChecks } from './accept.ts';
import { cancelChecks } from './cancel.ts';
import { lifeChecks } from './life.ts';
import { moneyChecks } from './money.ts';
import { selectChecks } from './select.ts';

/** Part 3, and what of part 2 takes a driven situation: the ways of orders and quotes. */
export const stateChecks: readonly Check[] = [
  ...lifeChecks,
  ...moneyChecks,
  ...acceptChecks,
  ...selectChecks,
  ...cancelChecks,
];
