import { type Order, orderOf, ordersOf } from '../src/reference/core/index.ts';
import type { TamperContext } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import { bentOrders, items, quotesOn, rules } from './tools.ts';

/** Orders that stay as they are when their deadline comes. */
const unexpiring =
  (stays: (order: Order, context: TamperContext) => boolean): Written['tamper'] =>
  () => ({
    command(command, context) {
      if (command.type !== 'due' || command.deadline.kind !== 'order-expiry') return command;
      const order = orderOf(context.state, command.deadline.intentId);
      return order && stays(order, context)
        ? { ...command, deadline: { ...command.deadline, intentId: 'none' } }
        : command;
    },
  });

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
    id: 'late-quote-stops-expiry',
    breaks: ['order.state.pending-to-expired.though-quoted'],
    summary: 'A quote that comes later than five seconds after its order takes away its expiry.',
    tamper: unexpiring((order, context) =>
      quotesOn(context, order.id).some(({ submittedAt }) => submittedAt > order.createdAt + 5_000),
    ),
  },
  {
    id: 'two-lapsed-quotes-stop-expiry',
    breaks: ['order.state.pending-to-expired.though-quoted', 'order.state.pending-to-expired'],
    summary: 'An order of whose quotes two have lapsed does not expire.',
    tamper: unexpiring(
      (order, context) =>
        quotesOn(context, order.id).filter(({ status }) => status === 'EXPIRED').length > 1,
    ),
  },
  {
    id: 'accepted-proposal-stops-expiry',
    breaks: ['order.state.pending-to-expired'],
    summary: 'An order whose proposal was accepted does not expire.',
    tamper: unexpiring(({ proposalAccepted }) => proposalAccepted),
  },
  {
    id: 'quoted-requests-never-expire',
    breaks: ['order.state.pending-to-expired.though-quoted'],
    summary: 'An order with quotes stays PENDING beyond its deadline.',
    tamper: unexpiring(({ id }, context) => quotesOn(context, id).length > 0),
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
    id: 'quoted-order-fails-with-its-quote',
    breaks: ['order.state.quoted-to-expired'],
    summary: 'A QUOTED order whose quote lapses before settlement is FAILED.',
    tamper: rules(() => ({
      stored: {
        order: (after, before) =>
          before?.status === 'QUOTED' && after.status === 'EXPIRED'
            ? { ...after, status: 'FAILED' }
            : after,
      },
    })),
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
    id: 'rival-that-lapses-stops-the-settlement',
    breaks: ['order.state.quoted-to-executing', 'order.state.executing-to-settled'],
    summary:
      'Settlement does not begin where the deadline of a rival has passed since the acceptance.',
    tamper: () => ({
      command(command, context) {
        if (command.type !== 'due' || command.deadline.kind !== 'settlement-start') return command;
        const { intentId, at } = command.deadline;
        const accepted = orderOf(context.state, intentId)?.accepted;
        const hasLapsed = quotesOn(context, intentId).some(
          ({ validUntil }) => accepted && validUntil > accepted.acceptedAt && validUntil <= at,
        );
        return hasLapsed
          ? { ...command, deadline: { ...command.deadline, intentId: 'none' } }
          : command;
      },
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
];
