import { type Order, orderOf, ordersOf, type OutgoingEvent } from '../src/reference/core/index.ts';
import type { Written } from './mutation.ts';
import {
  events,
  isOpen,
  type Json,
  orderOfEvent,
  ordersBy,
  payloads,
  quotesOn,
  stranger,
  unsent,
  without,
} from './tools.ts';

const statusOf = ({ data }: OutgoingEvent): unknown => (data as Json).status;

/** Never sends a move to a status. */
const silentOn = (status: string, when: (order: Order | undefined) => boolean = () => true) =>
  unsent(
    'order_updated',
    (event, context) => statusOf(event) === status && when(orderOfEvent(event, context)),
  );

/** order_updated beside quote_received, where so many quotes were there before. */
const toldWithQuote =
  (isTold: (quotes: number) => boolean): Written['tamper'] =>
  () => ({
    outcome: (outcome, command, context) => {
      if (command.type !== 'request' || command.endpoint !== 'quote.submit') return outcome;
      const extra = outcome.events.flatMap((event): OutgoingEvent[] => {
        const order = orderOf(outcome.state, event.intentId);
        const quotes = quotesOn(context, event.intentId).length;
        if (event.event !== 'quote_received' || !order || !isTold(quotes)) return [];
        const data = outcome.state.world.policy.views.order(order);
        return [{ ...event, event: 'order_updated', data }];
      });
      return { ...outcome, events: [...outcome.events, ...extra] };
    },
  });

/** order_updated: to whom, when, what (part 6). */
export const orderUpdateMutations: readonly Written[] = [
  {
    id: 'no-event-on-quoted',
    breaks: ['event.order-updated.on-quoted', 'event.order-updated.sent'],
    summary: 'The move to QUOTED sends nothing, as the caller has its answer.',
    tamper: silentOn('QUOTED'),
  },
  {
    id: 'only-accepting-custodian-hears-of-quoted',
    breaks: ['event.order-updated.on-quoted'],
    summary: 'Where a custodian accepts, it alone hears of QUOTED.',
    tamper: () => ({
      outcome: (outcome, command) =>
        command.type === 'request' &&
        command.endpoint === 'quote.accept' &&
        command.caller.role === 'custodian'
          ? {
              ...outcome,
              events: outcome.events.filter(
                (event) => event.event !== 'order_updated' || event.to === command.caller.partyId,
              ),
            }
          : outcome,
    }),
  },
  {
    id: 'no-event-on-executing',
    breaks: ['event.order-updated.on-executing'],
    summary: 'The start of a settlement is not told.',
    tamper: silentOn('EXECUTING'),
  },
  {
    id: 'no-event-on-settled-for-custodian',
    breaks: ['event.order-updated.to-sender-custodian'],
    summary: 'The custodian of the sender does not hear of SETTLED.',
    tamper: unsent(
      'order_updated',
      (event, context) =>
        statusOf(event) === 'SETTLED' &&
        event.to === orderOfEvent(event, context)?.senderCustodianPartyId,
    ),
  },
  {
    id: 'no-event-on-settled-for-second-order',
    breaks: ['event.order-updated.on-settled'],
    summary: 'With an older order still executing, SETTLED is not told.',
    tamper: unsent('order_updated', (event, context) => {
      const order = orderOfEvent(event, context);
      return (
        statusOf(event) === 'SETTLED' &&
        ordersBy(context, order?.senderPartyId ?? '').some(
          ({ status, id }) => status === 'EXECUTING' && id !== order?.id,
        )
      );
    }),
  },
  {
    id: 'no-event-on-expired-with-quotes',
    breaks: ['event.order-updated.on-expired'],
    summary: 'The expiry of an order that has quotes is not told.',
    tamper: unsent(
      'order_updated',
      (event, context) =>
        statusOf(event) === 'EXPIRED' && quotesOn(context, event.intentId).length > 0,
    ),
  },
  {
    id: 'no-event-on-expired',
    breaks: ['event.order-updated.on-expired'],
    summary: 'The expiry of an order is not told.',
    tamper: silentOn('EXPIRED', (order) => !order?.accepted),
  },
  {
    id: 'no-event-on-reverted',
    breaks: ['event.order-updated.on-failed'],
    summary: 'A reverted settlement is not told.',
    tamper: silentOn('FAILED', (order) => order?.failureReason === 'REVERT'),
  },
  {
    id: 'no-event-on-cancel',
    breaks: ['event.order-updated.on-cancel'],
    summary: 'A cancel sends nothing to the sender, who knows.',
    tamper: unsent(
      'order_updated',
      (event, context) =>
        orderOfEvent(event, context)?.failureReason === 'USER_CANCELLED' &&
        event.to === orderOfEvent(event, context)?.senderPartyId,
    ),
  },
  {
    id: 'no-event-on-cancel-of-quoted',
    breaks: ['event.order-updated.on-cancel'],
    summary: 'The cancel of a QUOTED order is not told.',
    tamper: unsent('order_updated', (event, context) => {
      const order = orderOfEvent(event, context);
      return order?.failureReason === 'USER_CANCELLED' && order.accepted !== undefined;
    }),
  },
  {
    id: 'custodian-hears-nothing-of-cancels',
    breaks: ['event.order-updated.to-sender-custodian'],
    summary: 'The custodian of the sender does not hear of cancels.',
    tamper: unsent('order_updated', (event, context) => {
      const order = orderOfEvent(event, context);
      return order?.failureReason === 'USER_CANCELLED' && event.to === order.senderCustodianPartyId;
    }),
  },
  {
    id: 'strangers-hear-of-settled',
    breaks: ['event.order-updated.not-to-strangers'],
    summary: 'Another institution hears of orders that have settled.',
    tamper: events('order_updated', (event, context) => {
      const order = orderOfEvent(event, context);
      const other = order && stranger('institution', order, context);
      return statusOf(event) === 'SETTLED' && other && event.to === order.senderPartyId
        ? [event, { ...event, to: other }]
        : [event];
    }),
  },
  {
    id: 'institutions-of-one-custodian-hear-of-each-other',
    breaks: ['event.order-updated.not-to-strangers'],
    summary:
      'Another institution that has an open order with the same custodian hears of the order.',
    tamper: events('order_updated', (event, context) => {
      const order = orderOfEvent(event, context);
      const other = order && stranger('institution', order, context);
      const shares = ordersOf(context.state).some(
        (one) =>
          one.senderPartyId === other &&
          one.senderCustodianPartyId === order?.senderCustodianPartyId &&
          isOpen(one),
      );
      return other && shares && event.to === order.senderPartyId
        ? [event, { ...event, to: other }]
        : [event];
    }),
  },
  {
    id: 'strange-custodians-hear-of-cancels',
    breaks: ['event.order-updated.not-to-strangers'],
    summary: 'A custodian without a part in the order hears of its cancel.',
    tamper: events('order_updated', (event, context) => {
      const order = orderOfEvent(event, context);
      const other = order && stranger('custodian', order, context);
      return order?.failureReason === 'USER_CANCELLED' && other && event.to === order.senderPartyId
        ? [event, { ...event, to: other }]
        : [event];
    }),
  },
  {
    id: 'custodian-of-both-told-twice',
    breaks: ['event.order-updated.once'],
    summary: 'A custodian of both sides is told of each change as either.',
    tamper: events('order_updated', (event, context) => {
      const order = orderOfEvent(event, context);
      return event.to === order?.senderCustodianPartyId &&
        event.to === order.receiverCustodianPartyId
        ? [event, event]
        : [event];
    }),
  },
  {
    id: 'settled-told-twice',
    breaks: ['event.order-updated.once'],
    summary: 'SETTLED is told twice.',
    tamper: events('order_updated', (event) =>
      statusOf(event) === 'SETTLED' ? [event, event] : [event],
    ),
  },
  {
    id: 'quoted-told-twice-to-custodian',
    breaks: ['event.order-updated.once'],
    summary: 'The custodian of the sender is told of QUOTED twice.',
    tamper: events('order_updated', (event, context) =>
      statusOf(event) === 'QUOTED' &&
      event.to === orderOfEvent(event, context)?.senderCustodianPartyId
        ? [event, event]
        : [event],
    ),
  },
  {
    id: 'update-told-for-each-quote',
    breaks: ['event.order-updated.only-on-change'],
    summary: 'A quote sends order_updated with PENDING beside quote_received.',
    tamper: toldWithQuote(() => true),
  },
  {
    id: 'update-told-for-third-quote',
    breaks: ['event.order-updated.only-on-change'],
    summary: 'The third quote on an order sends order_updated with PENDING beside quote_received.',
    tamper: toldWithQuote((before) => before === 2),
  },
  {
    id: 'update-names-order-as-id',
    breaks: ['event.order-updated.has-intent-id'],
    summary: 'order_updated of EXECUTING names the order as id.',
    tamper: payloads('order_updated', (data) =>
      data.status === 'EXECUTING' ? { id: data.intent_id, ...without(data, 'intent_id') } : data,
    ),
  },
  {
    id: 'update-without-status-for-custodian',
    breaks: ['event.order-updated.has-status'],
    summary: 'order_updated of a custodian carries no status: it is to read the order.',
    tamper: payloads('order_updated', (data, event, { parties }) =>
      parties.find(({ partyId }) => partyId === event.to)?.role === 'custodian'
        ? without(data, 'status')
        : data,
    ),
  },
  {
    id: 'update-with-status-before',
    breaks: ['event.order-updated.has-status', 'event.order-updated.agrees-with-read'],
    summary: 'order_updated of SETTLED still carries EXECUTING.',
    tamper: payloads('order_updated', (data) =>
      data.status === 'SETTLED'
        ? { ...without(data, 'transaction_hash', 'settled_at'), status: 'EXECUTING' }
        : data,
    ),
  },
  {
    id: 'update-shows-other-amount',
    breaks: ['event.order-updated.agrees-with-read'],
    summary: 'order_updated gives the maximum as the actual amount.',
    tamper: payloads('order_updated', (data) =>
      data.source_amount_actual === undefined
        ? data
        : { ...data, source_amount_actual: data.source_amount_max },
    ),
  },
  {
    id: 'executing-told-after-settled',
    breaks: ['event.in-order'],
    summary: 'EXECUTING is told after SETTLED.',
    tamper: () => ({
      eventDelayMs: (event) =>
        event.event === 'order_updated' && (event.data as Json).status === 'EXECUTING' ? 3_600 : 0,
    }),
  },
  {
    id: 'events-to-custodians-late',
    breaks: ['event.live'],
    summary: 'Custodians hear everything twenty seconds late.',
    tamper: () => ({
      eventDelayMs: (_event, { party }) => (party?.role === 'custodian' ? 20_000 : 0),
    }),
  },
  {
    id: 'settled-event-shows-no-hash',
    breaks: ['event.order-updated.agrees-with-read'],
    summary: 'order_updated of a settled order shows its hash and its moment as null.',
    tamper: payloads('order_updated', (data) =>
      data.status === 'SETTLED' ? { ...data, transaction_hash: null, settled_at: null } : data,
    ),
  },
  {
    id: 'executing-event-made-of-the-old-order',
    breaks: ['event.order-updated.agrees-with-read'],
    summary: 'order_updated of EXECUTING is the order before its acceptance, but for its status.',
    tamper: payloads('order_updated', (data) =>
      data.status === 'EXECUTING' ? { ...data, quote_id: null, fx_rate: null } : data,
    ),
  },
];
