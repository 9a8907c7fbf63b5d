import type { TamperContext } from '../src/reference/http/index.ts';
import { quotesOn } from './defects/reading.ts';
import { mutation, type Written } from './mutation.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Since the service was first asked for something. */
function minutesUp({ memory, now }: TamperContext): number {
  const since = memory.get('first asked') as number | undefined;
  if (since === undefined) memory.set('first asked', now);
  return (now - (since ?? now)) / minuteMs;
}

const dayOf = (instant: number): number => Math.floor(instant / dayMs);

/** Mistakes of a service that has run for a while, or has seen a day end. */
export const agingMutations: readonly Written[] = [
  mutation('quotes-lapse-in-the-first-minutes-only', 'quote.state.pending-to-expired')
    .summary('Three minutes after the start quotes do not expire any more where another stands.')
    .deadline((deadline, context) => {
      const isRivalled = quotesOn(context, deadline.intentId).length > 1;
      return minutesUp(context) > 3 && deadline.kind === 'quote-expiry' && isRivalled
        ? undefined
        : deadline;
    }),
  mutation('no-custodian-acceptance-after-an-hour', 'service.sender-custodian-accepts')
    .summary('An hour after the start custodians can accept no quote any more.')
    .ignored(
      'quote.accept',
      (context) => minutesUp(context) > 60 && context.caller.role === 'custodian',
    ),
  mutation('filtered-list-of-the-day', 'order.list.status-filter.complete')
    .summary('Filtered by a status the list of orders holds those of the present day only.')
    .listOrders(({ query, ownOrders, fits, now }) => {
      const ofToday = ownOrders.filter((one) => fits(one) && dayOf(one.createdAt) === dayOf(now));
      return query.status !== undefined && ofToday;
    }),
  mutation('no-orders-in-a-second-quarter', 'access.order.create.institution-allowed')
    .summary('From ten minutes after the start until half an hour later no order is taken.')
    .ignored('order.create', (context) => minutesUp(context) > 10 && minutesUp(context) < 40),
  mutation('no-orders-after-an-hour', 'access.order.create.institution-allowed')
    .summary('An hour after the start no order is taken any more.')
    .ignored('order.create', (context) => minutesUp(context) > 60),
];
