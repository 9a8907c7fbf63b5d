import type { TamperContext } from '../../src/reference/http/index.ts';
import type { Subject } from './context.ts';
import type { Json } from './values.ts';

/** Conditions on a resource, as it is shown and as it is stored. */

export const statusIs =
  (...statuses: readonly string[]) =>
  ({ status }: { readonly status?: unknown }): boolean =>
    statuses.includes(String(status));

export const isPending = statusIs('PENDING');

/** Condition on the failure reason of an ended order. */
export const reasonIs =
  (reason: string) =>
  (item: Json): boolean =>
    item.failure_reason === reason;

export const has =
  (field: string) =>
  (item: Json): boolean =>
    item[field] !== undefined;

export const lacks =
  (field: string) =>
  (item: Json): boolean =>
    item[field] === undefined;

/** Condition on the stored status of a resource's order, independent of the shown one. */
export const orderIs =
  (...statuses: readonly string[]) =>
  (_: unknown, { order }: Subject): boolean =>
    order !== undefined && statuses.includes(order.status);

/** Condition on an order that has failed for a reason. */
export const orderEndedAs =
  (reason: string) =>
  (_: unknown, { order }: Pick<Subject, 'order'>): boolean =>
    order?.failureReason === reason;

/** Condition: the order of a resource has at least this number of quotes. */
export const quotedTimes =
  (count: number) =>
  (_: unknown, { quotes }: Subject): boolean =>
    quotes.length >= count;

/** Condition on the stored status of a resource's quote, independent of the shown one. */
export const quoteIs =
  (status: string) =>
  (_: unknown, { quote }: Subject): boolean =>
    quote?.status === status;

/** Something was noted under the id of the order that a resource speaks of. */
export const noted = (item: Json, { memory }: Pick<TamperContext, 'memory'>): boolean =>
  memory.has(String(item.intent_id));
