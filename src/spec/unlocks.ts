import type { GapId } from './gaps/index.ts';
import type { RequirementId } from './requirements/index.ts';

const reasons = [
  'order.failure-reason.admissible',
  'order.failure-reason.no-quote',
  'order.failure-reason.only-when-ended',
  'order.failure-reason.operator-withdrawn',
  'order.failure-reason.revert',
  'order.failure-reason.slippage',
  'order.failure-reason.timeout',
  'order.failure-reason.user-cancelled',
] as const;

/** Requirements that cannot be judged as long as a target's answer to a gap is not known. */
export const unlocks: { readonly [gap in GapId]?: readonly RequirementId[] } = {
  'list.page_param': [
    'list.pages-disjoint',
    'list.pages-complete',
    'pagination.page.as-asked',
    'pagination.page-size.full-before-last',
  ],
  'list.first_page': ['pagination.page.as-asked'],
  'order.failure_reason_field': reasons,
  'quote.target_amount': ['quote.target-amount.as-submitted'],
  'stats.fields': ['stats.read.orders-and-volume', 'stats.read.quoting-and-volume'],
};
