import { toCustodian } from './defects/callers.ts';
import { stranger } from './defects/reading.ts';
import type { Json } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

/** quote_received, and events before their cause (part 6). */
export const quoteReceivedMutations: readonly Written[] = [
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
