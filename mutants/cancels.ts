import { orderOf } from '../src/reference/core/index.ts';
import type { Written } from './mutation.ts';
import {
  answers,
  items,
  type Json,
  lists,
  orderAsked,
  ordersBy,
  quotesOn,
  requests,
  rules,
  viewsOf,
} from './tools.ts';

/** Cancelling orders, and listing their quotes (4.2). */
export const cancelMutations: readonly Written[] = [
  {
    id: 'cancel-of-unknown-succeeds',
    breaks: ['order.cancel.unknown-refused'],
    summary: 'Cancelling what does not exist succeeds without content.',
    tamper: answers('order.cancel', (wire, context) =>
      wire.status === 404 && !orderAsked(context) ? { status: 204, headers: {} } : wire,
    ),
  },
  {
    id: 'no-cancel-once-quoted-upon',
    breaks: ['order.cancel.pending-with-quotes'],
    summary: 'A pending order that has quotes cannot be cancelled.',
    tamper: requests('order.cancel', (request, context) => {
      const id = request.params.intent_id ?? '';
      return orderOf(context.state, id)?.status === 'PENDING' && quotesOn(context, id).length > 0
        ? { ...request, params: {} }
        : undefined;
    }),
  },
  {
    id: 'no-cancel-once-accepted',
    breaks: ['order.cancel.quoted'],
    summary: 'Only pending orders can be cancelled.',
    tamper: rules(() => ({ cancel: { from: ['PENDING'] } })),
  },
  {
    id: 'no-cancel-with-lapsed-quote',
    breaks: ['order.cancel.pending-with-quotes'],
    summary: 'A pending order cannot be cancelled once a quote on it has lapsed.',
    tamper: requests('order.cancel', (request, context) => {
      const id = request.params.intent_id ?? '';
      const isLapsed = quotesOn(context, id).some(({ status }) => status === 'EXPIRED');
      return isLapsed && orderOf(context.state, id)?.status === 'PENDING'
        ? { ...request, params: {} }
        : undefined;
    }),
  },
  {
    id: 'cancel-of-quoted-for-a-moment-only',
    breaks: ['order.cancel.quoted'],
    summary: 'A QUOTED order can be cancelled in the first tenth of a second only.',
    tamper: requests('order.cancel', (request, { state, now }) => {
      const order = orderOf(state, request.params.intent_id ?? '');
      const { status, accepted } = order ?? {};
      return status === 'QUOTED' && accepted && now - accepted.acceptedAt > 100
        ? { ...request, params: {} }
        : undefined;
    }),
  },
  {
    id: 'no-cancel-with-rejected-rivals',
    breaks: ['order.cancel.quoted'],
    summary: 'A QUOTED order whose acceptance rejected other quotes cannot be cancelled.',
    tamper: requests('order.cancel', (request, context) =>
      quotesOn(context, request.params.intent_id ?? '').some(({ status }) => status === 'REJECTED')
        ? { ...request, params: {} }
        : undefined,
    ),
  },
  {
    id: 'no-cancel-after-custodian-accepted',
    breaks: ['order.cancel.quoted'],
    summary: 'An order whose quote the custodian accepted cannot be cancelled by the sender.',
    tamper: () => ({
      outcome: (outcome, command, { memory }) => {
        if (
          command.type === 'request' &&
          command.endpoint === 'quote.accept' &&
          command.caller.role === 'custodian'
        ) {
          memory.set(`accepted ${command.params.intent_id ?? ''}`, true);
        }
        return outcome;
      },
      command: (command, { memory }) =>
        command.type === 'request' &&
        command.endpoint === 'order.cancel' &&
        memory.has(`accepted ${command.params.intent_id ?? ''}`)
          ? { ...command, params: {} }
          : command,
    }),
  },
  {
    id: 'cancel-while-executing',
    breaks: ['order.cancel.executing-refused'],
    summary: 'An order can be cancelled while its settlement runs.',
    tamper: rules(({ cancel }) => ({ cancel: { from: [...cancel.from, 'EXECUTING'] } })),
  },
  {
    id: 'cancel-of-settled-answers-success',
    breaks: ['order.cancel.settled-refused'],
    summary: 'Cancelling a settled order is answered with the order as it is.',
    tamper: () => ({
      outcome: (outcome, command, { state }) => {
        if (command.type !== 'request' || command.endpoint !== 'order.cancel') return outcome;
        const order = orderOf(state, command.params.intent_id ?? '');
        return order?.status === 'SETTLED' && order.senderPartyId === command.caller.partyId
          ? {
              ...outcome,
              reply: { ok: true, status: 200, data: state.world.policy.views.order(order) },
            }
          : outcome;
      },
    }),
  },
  {
    id: 'cancel-fails-an-expired-order',
    breaks: ['order.cancel.expired-stays', 'order.state.expired-absorbs'],
    summary: 'Cancelling an expired order makes it FAILED.',
    tamper: rules(({ cancel }) => ({ cancel: { from: [...cancel.from, 'EXPIRED'] } })),
  },
  {
    id: 'cancelled-request-stays-open',
    breaks: ['order.cancel.request-closes'],
    summary: 'A request whose order was cancelled stays on the list of makers.',
    tamper: rules(({ rfqs }) => ({
      rfqs: {
        isActive: (order) =>
          rfqs.isActive(order) || (order.failureReason === 'USER_CANCELLED' && !order.accepted),
      },
    })),
  },
  {
    id: 'cancelled-order-lapses-with-its-quote',
    breaks: ['event.in-order'],
    summary: "The timer of an accepted quote's deadline outlives a cancel, and tells of an expiry.",
    tamper: () => ({
      outcome: (outcome, command) => {
        if (command.type !== 'due' || command.deadline.kind !== 'quote-expiry') return outcome;
        const { intentId, quoteId } = command.deadline;
        const {
          accepted,
          failureReason,
          senderPartyId: to = '',
        } = orderOf(outcome.state, intentId) ?? {};
        if (failureReason !== 'USER_CANCELLED' || accepted?.quoteId !== quoteId) return outcome;
        const data = { intent_id: intentId, status: 'EXPIRED' };
        const told = { to, event: 'order_updated', intentId, data } as const;
        return { ...outcome, events: [...outcome.events, told] };
      },
    }),
  },
  {
    id: 'refused-cancel-still-stops-settlement',
    breaks: ['error.refusal-changes-nothing', 'order.state.executing-to-settled'],
    summary: 'A cancel of an executing order is refused, and the settlement stops all the same.',
    tamper: () => ({
      command: (command, { state, memory }) => {
        if (command.type === 'request' && command.endpoint === 'order.cancel') {
          const order = orderOf(state, command.params.intent_id ?? '');
          const own = order?.senderPartyId === command.caller.partyId;
          if (own && order.status === 'EXECUTING') memory.set(`stopped ${order.id}`, true);
        }
        return command.type === 'due' &&
          command.deadline.kind === 'settlement-leg' &&
          memory.has(`stopped ${command.deadline.intentId}`)
          ? { ...command, deadline: { ...command.deadline, intentId: 'none' } }
          : command;
      },
    }),
  },
  {
    id: 'quotes-of-the-order-before',
    breaks: ['order.quotes.only-that-order'],
    summary: 'The quotes of an order hold those on the other open orders of its sender.',
    tamper: lists('order.quotes', (context) => {
      const order = orderAsked(context);
      const open = ordersBy(context, order?.senderPartyId ?? '').filter(
        ({ status, id }) => status === 'PENDING' || id === order?.id,
      );
      return open
        .flatMap(({ id }) => quotesOn(context, id))
        .toReversed()
        .map(viewsOf(context).quote);
    }),
  },
  {
    id: 'quotes-of-one-maker-each',
    breaks: ['order.quotes.complete'],
    summary: 'The quotes of an order hold the last one of two makers at most.',
    tamper: lists('order.quotes', (context) =>
      quotesOn(context, context.params.intent_id ?? '')
        .slice(0, 2)
        .toReversed()
        .map(viewsOf(context).quote),
    ),
  },
  {
    id: 'quotes-vanish-once-accepted',
    breaks: ['order.quotes.complete'],
    summary: 'After an acceptance only the accepted quote is listed for a custodian.',
    tamper: lists('order.quotes', (context) =>
      context.party?.role === 'custodian' && orderAsked(context)?.accepted
        ? quotesOn(context, context.params.intent_id ?? '')
            .filter(({ status }) => status === 'ACCEPTED')
            .map(viewsOf(context).quote)
        : undefined,
    ),
  },
  {
    id: 'quotes-vanish-with-a-cancel',
    breaks: ['order.quotes.complete'],
    summary: 'An order that was cancelled lists no quotes.',
    tamper: lists('order.quotes', (context) =>
      orderAsked(context)?.failureReason === 'USER_CANCELLED' ? [] : undefined,
    ),
  },
  {
    id: 'no-quotes-is-not-found',
    breaks: ['order.quotes.empty-without-quotes'],
    summary: 'The quotes of an order that has none are not found.',
    tamper: answers('order.quotes', (wire) =>
      Array.isArray((wire.body as Json | undefined)?.data) &&
      ((wire.body as Json).data as readonly unknown[]).length === 0
        ? { status: 404, headers: {}, body: { code: 'not_found' } }
        : wire,
    ),
  },
  {
    id: 'custodian-sees-other-amounts',
    breaks: ['order.quotes.custodian-sees-same'],
    summary: 'A custodian sees the source amounts of quotes in whole units.',
    tamper: items('order.quotes', (item, { party }) =>
      party?.role === 'custodian'
        ? { ...item, source_amount: String(item.source_amount).replace(/\.\d+$/, '') }
        : item,
    ),
  },
];
