import { orderOf, quoteOf } from '../src/reference/core/index.ts';
import type { Written } from './mutation.ts';
import {
  answers,
  items,
  orderAsked,
  orderIn,
  ordersBy,
  quotesOn,
  requests,
  rules,
  together,
  without,
} from './tools.ts';

/** Orders that have ended, and acceptances out of season (3.1). */
export const orderEndMutations: readonly Written[] = [
  {
    id: 'settled-order-fails-at-window',
    breaks: ['order.state.settled-absorbs'],
    summary: 'The end of the settlement window fails orders that have settled.',
    tamper: items(['order.read', 'order.list'], (item, context) => {
      const order = orderIn(context, item);
      return order?.settled && context.now - order.settled.at > 26_000
        ? { ...item, status: 'FAILED' }
        : item;
    }),
  },
  {
    id: 'expired-order-fails-later',
    breaks: ['order.state.expired-absorbs'],
    summary: 'An expired order reads as FAILED ten seconds later.',
    tamper: items(['order.read', 'order.list'], (item, context) => {
      const order = orderIn(context, item);
      return order?.status === 'EXPIRED' && context.now - order.expiresAt > 10_000
        ? { ...item, status: 'FAILED' }
        : item;
    }),
  },
  {
    id: 'cancelled-order-expires-later',
    breaks: ['order.state.failed-absorbs'],
    summary: 'A cancelled order reads as EXPIRED once its deadline has passed.',
    tamper: items(['order.read', 'order.list'], (item, context) => {
      const order = orderIn(context, item);
      return order?.status === 'FAILED' && context.now > order.expiresAt
        ? { ...item, status: 'EXPIRED' }
        : item;
    }),
  },
  {
    id: 'proposal-reopens-ended-orders',
    breaks: ['order.state.failed-absorbs'],
    summary: 'Accepting the proposal of an order that has ended makes it PENDING again.',
    tamper: together(
      requests('proposal.accept', ({ params: { intent_id: id = '' } }, { state, memory }) => {
        const order = orderOf(state, id);
        if (order?.status === 'FAILED' || order?.status === 'EXPIRED') memory.set(id, 'reopened');
        return undefined;
      }),
      items(['order.read', 'order.list'], (item, { memory }) =>
        memory.has(String(item.intent_id)) ? { ...item, status: 'PENDING' } : item,
      ),
    ),
  },
  {
    id: 'first-quote-makes-quoted',
    breaks: ['quote.submit.order-stays-pending', 'order.state.quote-needed'],
    summary: 'An order reads as QUOTED as soon as it has a quote.',
    tamper: items(['order.read', 'order.list'], (item, context) =>
      item.status === 'PENDING' && quotesOn(context, String(item.intent_id)).length > 0
        ? { ...item, status: 'QUOTED' }
        : item,
    ),
  },
  {
    id: 'third-quote-makes-quoted',
    breaks: ['quote.submit.order-stays-pending'],
    summary: 'An order is listed as QUOTED once three makers have quoted.',
    tamper: items('order.list', (item, context) =>
      item.status === 'PENDING' && quotesOn(context, String(item.intent_id)).length > 2
        ? { ...item, status: 'QUOTED' }
        : item,
    ),
  },
  {
    id: 'list-lags-behind-executing',
    breaks: ['order.list.agrees-with-read', 'order.list.status-filter'],
    summary: 'Lists go on showing QUOTED while an order executes.',
    tamper: items('order.list', (item) =>
      item.status === 'EXECUTING' ? { ...item, status: 'QUOTED' } : item,
    ),
  },
  {
    id: 'custodian-sees-settled-as-executing',
    breaks: ['order.state.views-agree', 'order.read.custodian-sees-same'],
    summary: 'A custodian reads settled orders as EXECUTING.',
    tamper: items('order.read', (item, { party }) =>
      party?.role === 'custodian' && item.status === 'SETTLED'
        ? { ...without(item, 'transaction_hash', 'settled_at'), status: 'EXECUTING' }
        : item,
    ),
  },
  {
    id: 'cancel-ends-the-other-order',
    breaks: ['order.cancel.only-that-order', 'order.state.other-orders-untouched'],
    summary: 'Of two pending orders of a sender a cancel ends the one created first.',
    tamper: requests('order.cancel', (request, context) => {
      const pending = ordersBy(context, request.caller.partyId).filter(
        ({ status }) => status === 'PENDING',
      );
      const named = pending.findIndex(({ id }) => id === request.params.intent_id);
      const before = pending[named - 1];
      return before ? { ...request, params: { intent_id: before.id } } : undefined;
    }),
  },
  {
    id: 'acceptance-touches-older-order',
    breaks: ['order.state.other-orders-untouched'],
    summary: 'Accepting on one order moves expires_at of the older open order of the sender.',
    tamper: items(['order.read', 'order.list'], (item, context) => {
      const order = orderIn(context, item);
      const own = ordersBy(context, order?.senderPartyId ?? '');
      const newer = own.some(({ seq, accepted }) => seq > (order?.seq ?? 0) && accepted);
      return order?.status === 'PENDING' && newer
        ? { ...item, expires_at: new Date(order.expiresAt - 5_000).toISOString() }
        : item;
    }),
  },
  {
    id: 'cancelled-while-quoted-settles',
    breaks: ['order.cancel.never-settles', 'order.state.failed-absorbs'],
    summary: 'The settlement of an order that was cancelled while QUOTED completes all the same.',
    tamper: items(['order.read', 'order.list'], (item, context) => {
      const order = orderIn(context, item);
      return order?.failureReason === 'USER_CANCELLED' &&
        order.accepted &&
        context.now - order.accepted.acceptedAt > 4_000
        ? {
            ...without(item, 'failure_reason'),
            status: 'SETTLED',
            transaction_hash: 'cd'.repeat(32),
            settled_at: new Date(order.accepted.acceptedAt + 4_000).toISOString(),
          }
        : item;
    }),
  },
  {
    id: 'expired-order-accepts',
    breaks: ['order.accept.expired-order-refused'],
    summary: 'Accepting a quote on an expired order succeeds, where the quote is still valid.',
    tamper: () => ({
      outcome: (outcome, command, { state, now }) => {
        if (command.type !== 'request' || command.endpoint !== 'quote.accept') return outcome;
        const order = orderOf(state, command.params.intent_id ?? '');
        const quote = quoteOf(state, command.params.quote_id ?? '');
        if (order?.status !== 'EXPIRED' || order.accepted || !quote) return outcome;
        if (outcome.reply?.ok !== false || quote.validUntil <= now) return outcome;
        const view = state.world.policy.views.order({
          ...order,
          status: 'QUOTED',
          accepted: {
            quoteId: quote.id,
            makerPartyId: quote.makerPartyId,
            rate: quote.rate,
            sourceAmount: quote.cost,
            acceptedAt: now,
            validUntil: quote.validUntil,
          },
        });
        return { ...outcome, reply: { ok: true, status: 200, data: view } };
      },
    }),
  },
  {
    id: 'settled-order-accepts-again',
    breaks: ['order.accept.settled-order-refused'],
    summary: 'Accepting a rival quote on a settled order is answered with the order, as if done.',
    tamper: () => ({
      outcome: (outcome, command, { state }) => {
        if (command.type !== 'request' || command.endpoint !== 'quote.accept') return outcome;
        const order = orderOf(state, command.params.intent_id ?? '');
        return order?.status === 'SETTLED' && outcome.reply?.ok === false
          ? {
              ...outcome,
              reply: { ok: true, status: 200, data: state.world.policy.views.order(order) },
            }
          : outcome;
      },
    }),
  },
  {
    id: 'cancelled-order-accepts',
    breaks: ['order.accept.cancelled-order-refused'],
    summary: 'A quote can be accepted on a cancelled order.',
    tamper: rules(({ accept }) => ({ accept: { from: [...accept.from, 'FAILED'] } })),
  },
  {
    id: 'expired-quote-accepted',
    breaks: ['order.accept.expired-quote-refused'],
    summary: 'A quote can be accepted up to five seconds after its deadline.',
    tamper: () => ({
      policy: (policy) => ({
        ...policy,
        accept: { ...policy.accept, quoteFrom: ['PENDING', 'EXPIRED'] },
        time: {
          ...policy.time,
          passed: (now, deadline) => policy.time.passed(now - 5_000, deadline),
        },
      }),
      deadline: (deadline) =>
        deadline.kind === 'quote-expiry' || deadline.kind === 'order-expiry'
          ? { ...deadline, at: deadline.at + 5_000 }
          : deadline,
    }),
  },
  {
    id: 'second-quote-replaces-first',
    breaks: ['order.accept.second-quote-refused', 'quote.state.one-accepted-per-order'],
    summary: 'While the order is QUOTED another quote may be accepted in place of the first.',
    tamper: rules(({ accept }) => ({
      accept: { from: [...accept.from, 'QUOTED'], quoteFrom: ['PENDING', 'REJECTED'] },
    })),
  },
  {
    id: 'race-of-accept-and-cancel-both-win',
    breaks: ['order.state.legal-under-race', 'order.cancel.quoted'],
    summary: 'A cancel in the first moment after an acceptance is answered with success and lost.',
    tamper: () => ({
      outcome: (outcome, command, { state, now }) => {
        if (command.type !== 'request' || command.endpoint !== 'order.cancel') return outcome;
        const order = orderOf(state, command.params.intent_id ?? '');
        return order?.status === 'QUOTED' && now - (order.accepted?.acceptedAt ?? 0) < 20
          ? { ...outcome, state, events: [], deadlines: [] }
          : outcome;
      },
    }),
  },
  {
    id: 'withdrawn-order-goes-on',
    breaks: ['order.state.failed-absorbs'],
    summary:
      'An order that is withdrawn once a quote is accepted reads as EXECUTING some seconds later.',
    tamper: items('order.read', (item, context) => {
      const order = orderIn(context, item);
      const isWithdrawn = order?.failureReason === 'OPERATOR_WITHDRAWN';
      const at = order?.accepted?.acceptedAt;
      return isWithdrawn && at !== undefined && context.now > at + 4_000
        ? { ...item, status: 'EXECUTING' }
        : item;
    }),
  },
  {
    id: 'withdrawn-order-is-404',
    breaks: ['access.order.read.institution-allowed'],
    summary: 'An order that the operator withdrew is found no more.',
    tamper: answers('order.read', (wire, context) =>
      orderAsked(context)?.failureReason === 'OPERATOR_WITHDRAWN'
        ? { status: 404, headers: {} }
        : wire,
    ),
  },
];
