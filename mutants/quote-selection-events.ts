import { orderOf, type OutgoingEvent } from '../src/reference/core/index.ts';
import type { Tamper, TamperContext } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import { events, type Json, payloads, quotesOn, unsent, without } from './tools.ts';

const makersIn = ({ parties }: TamperContext): readonly string[] =>
  parties.filter(({ role }) => role === 'market-maker').map(({ partyId }) => partyId);

/** Makers that have quoted the order of an event. */
const bidders = ({ intentId }: OutgoingEvent, context: TamperContext): readonly string[] => [
  ...new Set(quotesOn(context, intentId).map(({ makerPartyId }) => makerPartyId)),
];

const byCustodian = (name: OutgoingEvent['event']) => (): Tamper => ({
  outcome: (outcome, command) =>
    command.type === 'request' &&
    command.endpoint === 'quote.accept' &&
    command.caller.role === 'custodian'
      ? { ...outcome, events: outcome.events.filter(({ event }) => event !== name) }
      : outcome,
});

/** What market makers hear of selections and settlements (part 6). */
export const selectionEventMutations: readonly Written[] = [
  {
    id: 'winner-not-told-among-rivals',
    breaks: ['event.quote-accepted.sent'],
    summary: 'Where several makers have quoted, the winner is not told.',
    tamper: unsent('quote_accepted', (event, context) => bidders(event, context).length > 1),
  },
  {
    id: 'winner-not-told-when-custodian-accepts',
    breaks: ['event.quote-accepted.on-custodian-acceptance'],
    summary: 'An acceptance by the custodian sends no quote_accepted.',
    tamper: byCustodian('quote_accepted'),
  },
  {
    id: 'losers-told-of-acceptance-too',
    breaks: ['event.quote-accepted.not-to-others'],
    summary: 'quote_accepted goes to every maker that has quoted.',
    tamper: events('quote_accepted', (event, context) =>
      bidders(event, context).map((to) => ({ ...event, to })),
    ),
  },
  {
    id: 'bystanders-told-of-acceptance',
    breaks: ['event.quote-accepted.not-to-others'],
    summary: 'quote_accepted goes to makers that have not quoted, as market information.',
    tamper: events('quote_accepted', (event, context) => [
      event,
      ...makersIn(context)
        .filter((to) => !bidders(event, context).includes(to))
        .map((to) => ({ ...event, to })),
    ]),
  },
  {
    id: 'acceptance-told-for-each-own-quote',
    breaks: ['event.quote-accepted.once'],
    summary: 'A winner with two quotes on the order is told twice.',
    tamper: events('quote_accepted', (event, context) =>
      quotesOn(context, event.intentId).filter(({ makerPartyId }) => makerPartyId === event.to)
        .length > 1
        ? [event, event]
        : [event],
    ),
  },
  {
    id: 'acceptance-told-again-on-settlement',
    breaks: ['event.quote-accepted.once'],
    summary: 'quote_accepted comes again when the settlement starts.',
    tamper: () => ({
      outcome: (outcome, command) => {
        if (command.type !== 'due' || command.deadline.kind !== 'settlement-start') return outcome;
        const order = orderOf(outcome.state, command.deadline.intentId);
        if (order?.status !== 'EXECUTING' || !order.accepted) return outcome;
        const data = { intent_id: order.id, fx_rate: order.accepted.rate };
        const to = order.accepted.makerPartyId;
        const again = { to, event: 'quote_accepted' as const, intentId: order.id, data };
        return { ...outcome, events: [...outcome.events, again] };
      },
    }),
  },
  {
    id: 'acceptance-names-quote-only',
    breaks: ['event.quote-accepted.has-intent-id'],
    summary: 'quote_accepted names the quote and not the order.',
    tamper: payloads('quote_accepted', (data) => without(data, 'intent_id')),
  },
  {
    id: 'acceptance-without-rate-to-makers',
    breaks: ['event.quote-accepted.has-fx-rate'],
    summary: 'quote_accepted carries no rate where there were rivals.',
    tamper: payloads('quote_accepted', (data, event, context) =>
      bidders(event, context).length > 1 ? without(data, 'fx_rate') : data,
    ),
  },
  {
    id: 'acceptance-with-rate-of-a-rival',
    breaks: ['event.quote-accepted.agrees-with-quote'],
    summary: 'quote_accepted carries the rate of the first quote on the order.',
    tamper: payloads('quote_accepted', (data, event, context) => ({
      ...data,
      fx_rate: quotesOn(context, event.intentId)[0]?.rate,
    })),
  },
  {
    id: 'acceptance-names-the-first-quote',
    breaks: ['event.quote-accepted.agrees-with-quote'],
    summary: 'quote_accepted names the first quote on the order, whichever was selected.',
    tamper: payloads('quote_accepted', (data, event, context) => ({
      ...data,
      quote_id: quotesOn(context, event.intentId)[0]?.id,
    })),
  },
  {
    id: 'losers-not-told',
    breaks: ['event.quote-rejected.sent'],
    summary: 'Nobody is told that its quote lost.',
    tamper: unsent('quote_rejected', () => true),
  },
  {
    id: 'second-loser-not-told',
    breaks: ['event.quote-rejected.to-every-loser'],
    summary: 'Of two losers the later one is not told.',
    tamper: unsent('quote_rejected', (event, context) => {
      const winner = orderOf(context.state, event.intentId)?.accepted?.makerPartyId;
      return bidders(event, context).filter((to) => to !== winner)[0] !== event.to;
    }),
  },
  {
    id: 'selection-told-after-settlement',
    breaks: ['event.in-order'],
    summary:
      'The winner is told that its quote was selected after it was told that the trade settled.',
    tamper: () => ({
      eventDelayMs: (event) => (event.event === 'quote_accepted' ? 4_100 : 0),
    }),
  },
  {
    id: 'losers-with-two-quotes-not-told',
    breaks: ['event.quote-rejected.sent'],
    summary: 'A maker that quoted twice is not told that it lost.',
    tamper: unsent(
      'quote_rejected',
      (event, context) =>
        quotesOn(context, event.intentId).filter(({ makerPartyId }) => makerPartyId === event.to)
          .length > 1,
    ),
  },
  {
    id: 'losers-not-told-when-custodian-accepts',
    breaks: ['event.quote-rejected.on-custodian-acceptance'],
    summary: 'An acceptance by the custodian sends no quote_rejected.',
    tamper: byCustodian('quote_rejected'),
  },
  {
    id: 'winner-told-that-it-lost',
    breaks: ['event.quote-rejected.not-to-winner'],
    summary: 'quote_rejected goes to all makers that have quoted, the winner among them.',
    tamper: events('quote_rejected', (event, context) => {
      const winner = orderOf(context.state, event.intentId)?.accepted?.makerPartyId;
      return winner && context.count(event.intentId) === 1
        ? [event, { ...event, to: winner }]
        : [event];
    }),
  },
  {
    id: 'bystander-told-that-it-lost',
    breaks: ['event.quote-rejected.not-to-uninvolved'],
    summary: 'quote_rejected goes to makers that have not quoted, as the request is gone.',
    tamper: events('quote_accepted', (event, context) => [
      event,
      ...makersIn(context)
        .filter((to) => !bidders(event, context).includes(to))
        .map((to) => ({
          ...event,
          to,
          event: 'quote_rejected',
          data: { intent_id: event.intentId },
        })),
    ]),
  },
  {
    id: 'loss-told-twice',
    breaks: ['event.quote-rejected.once'],
    summary: 'With two losers each is told twice.',
    tamper: events('quote_rejected', (event, context) =>
      bidders(event, context).length > 2 ? [event, event] : [event],
    ),
  },
  {
    id: 'loss-names-no-order',
    breaks: ['event.quote-rejected.has-intent-id'],
    summary: 'quote_rejected names the quote and not the order.',
    tamper: payloads('quote_rejected', (data) => without(data, 'intent_id')),
  },
  {
    id: 'loss-names-the-winner',
    breaks: ['event.quote-rejected.keeps-winner-secret'],
    summary: 'quote_rejected tells who won.',
    tamper: payloads('quote_rejected', (data, event, { state }) => ({
      ...data,
      won_by: orderOf(state, event.intentId)?.accepted?.makerPartyId,
    })),
  },
  {
    id: 'settlement-not-told-among-rivals',
    breaks: ['event.settlement-completed.sent'],
    summary: 'Where there were rivals settlement_completed is not sent.',
    tamper: unsent('settlement_completed', (event, context) => bidders(event, context).length > 1),
  },
  {
    id: 'settlement-told-to-losers',
    breaks: ['event.settlement-completed.not-to-others'],
    summary: 'settlement_completed goes to every maker that has quoted.',
    tamper: events('settlement_completed', (event, context) =>
      bidders(event, context).map((to) => ({ ...event, to })),
    ),
  },
  {
    id: 'settlement-told-twice',
    breaks: ['event.settlement-completed.once'],
    summary: 'settlement_completed is sent twice.',
    tamper: events('settlement_completed', (event) => [event, event]),
  },
  {
    id: 'settlement-told-for-reverted',
    breaks: ['event.settlement-completed.only-settled'],
    summary: 'settlement_completed is sent for a settlement that was reverted.',
    tamper: () => ({
      outcome: (outcome, command) => {
        if (command.type !== 'due' || command.deadline.kind !== 'settlement-leg') return outcome;
        const order = orderOf(outcome.state, command.deadline.intentId);
        if (order?.failureReason !== 'REVERT' || !order.accepted) return outcome;
        const event = {
          to: order.accepted.makerPartyId,
          event: 'settlement_completed' as const,
          intentId: order.id,
          data: { intent_id: order.id, transaction_hash: '0a'.repeat(32) },
        };
        return { ...outcome, events: [...outcome.events, event] };
      },
    }),
  },
  {
    id: 'settlement-told-without-hash',
    breaks: ['event.settlement-completed.has-transaction-hash'],
    summary: 'settlement_completed has no transaction hash.',
    tamper: payloads('settlement_completed', (data) => without(data, 'transaction_hash')),
  },
  {
    id: 'settlement-told-with-other-hash',
    breaks: ['event.settlement-completed.agrees-with-read'],
    summary: 'settlement_completed carries another hash than the settlement.',
    tamper: payloads('settlement_completed', (data: Json) => ({
      ...data,
      transaction_hash: String(data.intent_id).replaceAll('-', '').repeat(2),
    })),
  },
  {
    id: 'order-updates-to-winner',
    breaks: ['event.own-stream-only'],
    summary: 'The winner hears order_updated on its stream, without the sender.',
    tamper: () => ({
      event: (event, { state }) => {
        const order = orderOf(state, event.intentId);
        const own = event.event === 'order_updated' && event.to === order?.senderPartyId;
        const data = { intent_id: event.intentId, status: order?.status };
        return own && order.accepted
          ? [event, { ...event, to: order.accepted.makerPartyId, data }]
          : [event];
      },
    }),
  },
];
