import { orderStates } from '../../../spec/vocabulary.ts';
import { endOrder } from '../lifecycle/end-order.ts';
import { faultForNewOrder, failsBeforeSettlement } from '../lifecycle/faults.ts';
import { readOrderFields } from './request-body.ts';
import { uuidOf } from '../ids.ts';
import { orderExpiry, orderValidation } from '../lifecycle/deadlines.ts';
import { refuse } from '../errors.ts';
import { emitRfqOpened, emitOrderUpdated } from '../lifecycle/emit-events.ts';
import type { Request, UnitOfWork } from '../unit-of-work.ts';
import { handlerOf, onOrder, withoutInput } from './handler.ts';
import { byStatus, listReply, withCurrency } from './list-reply.ts';

/** Reads the body, and makes all checks that need the body alone. */
function readOrder({ policy }: UnitOfWork, { body }: Request) {
  const read = readOrderFields(body, policy.body);
  if (!read.ok || policy.body.sameCurrency === 'allow') return read;
  return read.input.source_currency === read.input.target_currency
    ? refuse('invalid_value', 'source and target currency are the same', '/target_currency')
    : read;
}

export const createOrder = handlerOf(readOrder, (work, request, fields) => {
  const { source_contract_id: sourceContractId, memo } = fields;
  const { orders, rfqs, events, views, http } = work.policy;
  if (
    orders.contractUse === 'once' &&
    sourceContractId !== undefined &&
    work.tables.isUsed(sourceContractId)
  ) {
    const detail = 'the source contract serves another order';
    return refuse('already_done', detail, '/source_contract_id');
  }
  const fault = faultForNewOrder(work, memo);
  // All fields are listed, set or not: the record keeps one shape, and its copies stay small.
  const order = work.saveOrder({
    id: uuidOf(request.entropy),
    seq: work.tables.orders.size,
    status: orders.createdAs,
    senderPartyId: request.caller.partyId,
    senderCustodianPartyId: fields.sender_custodian_party_id,
    intentSignature: fields.intent_signature,
    receiverPartyId: fields.receiver_party_id,
    receiverCustodianPartyId: fields.receiver_custodian_party_id,
    sourceContractId,
    sourceCurrency: fields.source_currency ?? '',
    targetCurrency: fields.target_currency ?? '',
    targetAmount: fields.target_amount ?? '',
    sourceAmountMax: fields.source_amount_max ?? '',
    memo,
    createdAt: work.now,
    expiresAt: work.now + orders.lifetimeMs,
    proposalAccepted: false,
    accepted: undefined,
    legsDone: 0,
    stalled: undefined,
    settled: undefined,
    failureReason: undefined,
    fault,
  });
  if (failsBeforeSettlement(fault)) work.schedule(orderValidation(work.policy, order));
  work.schedule(orderExpiry(work.policy, order));
  if (events.onCreation) emitOrderUpdated(work, order);
  if (rfqs.isActive(order)) emitRfqOpened(work, order);
  return { ok: true, status: http.orderCreated, data: views.order(order) };
});

export const listOrders = handlerOf(
  withCurrency(byStatus(orderStates)),
  (work, { caller }, { page, label }) => {
    const keys = work.tables.partyOrders.of(caller.partyId, label);
    return listReply(work, page, keys, work.tables.orders, work.policy.views.order);
  },
);

export const readOrderById = withoutInput(
  onOrder((work, _request, order) => {
    return { ok: true, status: 200, data: work.policy.views.order(order) };
  }),
);

const cancel = onOrder((work, _request, order) => {
  const { cancel, views } = work.policy;
  if (!cancel.from.includes(order.status)) {
    const cancelled = order.failureReason === cancel.reason;
    if (cancelled && cancel.again === 'repeat') return cancel.answer(order, views);
    return refuse(
      cancelled ? 'already_done' : 'wrong_state',
      `the order is ${order.status}, and can be cancelled while ${cancel.from.join(' or ')}`,
    );
  }
  const { state, reason } = cancel;
  return cancel.answer(endOrder(work, order, { state, reason, end: 'cancel' }), views);
});
export const cancelOrder = withoutInput(cancel);

const accept = onOrder((work, _request, order) => {
  const { proposal, rfqs, views } = work.policy;
  if (!proposal.from.includes(order.status)) {
    return refuse('wrong_state', `the order is ${order.status}, no proposal any more`);
  }
  if (order.proposalAccepted) {
    if (proposal.again === 'repeat') return proposal.answer(order, views);
    return refuse('already_done', 'the proposal has been accepted before');
  }
  const accepted = work.saveOrder({ ...order, proposalAccepted: true });
  if (rfqs.isActive(accepted) && !rfqs.isActive(order)) emitRfqOpened(work, accepted);
  return proposal.answer(accepted, views);
});
export const acceptProposal = withoutInput(accept);
