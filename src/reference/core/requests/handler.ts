import type { Reply } from '../contract.ts';
import { type Refusal, refuse, shown } from '../errors.ts';
import type { OrderAction } from '../policy/access.ts';
import type { Order } from '../records.ts';
import type { Request, UnitOfWork } from '../unit-of-work.ts';

export type Handler = (work: UnitOfWork, request: Request) => Reply;

export type ReadResult<Input> = { readonly ok: true; readonly input: Input } | Refusal;

type Action<Input> = (work: UnitOfWork, request: Request, input: Input) => Reply;

function checkRole(work: UnitOfWork, { endpoint, caller }: Request): Refusal | undefined {
  const allowed = work.policy.access.roles[endpoint];
  if (allowed.includes(caller.role)) return undefined;
  const detail = `this is for ${allowed.join(' and ')}, and the caller is a ${caller.role}`;
  return refuse('role_not_allowed', detail);
}

/**
 * One order of refusals for every request: the form of the input, the role, then the checks of the action (access of
 * the caller first, the state last).
 */
export const handlerOf =
  <Input>(
    read: (work: UnitOfWork, request: Request) => ReadResult<Input>,
    act: Action<Input>,
  ): Handler =>
  (work, request) => {
    const form = read(work, request);
    if (!form.ok) return form;
    return checkRole(work, request) ?? act(work, request, form.input);
  };

/** Handler of a request without input beyond its path. */
export const withoutInput = (act: Action<undefined>): Handler =>
  handlerOf(() => ({ ok: true, input: undefined }), act);

/** Does not reveal if the resource exists for another party. */
export const notFound = (what: string, id: string | undefined, at: string): Refusal =>
  refuse('not_found', `there is no ${what} ${shown(id ?? '')} for you`, at);

/** Refusal of a caller that has no part in an order or a settlement. */
export function unrelatedCaller(work: UnitOfWork, what: string, id: string | undefined): Refusal {
  if (work.policy.access.unrelatedCaller === 'not_found') return notFound(what, id, 'intent_id');
  return refuse('not_party_to_order', `the caller has no part in this ${what}`, 'intent_id');
}

type OnOrder<Input> = (work: UnitOfWork, request: Request, order: Order, input: Input) => Reply;

/** Action on the order in the path, for a caller with the relation to it that the endpoint needs (1.4). */
export const onOrder =
  <Input>(act: OnOrder<Input>): Action<Input> =>
  (work, request, input) => {
    const { access } = work.policy;
    const order = work.order(request.params.intent_id);
    if (order === undefined) return notFound('order', request.params.intent_id, 'intent_id');
    const relation = access.relationOf(order, request.caller);
    if (relation === undefined) return unrelatedCaller(work, 'order', order.id);
    if (access.may[request.endpoint as OrderAction].includes(relation))
      return act(work, request, order, input);
    return refuse('role_not_allowed', `the ${relation} of an order may not do this`);
  };

/** Action on the order behind a request for quote that was announced to makers, active or not. */
export const onRfq =
  <Input>(act: OnOrder<Input>): Action<Input> =>
  (work, request, input) => {
    const order = work.order(request.params.intent_id);
    return order !== undefined && work.policy.rfqs.isAnnounced(order)
      ? act(work, request, order, input)
      : notFound('request', request.params.intent_id, 'intent_id');
  };
