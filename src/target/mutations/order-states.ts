import { orderOf, ordersOf, quoteOf } from '../../core/index.ts';
import type { Written } from './mutation.ts';
import {
  bentOrders,
  items,
  orderIn,
  ordersBy,
  quotesOn,
  requests,
  rules,
  without,
} from './tools.ts';

/** What becomes of orders (3.1). */
export const orderStateMutations: readonly Written[] = [
  {
    id: 'orders-start-quoted',
    breaks: ['order.state.starts-pending', 'order.create.returns-pending'],
    summary: 'A creation answers with an order that is QUOTED already.',
    tamper: items('order.create', (item) => ({ ...item, status: 'QUOTED' })),
  },
  {
    id: 'accepted-order-stays-pending',
    breaks: ['order.state.pending-to-quoted', 'quote.accept.returns-quoted'],
    summary: 'The answer to an acceptance shows the order as it was before.',
    tamper: items('quote.accept', (item) => ({ ...item, status: 'PENDING' })),
  },
  {
    id: 'accepted-order-skips-quoted',
    breaks: ['order.state.pending-to-quoted', 'order.state.listed-transitions-only'],
    summary: 'When a custodian accepts, the order is EXECUTING at once.',
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian' ? { ...item, status: 'EXECUTING' } : item,
    ),
  },
  {
    id: 'settlement-not-started-among-three',
    breaks: ['order.state.quoted-to-executing', 'service.order-to-settlement'],
    summary: 'Settlement of an order never starts where three makers have quoted.',
    tamper: () => ({
      deadline: (deadline, context) =>
        deadline.kind === 'settlement-start' && quotesOn(context, deadline.intentId).length > 2
          ? undefined
          : deadline,
    }),
  },
  {
    id: 'last-leg-forgotten-for-second-order',
    breaks: ['order.state.executing-to-settled'],
    summary: 'With two settlements running the later one never completes.',
    tamper: () => ({
      deadline: (deadline, { state }) => {
        if (deadline.kind !== 'settlement-leg' || deadline.leg !== 4) return deadline;
        const order = orderOf(state, deadline.intentId);
        const running = ordersOf(state).filter(
          ({ status, senderPartyId }) =>
            status === 'EXECUTING' && senderPartyId === order?.senderPartyId,
        );
        return running.length > 1 && running.at(-1)?.id === deadline.intentId
          ? undefined
          : deadline;
      },
    }),
  },
  {
    id: 'orders-never-expire',
    breaks: ['order.state.pending-to-expired'],
    summary: 'An order that nobody quoted does not expire.',
    tamper: () => ({
      deadline: (deadline, context) =>
        deadline.kind === 'order-expiry' && quotesOn(context, deadline.intentId).length === 0
          ? { ...deadline, at: deadline.at + 3_600_000 }
          : deadline,
    }),
  },
  {
    id: 'quoted-requests-never-expire',
    breaks: ['order.state.pending-to-expired.though-quoted'],
    summary: 'An order with quotes stays PENDING beyond its deadline.',
    tamper: () => ({
      command: (command, context) =>
        command.type === 'due' &&
        command.deadline.kind === 'order-expiry' &&
        quotesOn(context, command.deadline.intentId).length > 0
          ? { ...command, deadline: { ...command.deadline, intentId: 'none' } }
          : command,
    }),
  },
  {
    id: 'orders-expire-a-second-early',
    breaks: ['order.state.pending-to-expired.not-early'],
    summary: 'Orders expire a second before expires_at.',
    tamper: () => ({
      policy: (policy) => ({
        ...policy,
        views: bentOrders(policy, (order) => ({ ...order, expiresAt: order.expiresAt + 1_000 })),
      }),
    }),
  },
  {
    id: 'quoted-order-outlives-its-quote',
    breaks: ['order.state.quoted-to-expired'],
    summary:
      'A quote whose deadline passes between acceptance and settlement settles all the same.',
    tamper: () => ({
      policy: (policy) => ({
        ...policy,
        stored: {
          ...policy.stored,
          order: (after, before) =>
            after.accepted && !before?.accepted
              ? { ...after, accepted: { ...after.accepted, validUntil: after.expiresAt + 60_000 } }
              : after,
        },
      }),
      command: (command, { state }) =>
        command.type === 'due' &&
        command.deadline.kind === 'quote-expiry' &&
        orderOf(state, command.deadline.intentId)?.status === 'QUOTED'
          ? { ...command, deadline: { ...command.deadline, intentId: 'none' } }
          : command,
    }),
  },
  {
    id: 'accepted-order-ends-at-expiry',
    breaks: ['order.state.accepted-outlives-expires-at'],
    summary: 'An order in execution expires with its own deadline.',
    tamper: () => ({
      command: (command, { state }) => {
        if (command.type !== 'due' || command.deadline.kind !== 'settlement-leg') return command;
        const order = orderOf(state, command.deadline.intentId);
        return order && command.deadline.at > order.expiresAt
          ? { ...command, deadline: { ...command.deadline, kind: 'settlement-window' } }
          : command;
      },
    }),
  },
  {
    id: 'invalid-order-stays-pending',
    breaks: ['order.state.pending-to-failed'],
    summary: 'A failed validation is logged and the order goes on.',
    tamper: () => ({
      deadline: (deadline) => (deadline.kind === 'order-validation' ? undefined : deadline),
    }),
  },
  {
    id: 'reverted-order-expires',
    breaks: ['order.state.executing-to-failed', 'order.state.listed-transitions-only'],
    summary: 'An order whose settlement reverts ends EXPIRED.',
    tamper: rules(() => ({ settlement: { revert: { state: 'EXPIRED', reason: 'REVERT' } } })),
  },
  {
    id: 'reverted-order-is-pending-again',
    breaks: ['order.state.executing-to-failed'],
    summary: 'An order whose settlement reverts can be quoted again.',
    tamper: rules(() => ({ settlement: { revert: { state: 'PENDING', reason: undefined } } })),
  },
  {
    id: 'cancelled-quoted-order-is-pending-again',
    breaks: ['order.state.cancel-ends-order'],
    summary: 'A cancelled QUOTED order goes back to PENDING.',
    tamper: rules(() => ({
      stored: {
        order: (after) =>
          after.failureReason === 'USER_CANCELLED' && after.accepted
            ? { ...after, status: 'PENDING' }
            : after,
      },
    })),
  },
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
];
