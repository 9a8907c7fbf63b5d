import type { Check } from '../../src/suite/engine/check.ts';
import { createErrorChecks } from './create-body-errors.ts';
import { idErrorChecks } from './malformed-ids.ts';
import { noTraceChecks } from './refused-creation-leaves-no-trace.ts';
import { oddRequestChecks } from './odd-requests-no-5xx.ts';
import { quoteErrorChecks } from './quote-body-errors.ts';
import { changesNothingChecks } from './refused-changes-nothing.ts';
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
