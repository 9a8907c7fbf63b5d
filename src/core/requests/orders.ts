import { orderStates } from '../../spec/words.ts';
import { endOrder } from '../endings.ts';
import { faultAtBirth, strikesEarly } from '../faults.ts';
import { readOrderBody } from '../forms.ts';
import { uuidOf } from '../ids.ts';
import { orderExpiry, orderValidation } from '../moments.ts';
import type { Order } from '../records.ts';
import { refuse } from '../refusal.ts';
import { tellRfqOpened, tellStatus } from '../tell.ts';
import type { Request, Work } from '../work.ts';
import { orderFor } from './access.ts';
import { byStatus, listReply, withCurrency } from './lists.ts';
import { plain, type Read, route } from './route.ts';

type OrderFields = Pick<
  Order,
  | 'senderCustodianPartyId'
  | 'intentSignature'
  | 'receiverPartyId'
  | 'receiverCustodianPartyId'
  | 'sourceContractId'
  | 'sourceCurrency'
  | 'targetCurrency'
  | 'targetAmount'
  | 'sourceAmountMax'
  | 'memo'
>;

/** Reads and checks all that can be seen in the body alone. */
function readOrder(work: Work, { body }: Request): Read<OrderFields> {
  const read = readOrderBody(body, work.policy.body);
  if (!read.ok) return read;
  const { fields } = read;
  if (
    fields.source_currency === fields.target_currency &&
    work.policy.body.sameCurrency === 'refuse'
  ) {
    return refuse('invalid_value', 'source and target currency are the same', '/target_currency');
  }
  return {
    ok: true,
    input: {
      senderCustodianPartyId: fields.sender_custodian_party_id,
      intentSignature: fields.intent_signature,
      receiverPartyId: fields.receiver_party_id,
      receiverCustodianPartyId: fields.receiver_custodian_party_id,
      sourceContractId: fields.source_contract_id,
      sourceCurrency: fields.source_currency ?? '',
      targetCurrency: fields.target_currency ?? '',
      targetAmount: fields.target_amount ?? '',
      sourceAmountMax: fields.source_amount_max ?? '',
      memo: fields.memo,
    },
  };
}

export const createOrder = route(readOrder, (work, request, fields) => {
  const { sourceContractId, memo } = fields;
  const { orders, rfqs, events, views, http } = work.policy;
  if (
    orders.contractUse === 'once' &&
    sourceContractId !== undefined &&
    work.heap.isUsed(sourceContractId)
  ) {
    return refuse(
      'already_done',
      'the source contract serves another order',
      '/source_contract_id',
    );
  }
  const fault = faultAtBirth(work, memo);
  const order = work.saveOrder({
    id: uuidOf(request.entropy),
    seq: work.heap.orders.size,
    status: orders.createdAs,
    senderPartyId: request.caller.partyId,
    ...fields,
    createdAt: work.now,
    expiresAt: work.now + orders.lifetimeMs,
    proposalAccepted: false,
    legsDone: 0,
    ...(fault && { fault }),
  });
  if (strikesEarly(fault)) work.wake(orderValidation(work.policy, order));
  work.wake(orderExpiry(work.policy, order));
  if (events.onCreation) tellStatus(work, order);
  if (rfqs.isActive(order)) tellRfqOpened(work, order);
  return { ok: true, status: http.orderCreated, data: views.order(order) };
});

export const listOrders = route(
  withCurrency(byStatus(orderStates)),
  (work, { caller }, { page, label }) => {
    const keys = work.heap.partyOrders.of(caller.partyId, label);
    return listReply(work, page, keys, work.heap.orders, work.policy.views.order);
  },
);

export const readOrderById = plain((work, request) => {
  const found = orderFor(work, request, 'order.read');
  return found.ok ? { ok: true, status: 200, data: work.policy.views.order(found.order) } : found;
});

export const cancelOrder = plain((work, request) => {
  const found = orderFor(work, request, 'order.cancel');
  if (!found.ok) return found;
  const { cancel, views } = work.policy;
  const { order } = found;
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

export const acceptProposal = plain((work, request) => {
  const found = orderFor(work, request, 'proposal.accept');
  if (!found.ok) return found;
  const { proposal, rfqs, views } = work.policy;
  const { order } = found;
  if (!proposal.from.includes(order.status)) {
    return refuse('wrong_state', `the order is ${order.status}, no proposal any more`);
  }
  if (order.proposalAccepted) {
    if (proposal.again === 'repeat') return proposal.answer(order, views);
    return refuse('already_done', 'the proposal has been accepted before');
  }
  const accepted = work.saveOrder({ ...order, proposalAccepted: true });
  if (rfqs.isActive(accepted) && !rfqs.isActive(order)) tellRfqOpened(work, accepted);
  return proposal.answer(accepted, views);
});
