import type { Check } from '../../src/conformance/check.ts';
import { filterChecks } from './filters.ts';
import { orderEndpointChecks } from './orders.ts';
import { pageChecks } from './pages.ts';

/** Part 4: what each endpoint returns, and what is on each list. */
export const endpointChecks: readonly Check[] = [
  ...orderEndpointChecks,
  ...filterChecks,
  ...pageChecks,
];
