import { orderOf, type OutgoingEvent } from '../src/reference/core/index.ts';
import type { TamperContext } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import {
  events,
  type Json,
  ordersBy,
  orderIn,
  payloads,
  quotesOn,
  rules,
  unsent,
  without,
} from './tools.ts';

const makersIn = ({ parties }: TamperContext): readonly string[] =>
  parties.filter(({ role }) => role === 'market-maker').map(({ partyId }) => partyId);

/** Makers that have quoted the order of an event. */
const bidders = ({ intentId }: OutgoingEvent, context: TamperContext): readonly string[] => [
  ...new Set(quotesOn(context, intentId).map(({ makerPartyId }) => makerPartyId)),
];

/** What market makers hear of requests (part 6). */
export const requestEventMutations: readonly Written[] = [
  {
    id: 'third-maker-not-told-of-requests',
    breaks: ['event.quote-request-new.to-every-maker'],
    summary: 'New requests are told to the first two makers.',
    tamper: rules(() => ({ events: { announcedTo: (makers) => makers.slice(0, 2) } })),
  },
  {
    id: 'second-open-request-not-told',
    breaks: ['event.quote-request-new.sent'],
    summary: 'A request of a sender that has another open is not told.',
    tamper: unsent('quote_request_new', (event, context) => {
      const order = orderOf(context.state, event.intentId);
      return (
        ordersBy(context, order?.senderPartyId ?? '').filter(({ status }) => status === 'PENDING')
          .length > 1
      );
    }),
  },
  {
    id: 'requests-told-of-one-currency',
    breaks: ['event.quote-request-new.sent'],
    summary: 'Only requests that pay in dollars are told.',
    tamper: unsent(
      'quote_request_new',
      (event, { state }) => orderOf(state, event.intentId)?.sourceCurrency !== 'USD',
    ),
  },
  {
    id: 'busy-makers-not-told-of-requests',
    breaks: ['event.quote-request-new.sent', 'event.quote-request-new.to-every-maker'],
    summary: 'A maker with a quote still pending elsewhere is not told of new requests.',
    tamper: unsent('quote_request_new', (event, context) => {
      const order = orderOf(context.state, event.intentId);
      return ordersBy(context, order?.senderPartyId ?? '').some(
        ({ id, status }) =>
          status === 'PENDING' &&
          quotesOn(context, id).some(({ makerPartyId }) => makerPartyId === event.to),
      );
    }),
  },
  {
    id: 'request-told-twice',
    breaks: ['event.quote-request-new.once'],
    summary: 'A request is told to the last maker twice.',
    tamper: events('quote_request_new', (event, context) =>
      event.to === makersIn(context).at(-1) ? [event, event] : [event],
    ),
  },
  {
    id: 'request-told-again-once-quoted',
    breaks: ['event.quote-request-new.once'],
    summary: 'A quote makes its request new again for the other makers.',
    tamper: () => ({
      outcome: (outcome, command, context) => {
        if (command.type !== 'request' || command.endpoint !== 'quote.submit') return outcome;
        const order = orderOf(outcome.state, command.params.intent_id ?? '');
        if (!order || outcome.reply?.ok !== true) return outcome;
        const data = outcome.state.world.policy.views.rfqItem(order);
        const again = makersIn(context)
          .filter((to) => to !== command.caller.partyId)
          .map((to) => ({ to, event: 'quote_request_new' as const, intentId: order.id, data }));
        return { ...outcome, events: [...outcome.events, ...again] };
      },
    }),
  },
  {
    id: 'request-told-by-number',
    breaks: ['event.quote-request-new.names-request'],
    summary: 'quote_request_new does not name the request.',
    tamper: payloads('quote_request_new', (data) => without(data, 'intent_id')),
  },
  {
    id: 'request-told-with-maximum',
    breaks: ['event.quote-request-new.agrees-with-read'],
    summary: 'quote_request_new gives the maximum of the sender as the amount.',
    tamper: payloads('quote_request_new', (data, _event, context) => ({
      ...data,
      target_amount: orderIn(context, data)?.sourceAmountMax,
    })),
  },
  {
    id: 'no-event-on-expired-request',
    breaks: ['event.quote-request-expired.sent'],
    summary: 'The expiry of a request is not told where somebody has quoted it.',
    tamper: unsent('quote_request_expired', (event, context) => bidders(event, context).length > 0),
  },
  {
    id: 'request-expired-told-on-first-quote',
    breaks: ['event.quote-request-expired.not-while-open'],
    summary:
      'A quote sends quote_request_expired to the other makers, though they may still quote.',
    tamper: () => ({
      outcome: (outcome, command, context) => {
        if (command.type !== 'request' || command.endpoint !== 'quote.submit') return outcome;
        const order = orderOf(outcome.state, command.params.intent_id ?? '');
        if (!order || outcome.reply?.ok !== true) return outcome;
        const data = outcome.state.world.policy.views.rfqItem(order);
        const ended = makersIn(context)
          .filter((to) => to !== command.caller.partyId)
          .map((to) => ({ to, event: 'quote_request_expired' as const, intentId: order.id, data }));
        return { ...outcome, events: [...outcome.events, ...ended] };
      },
    }),
  },
  {
    id: 'request-expired-told-twice',
    breaks: ['event.quote-request-expired.once'],
    summary:
      'A maker that has quoted is told of the expiry once as all are, and once for its quote.',
    tamper: events('quote_request_expired', (event, context) =>
      bidders(event, context).includes(event.to) ? [event, event] : [event],
    ),
  },
  {
    id: 'request-told-before-it-is-looked-at',
    breaks: ['error.refusal-sends-no-event'],
    summary: 'Makers are told of a request before the maximum of its order is looked at.',
    tamper: () => ({
      outcome: (outcome, command, context) => {
        if (command.type !== 'request' || command.endpoint !== 'order.create') return outcome;
        const sent = (command.body ?? {}) as Json;
        if (outcome.reply?.ok !== false || typeof sent.target_amount !== 'string') return outcome;
        const intentId = '00000000-0000-4000-8000-0000000000ff';
        const { source_currency, target_amount, target_currency } = sent;
        const moment = new Date(context.now).toISOString();
        const data = {
          intent_id: intentId,
          created_at: moment,
          expires_at: moment,
          source_currency,
          target_amount,
          target_currency,
        };
        const told = makersIn(context).map((to) => ({
          to,
          event: 'quote_request_new' as const,
          intentId,
          data,
        }));
        return { ...outcome, events: [...outcome.events, ...told] };
      },
    }),
  },
];
