import { quotesOf } from '../src/reference/core/index.ts';
import { defects } from './defects/index.ts';
import { mutation, type Written } from './mutation.ts';

const secondUp = (moment: number): number => Math.ceil(moment / 1_000) * 1_000;

/** Mistakes that stay within the room that rules leave. Written from docs/tolerances.md alone. */
export const insideTolerances: readonly Written[] = [
  mutation('deadlines-come-early', 'quote.state.usable-until-deadline')
    .also('quote.state.pending-to-expired.not-early', 'order.state.pending-to-expired.not-early')
    .inside('deadlineEarlyMs')
    .summary('Deadlines take effect 20 ms early.')
    .rule('time', ({ passed, end }) => ({
      passed: (now, deadline) => passed(now + 20, deadline),
      end: (deadline) => end(deadline) - 20,
    })),
  mutation('accepted-at-rounded-up', 'order.quote-accepted-at.at-acceptance')
    .also('convention.timestamps')
    .inside('stamp')
    .summary('quote_accepted_at is rounded up to a whole second.')
    .showOrders(
      ({ accepted }) =>
        accepted && { accepted: { ...accepted, acceptedAt: secondUp(accepted.acceptedAt) } },
    ),
  mutation('cancelled-orders-listed-as-before', 'order.list.agrees-with-read')
    .also('order.state.failed-absorbs')
    .inside('replicationLagMs')
    .summary('For 1.5 s after a cancel the list without a filter shows the order as PENDING.')
    .together(
      defects.note('order.cancel', ({ order, memory, now }, { reply }) => {
        if (order?.status === 'PENDING' && reply?.ok) memory.set(`cancelled ${order.id}`, now);
        return undefined;
      }),
      defects.set('order.list', ({ intent_id }, { query, now, memory }) => {
        const at = memory.get(`cancelled ${String(intent_id)}`) as number | undefined;
        const isStale = query.status === undefined && at !== undefined && now - at < 1_500;
        return isStale && { status: 'PENDING', failure_reason: undefined };
      }),
    ),
  mutation('rejections-told-in-batches', 'event.live', 'event.quote-rejected.sent')
    .inside('eventDeliveryMs')
    .summary('quote_rejected waits for the next five seconds of the clock.')
    .eventDelay(({ event }, { now }) => (event === 'quote_rejected' ? 5_000 - (now % 5_000) : 0)),
  mutation('late-heartbeat-after-traffic', 'limit.heartbeat-interval.maker-stream')
    .also('limit.heartbeat-interval.order-stream')
    .inside('heartbeat')
    .summary(
      'On a stream that carried an event since its last heartbeat the next comes after 32.5 s.',
    )
    .together(
      () => ({ heartbeatMs: 2_500 }),
      () => ({
        frame(text, { event, stream, memory, party, now }) {
          const key = `beat ${party?.partyId ?? ''} ${stream}`;
          type Beat = { readonly at: number; readonly isBusy: boolean };
          const isBeat = event === 'heartbeat';
          const last = memory.get(key) as Beat | undefined;
          const { at, isBusy } = last ?? { at: isBeat ? now - 2_500 : now, isBusy: false };
          const isDue = isBeat && now - at >= (isBusy ? 32_500 : 30_000);
          const carried = isBusy || (!isBeat && event !== 'connected');
          memory.set(key, isDue ? { at: now, isBusy: false } : { at, isBusy: carried });
          return isBeat && !isDue ? undefined : text;
        },
      }),
    ),
  mutation('rivalled-orders-settle-after-14-seconds', 'limit.settlement-duration')
    .inside('settlement')
    .summary('The settlement of an order with several quotes takes 14 s.')
    .deadline((deadline, { state }) => {
      const isLast = deadline.kind === 'settlement-leg' && deadline.leg === 4;
      const isRivalled = quotesOf(state, deadline.intentId).length > 1;
      return isLast && isRivalled ? { ...deadline, at: deadline.at + 10_000 } : deadline;
    }),
];
