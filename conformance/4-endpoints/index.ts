import type { Check } from '../../src/conformance/check.ts';
import { assignedChecks } from './assigned.ts';
import { lastLooks } from './at-last.ts';
import { pastEnds } from './past-end.ts';
import { closedRequestChecks } from './closed-requests.ts';
import { filterChecks } from './filters.ts';
import { lateDeedChecks } from './late-deeds.ts';
import { openRequestChecks } from './open-requests.ts';
import { orderEndpointChecks } from './orders.ts';
import { pageChecks } from './pages.ts';
import { quoteEndpointChecks } from './quotes.ts';
import { requestChecks } from './requests.ts';
import { settlementEndpointChecks } from './settlements.ts';
import { twiceChecks } from './twice.ts';
import { unusualChecks } from './unusual.ts';
import { viewChecks } from './views.ts';

/** Part 4: what each endpoint returns, and what is on each list. */
export const endpointChecks: readonly Check[] = [
  ...orderEndpointChecks,
  ...unusualChecks,
  ...assignedChecks,
  ...viewChecks,
  ...filterChecks,
  ...requestChecks,
  ...openRequestChecks,
  ...closedRequestChecks,
  ...lateDeedChecks,
  ...quoteEndpointChecks,
  ...twiceChecks,
  ...settlementEndpointChecks,
  ...pageChecks,
  ...lastLooks,
  ...pastEnds,
];
