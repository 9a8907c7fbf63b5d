import { type OutgoingEvent, type StepOutcome, orderOf } from '../src/reference/core/index.ts';
import { statusIs } from './defects/conditions.ts';
import { isCancelled, isCancelledQuoted, isOpen, toCustodian } from './defects/stored.ts';
import type { Telling } from './defects/events.ts';
import { ordersBy, stranger } from './defects/reading.ts';
import type { Json } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

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

/** Events to the side of the order (part 6). */
export const orderEventMutations: readonly Written[] = [
  // Defects in order_updated: recipients, times, payload (part 6).
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
  mutation('senders-that-receive-told-twice', 'event.order-updated.once')
    .summary('A sender that is the receiver as well is told of each change as either.')
    .repeated('order_updated', ({ order, toSender }) => {
      return toSender && order?.receiverPartyId === order?.senderPartyId;
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
  // quote_received, and events before their cause (part 6).
  mutation('third-quote-not-told', 'event.quote-received.every-quote')
    .summary('Only the first two quotes on an order send quote_received.')
    .unsent('quote_received', ({ quotes }) => quotes.length > 2),
  mutation('second-quote-of-a-maker-not-told', 'event.quote-received.every-quote')
    .summary('A second quote of the same maker sends no quote_received.')
    .unsent('quote_received', ({ quotes }) => {
      const maker = quotes.at(-1)?.makerPartyId;
      return quotes.slice(0, -1).some(({ makerPartyId }) => makerPartyId === maker);
    }),
  mutation('custodian-hears-of-no-quotes', 'event.quote-received.to-sender-custodian')
    .summary('quote_received goes to the institution only.')
    .recipients('quote_received', 'sender'),
  mutation('only-custodian-hears-of-quotes', 'event.quote-received.sent')
    .summary('quote_received goes to the custodian only.')
    .recipients('quote_received', 'sender-custodian'),
  mutation('receiver-custodian-hears-of-quotes', 'event.quote-received.not-to-receiver-custodian')
    .summary('quote_received goes to the custodian of the receiver as well.')
    .recipients('quote_received', 'sender', 'sender-custodian', 'receiver-custodian'),
  mutation(
    'receiver-custodian-hears-of-second-quotes',
    'event.quote-received.not-to-receiver-custodian',
  )
    .summary('From the second quote on quote_received goes to all custodians of the order.')
    .alsoTo('quote_received', ({ order, quotes, toSender }) => {
      const { receiverCustodianPartyId: receiver, senderCustodianPartyId: sender } = order ?? {};
      return toSender && quotes.length > 1 && receiver !== sender && receiver;
    }),
  mutation('other-institutions-hear-of-quotes', 'event.quote-received.not-to-strangers')
    .summary('quote_received goes to another institution as well.')
    .alsoTo('quote_received', ({ order, toSender, ...context }) => {
      return order && toSender && stranger('institution', order, context);
    }),
  mutation('receiver-hears-of-quotes', 'event.quote-received.not-to-strangers')
    .summary('quote_received goes to the institution that is to receive as well.')
    .alsoTo('quote_received', ({ order, to, toSender }) => {
      const { receiverPartyId: receiver, receiverCustodianPartyId: custodian } = order ?? {};
      return toSender && receiver !== custodian && receiver !== to && receiver;
    }),
  mutation('quote-told-twice-among-rivals', 'event.quote-received.once')
    .summary('A quote on an order that has others is told twice.')
    .repeated('quote_received', ({ quotes }) => quotes.length > 1),
  mutation('second-quote-of-a-maker-told-twice', 'event.quote-received.once')
    .summary('The second quote of a maker on an order is told twice.')
    .repeated('quote_received', ({ quotes, bidders }) => quotes.length > 1 && bidders.length === 1),
  mutation('refused-quote-told', 'event.quote-received.only-after-quote')
    .also('error.refusal-sends-no-event')
    .summary('quote_received is sent before the quote is checked, so for refused ones as well.')
    .outcomes('quote.submit', ({ reply }, { order, caller, body }) => {
      if (reply?.ok !== false || !order || caller.role !== 'market-maker') return undefined;
      const { fx_rate, target_amount } = (body ?? {}) as Json;
      const data = { fx_rate, target_amount, intent_id: order.id } as never;
      const { senderPartyId: to, id: intentId } = order;
      return { events: [{ to, event: 'quote_received', intentId, data }] };
    }),
  mutation('quote-told-without-rate', 'event.quote-received.has-fx-rate')
    .summary('quote_received says rate in place of fx_rate to custodians.')
    .setPayload('quote_received', ({ fx_rate: rate }, context) => {
      return toCustodian(context) && { rate, fx_rate: undefined };
    }),
  mutation('quote-told-without-amount', 'event.quote-received.has-target-amount')
    .summary('quote_received of a second quote has no target amount.')
    .dropPayloadWhen('quote_received', ({ quotes }) => quotes.length > 1, 'target_amount'),
  mutation('quote-told-with-first-maker', 'event.quote-received.agrees-with-list')
    .summary('quote_received names the maker of the first quote on the order.')
    .setPayload('quote_received', (_, { quotes: [first] }) => {
      return first && { market_maker_party_id: first.makerPartyId };
    }),
  mutation('quote-told-with-first-rate', 'event.quote-received.agrees-with-list')
    .summary('quote_received carries the rate of the first quote on the order.')
    .setPayload('quote_received', (_, { quotes }) => ({ fx_rate: quotes[0]?.rate })),
  mutation('settled-told-before-it-is-so', 'event.after-cause')
    .summary('SETTLED is told while the last leg still runs.')
    .outcomesWhenDue('settlement-leg', ({ events, state }, { order, deadline }) => {
      const early = { status: 'SETTLED', transaction_hash: 'ef'.repeat(32) };
      if (order?.status === 'SETTLED') {
        return { events: events.filter(({ event }) => event !== 'order_updated') };
      }
      if (order?.status !== 'EXECUTING' || deadline.leg !== 3) return undefined;
      const { senderPartyId: to, id: intentId } = order;
      const data = { ...state.world.policy.views.order(order), ...early };
      return { events: [...events, { to, event: 'order_updated', intentId, data }] };
    }),
];
