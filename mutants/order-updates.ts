import { orderOf, type StepOutcome, type OutgoingEvent } from '../src/reference/core/index.ts';
import { toCustodian } from './defects/callers.ts';
import { statusIs } from './defects/conditions.ts';
import type { Telling } from './defects/events.ts';
import { ordersBy, stranger } from './defects/reading.ts';
import { isCancelled, isCancelledQuoted, isOpen } from './defects/stored.ts';
import type { Json } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

/** A party without a part in the order, if the event is the one for the sender. */
const other = (role: string, context: Telling): string | undefined => {
  const { order, toSender } = context;
  return order && toSender ? stranger(role, order, context) : undefined;
};

/** order_updated for each quote_received. */
const updates = ({ state, events }: StepOutcome): readonly OutgoingEvent[] =>
  events.flatMap((event): OutgoingEvent[] => {
    const order = orderOf(state, event.intentId);
    if (event.event !== 'quote_received' || !order) return [];
    return [{ ...event, event: 'order_updated', data: state.world.policy.views.order(order) }];
  });

const unsettled = (as: null | undefined): Json => ({ transaction_hash: as, settled_at: as });

/** Defects in order_updated: recipients, times, payload (part 6). */
export const orderUpdateMutations: readonly Written[] = [
  mutation('no-event-on-quoted', 'event.order-updated.on-quoted', 'event.order-updated.sent')
    .summary('The move to QUOTED sends nothing, as the caller has its answer.')
    .unsent('order_updated', statusIs('QUOTED')),
  mutation('only-accepting-custodian-hears-of-quoted', 'event.order-updated.on-quoted')
    .summary('Where a custodian accepts, it alone hears of QUOTED.')
    .outcomes('quote.accept', ({ events }, { caller: { role, partyId } }) => {
      const left = events.filter(({ event, to }) => event !== 'order_updated' || to === partyId);
      return role === 'custodian' && { events: left };
    }),
  mutation('no-event-on-executing', 'event.order-updated.on-executing')
    .summary('The start of a settlement is not told.')
    .unsent('order_updated', statusIs('EXECUTING')),
  mutation('no-event-on-settled-for-custodian', 'event.order-updated.to-sender-custodian')
    .summary('The custodian of the sender does not hear of SETTLED.')
    .unsent('order_updated', (about) => about.status === 'SETTLED' && about.toSenderCustodian),
  mutation('no-event-on-settled-for-second-order', 'event.order-updated.on-settled')
    .summary('With an older order still executing, SETTLED is not told.')
    .unsent('order_updated', (context) => {
      const { order, status } = context;
      const others = ordersBy(context, order?.senderPartyId).filter(({ id }) => id !== order?.id);
      return status === 'SETTLED' && others.some(statusIs('EXECUTING'));
    }),
  mutation('no-event-on-expired-with-quotes', 'event.order-updated.on-expired')
    .summary('The expiry of an order that has quotes is not told.')
    .unsent('order_updated', ({ status, quotes }) => status === 'EXPIRED' && quotes.length > 0),
  mutation('no-event-on-expired', 'event.order-updated.on-expired')
    .summary('The expiry of an order is not told.')
    .unsent('order_updated', ({ status, order }) => status === 'EXPIRED' && !order?.accepted),
  mutation('no-event-on-reverted', 'event.order-updated.on-failed')
    .summary('A reverted settlement is not told.')
    .unsent('order_updated', ({ order }) => order?.failureReason === 'REVERT'),
  mutation('no-event-on-cancel', 'event.order-updated.on-cancel')
    .summary('A cancel sends nothing to the sender, who knows.')
    .unsent('order_updated', ({ order, toSender }) => isCancelled(order) && toSender),
  mutation('no-event-on-cancel-of-quoted', 'event.order-updated.on-cancel')
    .summary('The cancel of a QUOTED order is not told.')
    .unsent('order_updated', ({ order }) => order && isCancelledQuoted(order)),
  mutation('custodian-hears-nothing-of-cancels', 'event.order-updated.to-sender-custodian')
    .summary('The custodian of the sender does not hear of cancels.')
    .unsent('order_updated', (about) => isCancelled(about.order) && about.toSenderCustodian),
  mutation('strangers-hear-of-settled', 'event.order-updated.not-to-strangers')
    .summary('Another institution hears of orders that have settled.')
    .alsoTo('order_updated', (about) => about.status === 'SETTLED' && other('institution', about)),
  mutation(
    'institutions-of-one-custodian-hear-of-each-other',
    'event.order-updated.not-to-strangers',
  )
    .summary('Another institution with an open order at the same custodian hears of the order.')
    .alsoTo('order_updated', (about) => {
      const partyId = other('institution', about);
      const custodian = about.order?.senderCustodianPartyId;
      const shared = ordersBy(about, partyId).filter(isOpen);
      return shared.some((one) => one.senderCustodianPartyId === custodian) && partyId;
    }),
  mutation('strange-custodians-hear-of-cancels', 'event.order-updated.not-to-strangers')
    .summary('A custodian without a part in the order hears of its cancel.')
    .alsoTo('order_updated', (about) => isCancelled(about.order) && other('custodian', about)),
  mutation('custodian-of-both-told-twice', 'event.order-updated.once')
    .summary('A custodian of both sides is told of each change as either.')
    .repeated('order_updated', ({ order, to, toSenderCustodian }) => {
      return toSenderCustodian && to === order?.receiverCustodianPartyId;
    }),
  mutation('settled-told-twice', 'event.order-updated.once')
    .summary('SETTLED is told twice.')
    .repeated('order_updated', statusIs('SETTLED')),
  mutation('quoted-told-twice-to-custodian', 'event.order-updated.once')
    .summary('The custodian of the sender is told of QUOTED twice.')
    .repeated('order_updated', (about) => about.status === 'QUOTED' && about.toSenderCustodian),
  mutation('update-told-for-each-quote', 'event.order-updated.only-on-change')
    .summary('A quote sends order_updated with PENDING beside quote_received.')
    .tellMore('quote.submit', (outcome) => updates(outcome)),
  mutation('update-told-for-third-quote', 'event.order-updated.only-on-change')
    .summary('The third quote on an order sends order_updated with PENDING beside quote_received.')
    .tellMore('quote.submit', (outcome, { quotes }) => quotes.length === 2 && updates(outcome)),
  mutation('update-names-order-as-id', 'event.order-updated.has-intent-id')
    .summary('order_updated of EXECUTING names the order as id.')
    .setPayloadWhen('order_updated', statusIs('EXECUTING'), ({ intent_id: id }) => ({
      id,
      intent_id: undefined,
    })),
  mutation('update-without-status-for-custodian', 'event.order-updated.has-status')
    .summary('order_updated of a custodian carries no status: it is to read the order.')
    .dropPayloadWhen('order_updated', toCustodian, 'status'),
  mutation('update-with-status-before', 'event.order-updated.has-status')
    .also('event.order-updated.agrees-with-read')
    .summary('order_updated of SETTLED still carries EXECUTING.')
    .setPayloadWhen('order_updated', statusIs('SETTLED'), {
      status: 'EXECUTING',
      ...unsettled(undefined),
    }),
  mutation('update-shows-other-amount', 'event.order-updated.agrees-with-read')
    .summary('order_updated gives the maximum as the actual amount.')
    .setPayloadWhen(
      'order_updated',
      ({ order }) => order?.accepted,
      (data) => ({
        source_amount_actual: data.source_amount_max,
      }),
    ),
  mutation('executing-told-after-settled', 'event.in-order')
    .summary('EXECUTING is told after SETTLED.')
    .eventDelay(({ event, data }) => {
      const { status } = data as Json;
      return event === 'order_updated' && status === 'EXECUTING' ? 3_600 : 0;
    }),
  mutation('events-to-custodians-late', 'event.live')
    .summary('Custodians hear everything twenty seconds late.')
    .eventDelay((_event, { party }) => (party?.role === 'custodian' ? 20_000 : 0)),
  mutation('settled-event-shows-no-hash', 'event.order-updated.agrees-with-read')
    .summary('order_updated of a settled order shows its hash and its moment as null.')
    .setPayloadWhen('order_updated', statusIs('SETTLED'), unsettled(null)),
  mutation('executing-event-made-of-the-old-order', 'event.order-updated.agrees-with-read')
    .summary('order_updated of EXECUTING is the order before its acceptance, but for its status.')
    .setPayloadWhen('order_updated', statusIs('EXECUTING'), { quote_id: null, fx_rate: null }),
];
