import { formatTimestamp } from '../../../spec/forms.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import { schemaVersion } from '../../../spec/vocabulary.ts';
import type { Order, Quote, Row, Settlement } from '../records.ts';
import type { ViewPolicy } from './policy.ts';
import { statsView } from './stats.ts';

type Json = Record<string, unknown>;

/**
 * One view of a record, built once: a record never changes, so neither does how it reads. Not for quotes: those are
 * many, most are read once, and a view that is kept is one more thing for the collector to carry.
 */
function memoizedByRow<R extends Row>(build: (record: R) => object): (record: R) => object {
  const views = new WeakMap<R, object>();
  return (record) => {
    const known = views.get(record);
    if (known !== undefined) return known;
    const view = build(record);
    views.set(record, view);
    return view;
  };
}

/** Writes a field that may not be set yet. */
type Put = (view: Json, name: string, value: unknown) => void;
const puts: Record<Assignment['order.unset_fields'], Put> = {
  absent: (view, name, value) => {
    if (value !== undefined) view[name] = value;
  },
  null: (view, name, value) => {
    view[name] = value ?? null;
  },
};

type PutReason = (view: Json, reason: string | undefined, put: Put) => void;
const putReasons: Record<Assignment['order.failure_reason_field'], PutReason> = {
  failure_reason: (view, reason, put) => put(view, 'failure_reason', reason),
  reason: (view, reason, put) => put(view, 'reason', reason),
  status_reason: (view, reason, put) => put(view, 'status_reason', reason),
  'failure.reason': (view, reason, put) => put(view, 'failure', reason && { reason }),
};

const maybe = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : formatTimestamp(ms);

/** The fields of an order in the document's order (2.2), the failure reason after them. */
function orderView(order: Order, put: Put, putReason: PutReason): Json {
  const view: Json = {
    intent_id: order.id,
    status: order.status,
    sender_party_id: order.senderPartyId,
  };
  put(view, 'sender_custodian_party_id', order.senderCustodianPartyId);
  put(view, 'receiver_party_id', order.receiverPartyId);
  put(view, 'receiver_custodian_party_id', order.receiverCustodianPartyId);
  put(view, 'source_contract_id', order.sourceContractId);
  put(view, 'intent_signature', order.intentSignature);
  view.source_currency = order.sourceCurrency;
  view.target_currency = order.targetCurrency;
  view.target_amount = order.targetAmount;
  view.source_amount_max = order.sourceAmountMax;
  put(view, 'memo', order.memo);
  view.created_at = formatTimestamp(order.createdAt);
  view.expires_at = formatTimestamp(order.expiresAt);
  put(view, 'quote_id', order.accepted?.quoteId);
  put(view, 'market_maker_party_id', order.accepted?.makerPartyId);
  put(view, 'fx_rate', order.accepted?.rate);
  put(view, 'source_amount_actual', order.accepted?.sourceAmount);
  put(view, 'quote_accepted_at', maybe(order.accepted?.acceptedAt));
  put(view, 'transaction_hash', order.settled?.transactionHash);
  put(view, 'settled_at', maybe(order.settled?.at));
  putReason(view, order.failureReason, put);
  return view;
}

function acceptanceView(order: Order, put: Put): Json {
  const view: Json = { intent_id: order.id, status: order.status };
  put(view, 'quote_id', order.accepted?.quoteId);
  put(view, 'fx_rate', order.accepted?.rate);
  put(view, 'source_amount_actual', order.accepted?.sourceAmount);
  put(view, 'quote_accepted_at', maybe(order.accepted?.acceptedAt));
  return view;
}

/** What the sender's side sees: amounts in the currencies they are named after. */
const quoteView = (quote: Quote): Json => ({
  quote_id: quote.id,
  intent_id: quote.intentId,
  market_maker_party_id: quote.makerPartyId,
  fx_rate: quote.rate,
  source_amount: quote.sourceAmount,
  target_amount: quote.targetAmount,
  submitted_at: formatTimestamp(quote.submittedAt),
  valid_until: formatTimestamp(quote.validUntil),
  status: quote.status,
});

/** What its maker sees: the submission, as it was sent. */
const ownQuoteView = (quote: Quote): Json => ({
  quote_id: quote.id,
  intent_id: quote.intentId,
  fx_rate: quote.rate,
  target_amount: quote.submittedAmount,
  submitted_at: formatTimestamp(quote.submittedAt),
  valid_until: formatTimestamp(quote.validUntil),
  status: quote.status,
});

/** Nothing in it tells who asks: neither a party, nor what the sender wrote, signed or holds. */
const rfqView = (order: Order): Json => ({
  intent_id: order.id,
  created_at: formatTimestamp(order.createdAt),
  expires_at: formatTimestamp(order.expiresAt),
  source_currency: order.sourceCurrency,
  target_amount: order.targetAmount,
  target_currency: order.targetCurrency,
});

const settlementView = (settlement: Settlement): Json => ({
  intent_id: settlement.id,
  source_currency: settlement.sourceCurrency,
  target_currency: settlement.targetCurrency,
  target_amount: settlement.targetAmount,
  source_amount_actual: settlement.sourceAmount,
  fx_rate: settlement.rate,
  quote_id: settlement.quoteId,
  mm_quoted_source_amount: settlement.quotedSourceAmount,
  mm_delivered_target_amount: settlement.targetAmount,
  transaction_hash: settlement.transactionHash,
  settled_at: formatTimestamp(settlement.settledAt),
});

const participants: Record<Assignment['identity.participant'], string> = {
  sandbox: '',
  ledger: 'participant::122053b1c1a1f2d0',
};

export function viewPolicy(assignment: Assignment): ViewPolicy {
  const put = puts[assignment['order.unset_fields']];
  const putReason = putReasons[assignment['order.failure_reason_field']];
  const participantId = participants[assignment['identity.participant']];
  const rfqItem = memoizedByRow(rfqView);
  const details: Record<Assignment['rfq.detail'], ViewPolicy['rfqDetail']> = {
    none: (order) => rfqItem(order),
    status: (order, active) => ({ ...rfqItem(order), status: active ? 'ACTIVE' : 'CLOSED' }),
    'own-quotes': (order, _active, own) => ({ ...rfqItem(order), quotes: own().map(ownQuoteView) }),
  };
  return {
    order: memoizedByRow((order: Order) => orderView(order, put, putReason)),
    acceptance: memoizedByRow((order: Order) => acceptanceView(order, put)),
    quote: quoteView,
    ownQuote: ownQuoteView,
    rfqItem,
    rfqDetail: details[assignment['rfq.detail']],
    settlement: memoizedByRow(settlementView),
    identity: (party, operatorPartyId) => ({
      party_id: party.partyId,
      operator_party_id: operatorPartyId,
      role: party.role,
      participant_id: participantId,
      schema_version: schemaVersion,
    }),
    stats: statsView[assignment['stats.fields']],
  };
}
