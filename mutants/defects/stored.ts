import type { Order } from '../../src/reference/core/index.ts';

/** Conditions on orders as they are stored. */

/** Condition on the failure reason of a stored order. */
export const endedAs =
  (reason: string) =>
  (order: Order | undefined): boolean =>
    order?.failureReason === reason;

/** Cancelled once a quote on it had been accepted. */
export const isCancelledQuoted = (order: Order): boolean =>
  isCancelled(order) && order.accepted !== undefined;

export const isCancelled = endedAs('USER_CANCELLED');

export const isOpen = ({ status }: Order): boolean => status === 'PENDING' || status === 'QUOTED';

/** Moment at which a quote of the order was accepted; infinite if none was. */
export const acceptedAt = (order: Order | undefined): number =>
  order?.accepted?.acceptedAt ?? Infinity;
