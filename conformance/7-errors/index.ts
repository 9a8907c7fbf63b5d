import type { Check } from '../../src/conformance/check.ts';
import { aboveMaximumChecks } from './above-maximum.ts';
import { createErrorChecks } from './create.ts';
import { idErrorChecks } from './ids.ts';
import { noTraceChecks } from './no-trace.ts';
import { oddChecks } from './odd.ts';
import { ownQuoteChecks } from './own-quote.ts';
import { quoteErrorChecks } from './quote.ts';
import { silenceChecks } from './silence.ts';
import { thenRightChecks } from './then-right.ts';

/** Part 7: what is refused, how, and that it leaves no trace. */
export const errorChecks: readonly Check[] = [
  ...createErrorChecks,
  ...quoteErrorChecks,
  ...ownQuoteChecks,
  ...idErrorChecks,
  ...oddChecks,
  ...silenceChecks,
  ...aboveMaximumChecks,
  ...thenRightChecks,
  ...noTraceChecks,
];
