import type { Check } from '../../src/suite/engine/check.ts';
import { serviceAssignedChecks } from './orders/service-assigned-fields.ts';
import { lateListChecks } from './lists/lists-late-in-run.ts';
import { pastEndChecks } from './lists/page-past-end.ts';
import { closedRequestChecks } from './makers/closed-request-takes-no-quote.ts';
import { filterChecks } from './lists/status-filters.ts';
import { lastSecondChecks } from './makers/last-second.ts';
import { untilDeadlineChecks } from './makers/quote-and-cancel-until-deadline.ts';
import { orderEndpointChecks } from './orders/create-read-list.ts';
import { pageChecks } from './lists/pages-hold-each-item-once.ts';
import { quoteEndpointChecks } from './makers/quote-lists.ts';
import { requestChecks } from './makers/requests.ts';
import { settlementEndpointChecks } from './makers/settlements.ts';
import { twoQuotesChecks } from './makers/two-quotes-of-one-maker.ts';
import { unusualValueChecks } from './orders/unusual-values.ts';
import { custodianViewChecks } from './orders/custodian-view.ts';

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
  ...quoteEndpointChecks,
  ...twoQuotesChecks,
  ...settlementEndpointChecks,
  ...pageChecks,
  ...lateListChecks,
  ...pastEndChecks,
];
