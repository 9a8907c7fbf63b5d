import type { OrderAction, Relation } from '../policy/policy.ts';
import type { Order } from '../records.ts';
import { type Refusal, refuse, shown } from '../refusal.ts';
import type { Request, UnitOfWork } from '../unit-of-work.ts';

/** Does not reveal if the resource exists for another party. */
export const notFound = (what: string, id: string | undefined, at: string): Refusal =>
  refuse('not_found', `there is no ${what} ${shown(id ?? '')} for you`, at);

/** Refusal of a caller that has no part in an order or a settlement. */
export function unrelatedCaller(work: UnitOfWork, what: string, id: string | undefined): Refusal {
  if (work.policy.access.unrelatedCaller === 'not_found') return notFound(what, id, 'intent_id');
  return refuse('not_party_to_order', `the caller has no part in this ${what}`, 'intent_id');
}

export interface PermittedOrder {
  readonly ok: true;
  readonly order: Order;
  readonly relation: Relation;
}

/** The order in the path, if the caller has the relation to it that the action needs (1.4). */
export function permittedOrder(
  work: UnitOfWork,
  request: Request,
  action: OrderAction,
): PermittedOrder | Refusal {
  const order = work.order(request.params.intent_id);
  if (order === undefined) return notFound('order', request.params.intent_id, 'intent_id');
  const relation = work.policy.access.relationOf(order, request.caller);
  if (relation === undefined) return unrelatedCaller(work, 'order', order.id);
  if (!work.policy.access.may[action].includes(relation)) {
    return refuse('role_not_allowed', `the ${relation} of an order may not do this`);
  }
  return { ok: true, order, relation };
}
