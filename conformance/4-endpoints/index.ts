import type { Check } from '../../src/suite/engine/check.ts';
import { serviceAssignedChecks, orderEndpointChecks, custodianViewChecks } from './orders.ts';
import { lateListChecks, filterChecks } from './list-contents.ts';
import { pastEndChecks, pageChecks } from './list-pages.ts';
import { closedRequestChecks, requestChecks } from './requests.ts';
import { lastSecondChecks, untilDeadlineChecks } from './until-deadline.ts';
import { endsWithOrderChecks } from './quote-ends-with-order.ts';
import {
  quoteEndpointChecks,
  settlementEndpointChecks,
  twoQuotesChecks,
} from './quotes-and-settlements.ts';
import { unusualValueChecks } from './unusual-values.ts';

/** Part 4: the result of each endpoint, and the items of each list. */
export const endpointChecks: readonly Check[] = [
  ...orderEndpointChecks,
  ...unusualValueChecks,
  ...serviceAssignedChecks,
  ...custodianViewChecks,
  ...filterChecks,
  ...requestChecks,
  ...closedRequestChecks,
  ...untilDeadlineChecks,
  ...lastSecondChecks,
  ...endsWithOrderChecks,
  ...quoteEndpointChecks,
  ...twoQuotesChecks,
  ...settlementEndpointChecks,
  ...pageChecks,
  ...lateListChecks,
  ...pastEndChecks,
];
