import { ordersOf } from '../src/reference/core/index.ts';
import { withOrder } from './canaries/state-changes.ts';
import { isNoId } from './errors.ts';
import { mutation, type Written } from './mutation.ts';
import { momentOf, shifted } from './defects/values.ts';

/** A multiple of ten as some decimal libraries print it by default. */
const asExponent = (amount: unknown): string => {
  const [, digits = '', zeros = ''] = /^(\d*[1-9])(0+)(?:\.0+)?$/.exec(String(amount)) ?? [];
  return zeros === '' ? String(amount) : `${digits}E+${zeros.length}`;
};

/** Bugs of kinds that order, payment and event systems had, each in one place of many. */
export const realSystemMutations: readonly Written[] = [
  mutation('list-derives-expiry-from-the-deadline', 'order.list.agrees-with-read')
    .also('order.state.settled-absorbs')
    .summary('The list of orders shows a SETTLED order as EXPIRED once `expires_at` has passed.')
    .set('order.list', (item, { now, order }) => {
      return item.status === 'SETTLED' && now >= Number(order?.expiresAt) && { status: 'EXPIRED' };
    }),
  mutation('listed-validity-cut-to-the-order', 'quote.views-agree')
    .summary("The order's side sees a `valid_until` cut to `expires_at`; its maker the longer one.")
    .set('order.quotes', ({ valid_until: until }, { order }) => {
      const { expiresAt = Infinity } = order ?? {};
      return momentOf(until) > expiresAt && { valid_until: new Date(expiresAt).toISOString() };
    }),
  mutation('update-with-an-internal-state', 'order.status.form')
    .summary('The update of an order whose accepted quote lapsed carries a state of the inside.')
    .setPayload('order_updated', (_, { order, status }) => {
      return status === 'EXPIRED' && order?.accepted && { status: 'QUOTE_LAPSED' };
    }),
  mutation('requests-of-reverted-orders-come-back', 'rfq.list.accepted-order-left')
    .summary('The request of an order that was reverted is listed again until `expires_at`.')
    .listRequests(({ status, failureReason, expiresAt }, { now }) => {
      return status === 'PENDING' || (failureReason === 'REVERT' && now < expiresAt);
    }),
  mutation('refused-acceptance-expires-the-order', 'order.failure-reason.applies')
    .summary('An acceptance between `expires_at` and the next sweep ends its order as a TIMEOUT.')
    .together(
      () => ({
        deadline: (deadline) =>
          deadline.kind === 'order-expiry' ? { ...deadline, at: deadline.at + 1_500 } : deadline,
      }),
      () => ({
        outcome: (outcome, command, { now, state }) => {
          if (command.type !== 'request' || command.endpoint !== 'quote.accept') return outcome;
          const order = ordersOf(state).find(({ id }) => id === command.params.intent_id);
          if (order?.status !== 'PENDING' || now < order.expiresAt) return outcome;
          const ended = { status: 'EXPIRED', failureReason: 'TIMEOUT' } as const;
          const told = [order.senderPartyId, order.senderCustodianPartyId].flatMap((to) =>
            to === undefined
              ? []
              : {
                  event: 'order_updated' as const,
                  to,
                  intentId: order.id,
                  data: { intent_id: order.id, status: 'EXPIRED' },
                },
          );
          const events = [...outcome.events, ...told];
          return { ...outcome, events, state: withOrder(outcome.state, order.id, ended) };
        },
      }),
    ),
  mutation('timers-of-closed-streams-go-on', 'event.heartbeat.order-stream')
    .also('limit.heartbeat-interval.order-stream')
    .summary("A party's second stream carries the heartbeats of its first one as well.")
    .setFrame('heartbeat', (text, { memory, party, stream }) => {
      const first = (memory.get(`first ${party?.partyId}`) as number | undefined) ?? stream;
      memory.set(`first ${party?.partyId}`, first);
      return stream > first ? text + text : text;
    }),
  mutation('bursts-lose-an-event', 'event.order-updated.sent')
    .also('event.quote-received.every-quote')
    .summary('A stream holds six messages: of a burst of more the others are lost.')
    .tamper(() => ({
      frame: (text, { now, stream, event, memory }) => {
        if (event === 'heartbeat' || event === 'connected') return text;
        const key = `${stream} ${now}`;
        const held = Number(memory.get(key) ?? 0) + 1;
        memory.set(key, held);
        return held > 6 ? undefined : text;
      },
    })),
  mutation('computed-tens-with-an-exponent', 'order.source-amount-actual.form')
    .summary('An amount that was computed and is a multiple of ten is written with an exponent.')
    .change(['order.read', 'order.list'], 'source_amount_actual', asExponent),
  mutation('cancelled-orders-expire-once-more', 'event.order-updated.once')
    .summary('The sweep at `expires_at` announces orders once more that were cancelled before.')
    .tamper(() => ({
      event: (event, { now, state, memory }) => {
        const late = ordersOf(state).filter(
          ({ failureReason, expiresAt, senderPartyId, id }) =>
            failureReason === 'USER_CANCELLED' &&
            senderPartyId === event.to &&
            expiresAt <= now &&
            !memory.has(id),
        );
        const again = late.map(({ id, status }) => {
          memory.set(id, true);
          return {
            ...event,
            event: 'order_updated',
            intentId: id,
            data: { intent_id: id, status },
          };
        });
        return [event, ...again];
      },
    })),
  mutation('totals-count-rows-of-a-join', 'pagination.total-items.counts')
    .summary('The total of the list of orders counts an order once for each of its quotes.')
    .setPagination('order.list', ({ total_items: all, page_size: size }, { state }, data) => {
      const extra = data.reduce<number>((sum, item) => {
        const id = (item as { intent_id: string }).intent_id;
        const quotes = [...state.version.read().quotes.all()].filter((one) => one.intentId === id);
        return sum + Math.max(0, quotes.length - 1);
      }, 0);
      return { total_items: all + extra, total_pages: Math.ceil((all + extra) / size) };
    }),
  mutation('malformed-id-fails-one-endpoint', 'error.refusal-is-4xx')
    .summary('A settlement that is asked for by a malformed id is answered with a fault.')
    .fault('settlement.read', (_, { params }) => isNoId(params.intent_id)),
  mutation('one-list-in-local-time', 'settlement.read.agrees-with-list')
    .summary('The list of settlements shows local time, two hours ahead, with a Z.')
    .change('settlement.list', 'settled_at', (at) => shifted(at, 2 * 3_600_000)),
];
