import { type Order, orderOf } from '../src/reference/core/index.ts';
import type { TamperContext } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import {
  events,
  type Json,
  orderOfEvent,
  payloads,
  quotesOn,
  rules,
  stranger,
  unsent,
  without,
} from './tools.ts';

/** Sends an event to one more party, where that has not got it already. */
const alsoTo = (
  name: 'order_updated' | 'quote_received',
  whom: (order: Order, context: TamperContext) => string | undefined,
) =>
  events(name, (event, context) => {
    const order = orderOfEvent(event, context);
    const more = order && event.to === order.senderPartyId ? whom(order, context) : undefined;
    return more === undefined || more === event.to ? [event] : [event, { ...event, to: more }];
  });

/** quote_received, and events before their cause (part 6). */
export const quoteReceivedMutations: readonly Written[] = [
  {
    id: 'third-quote-not-told',
    breaks: ['event.quote-received.every-quote'],
    summary: 'Only the first two quotes on an order send quote_received.',
    tamper: unsent(
      'quote_received',
      (event, context) => quotesOn(context, event.intentId).length > 2,
    ),
  },
  {
    id: 'second-quote-of-a-maker-not-told',
    breaks: ['event.quote-received.every-quote'],
    summary: 'A second quote of the same maker sends no quote_received.',
    tamper: unsent('quote_received', (event, context) => {
      const all = quotesOn(context, event.intentId);
      const last = all.at(-1);
      return all.some(
        ({ id, makerPartyId }) => id !== last?.id && makerPartyId === last?.makerPartyId,
      );
    }),
  },
  {
    id: 'custodian-hears-of-no-quotes',
    breaks: ['event.quote-received.to-sender-custodian'],
    summary: 'quote_received goes to the institution only.',
    tamper: rules(({ events: own }) => ({
      events: { recipients: { ...own.recipients, quote_received: ['sender'] } },
    })),
  },
  {
    id: 'only-custodian-hears-of-quotes',
    breaks: ['event.quote-received.sent'],
    summary: 'quote_received goes to the custodian only.',
    tamper: rules(({ events: own }) => ({
      events: { recipients: { ...own.recipients, quote_received: ['sender-custodian'] } },
    })),
  },
  {
    id: 'receiver-custodian-hears-of-quotes',
    breaks: ['event.quote-received.not-to-receiver-custodian'],
    summary: 'quote_received goes to the custodian of the receiver as well.',
    tamper: rules(({ events: own }) => ({
      events: {
        recipients: {
          ...own.recipients,
          quote_received: ['sender', 'sender-custodian', 'receiver-custodian'],
        },
      },
    })),
  },
  {
    id: 'receiver-custodian-hears-of-second-quotes',
    breaks: ['event.quote-received.not-to-receiver-custodian'],
    summary: 'From the second quote on quote_received goes to all custodians of the order.',
    tamper: alsoTo('quote_received', (order, context) =>
      quotesOn(context, order.id).length > 1 &&
      order.receiverCustodianPartyId !== order.senderCustodianPartyId
        ? order.receiverCustodianPartyId
        : undefined,
    ),
  },
  {
    id: 'other-institutions-hear-of-quotes',
    breaks: ['event.quote-received.not-to-strangers'],
    summary: 'quote_received goes to another institution as well.',
    tamper: alsoTo('quote_received', (order, context) => stranger('institution', order, context)),
  },
  {
    id: 'receiver-hears-of-quotes',
    breaks: ['event.quote-received.not-to-strangers'],
    summary: 'quote_received goes to the institution that is to receive as well.',
    tamper: alsoTo('quote_received', ({ receiverPartyId, receiverCustodianPartyId }) =>
      receiverPartyId === receiverCustodianPartyId ? undefined : receiverPartyId,
    ),
  },
  {
    id: 'quote-told-twice-among-rivals',
    breaks: ['event.quote-received.once'],
    summary: 'A quote on an order that has others is told twice.',
    tamper: events('quote_received', (event, context) =>
      quotesOn(context, event.intentId).length > 1 ? [event, event] : [event],
    ),
  },
  {
    id: 'second-quote-of-a-maker-told-twice',
    breaks: ['event.quote-received.once'],
    summary: 'The second quote of a maker on an order is told twice.',
    tamper: events('quote_received', (event, context) => {
      const quotes = quotesOn(context, event.intentId);
      const makers = new Set(quotes.map(({ makerPartyId }) => makerPartyId));
      return quotes.length > 1 && makers.size === 1 ? [event, event] : [event];
    }),
  },
  {
    id: 'refused-quote-told',
    breaks: ['event.quote-received.only-after-quote', 'error.refusal-sends-no-event'],
    summary: 'quote_received is sent before the quote is checked, so for refused ones as well.',
    tamper: () => ({
      outcome: (outcome, command) => {
        if (command.type !== 'request' || command.endpoint !== 'quote.submit') return outcome;
        const order = orderOf(outcome.state, command.params.intent_id ?? '');
        if (outcome.reply?.ok !== false || !order || command.caller.role !== 'market-maker')
          return outcome;
        const body = (command.body ?? {}) as Json;
        const data = { fx_rate: body.fx_rate, target_amount: body.target_amount };
        const event = {
          to: order.senderPartyId,
          event: 'quote_received',
          intentId: order.id,
        } as const;
        return { ...outcome, events: [{ ...event, data: { ...data, intent_id: order.id } }] };
      },
    }),
  },
  {
    id: 'quote-told-without-rate',
    breaks: ['event.quote-received.has-fx-rate'],
    summary: 'quote_received says rate in place of fx_rate to custodians.',
    tamper: payloads('quote_received', (data, event, { parties }) =>
      parties.find(({ partyId }) => partyId === event.to)?.role === 'custodian'
        ? { rate: data.fx_rate, ...without(data, 'fx_rate') }
        : data,
    ),
  },
  {
    id: 'quote-told-without-amount',
    breaks: ['event.quote-received.has-target-amount'],
    summary: 'quote_received of a second quote has no target amount.',
    tamper: payloads('quote_received', (data, event, context) =>
      quotesOn(context, event.intentId).length > 1 ? without(data, 'target_amount') : data,
    ),
  },
  {
    id: 'quote-told-with-first-rate',
    breaks: ['event.quote-received.agrees-with-list'],
    summary: 'quote_received carries the rate of the first quote on the order.',
    tamper: payloads('quote_received', (data, event, context) => ({
      ...data,
      fx_rate: quotesOn(context, event.intentId)[0]?.rate,
    })),
  },
  {
    id: 'settled-told-before-it-is-so',
    breaks: ['event.after-cause'],
    summary: 'SETTLED is told while the last leg still runs.',
    tamper: () => ({
      outcome: (outcome, command) => {
        if (command.type !== 'due' || command.deadline.kind !== 'settlement-leg') return outcome;
        const order = orderOf(outcome.state, command.deadline.intentId);
        if (order?.status === 'SETTLED') {
          return {
            ...outcome,
            events: outcome.events.filter(({ event }) => event !== 'order_updated'),
          };
        }
        if (order?.status !== 'EXECUTING' || command.deadline.leg !== 3) return outcome;
        const data = {
          ...outcome.state.world.policy.views.order(order),
          status: 'SETTLED',
          transaction_hash: 'ef'.repeat(32),
        };
        const event = {
          to: order.senderPartyId,
          event: 'order_updated',
          intentId: order.id,
        } as const;
        return { ...outcome, events: [...outcome.events, { ...event, data }] };
      },
    }),
  },
];
