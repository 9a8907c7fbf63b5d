import type { Order } from '../../src/reference/core/index.ts';

/** Conditions over orders as they are stored. */

/** Of orders as they are stored. */
export const endedAs =
  (reason: string) =>
  (order: Order | undefined): boolean =>
    order?.failureReason === reason;

/** Cancelled once a quote on it had been accepted. */
export const isCancelledQuoted = (order: Order): boolean =>
  isCancelled(order) && order.accepted !== undefined;

export const isCancelled = endedAs('USER_CANCELLED');

export const isOpen = ({ status }: Order): boolean => status === 'PENDING' || status === 'QUOTED';

/** When a quote on it was accepted; never, where none was. */
export const acceptedAt = (order: Order | undefined): number =>
  order?.accepted?.acceptedAt ?? Infinity;
