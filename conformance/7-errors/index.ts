import type { Check } from '../../src/suite/engine/check.ts';
import { createErrorChecks, quoteErrorChecks } from './body-errors.ts';
import { idErrorChecks, oddRequestChecks } from './malformed-requests.ts';
import { noTraceChecks, changesNothingChecks } from './refusals-change-nothing.ts';
import { validAfterRefusedChecks } from './valid-after-refused.ts';

/** Part 7: refused requests, the form of refusals, and that they leave no trace. */
export const errorChecks: readonly Check[] = [
  ...createErrorChecks,
  ...quoteErrorChecks,
  ...idErrorChecks,
  ...oddRequestChecks,
  ...changesNothingChecks,
  ...validAfterRefusedChecks,
  ...noTraceChecks,
];
