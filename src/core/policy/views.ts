import { formatTimestamp } from '../../spec/forms.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import { schemaVersion } from '../../spec/words.ts';
import type { Order, Quote, Row, Settlement } from '../records.ts';
import type { ViewPolicy } from './policy.ts';
import { statsView } from './stats.ts';

type Json = Readonly<Record<string, unknown>>;
type Field = readonly [name: string, value: unknown];

/** One view of a record, built once: a record never changes, so neither does how it reads. */
function remembered<R extends Row>(build: (record: R) => object): (record: R) => object {
  const views = new WeakMap<R, object>();
  return (record) => {
    const known = views.get(record);
    if (known !== undefined) return known;
    const view = build(record);
    views.set(record, view);
    return view;
  };
}

type Unset = (fields: readonly Field[]) => Json;
const unset: Record<Assignment['order.unset_fields'], Unset> = {
  absent: (fields) => Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
  null: (fields) => Object.fromEntries(fields.map(([name, value]) => [name, value ?? null])),
};

type Reason = (reason: string | undefined) => Field;
const reasonFields: Record<Assignment['order.failure_reason_field'], Reason> = {
  failure_reason: (reason) => ['failure_reason', reason],
  reason: (reason) => ['reason', reason],
  status_reason: (reason) => ['status_reason', reason],
  'failure.reason': (reason) => ['failure', reason === undefined ? undefined : { reason }],
};

const moment = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : formatTimestamp(ms);

/** The fields of an order in the document's order (2.2), the failure reason after them. */
const orderFields = (order: Order, reason: Reason): readonly Field[] => [
  ['intent_id', order.id],
  ['status', order.status],
  ['sender_party_id', order.senderPartyId],
  ['sender_custodian_party_id', order.senderCustodianPartyId],
  ['receiver_party_id', order.receiverPartyId],
  ['receiver_custodian_party_id', order.receiverCustodianPartyId],
  ['source_contract_id', order.sourceContractId],
  ['intent_signature', order.intentSignature],
  ['source_currency', order.sourceCurrency],
  ['target_currency', order.targetCurrency],
  ['target_amount', order.targetAmount],
  ['source_amount_max', order.sourceAmountMax],
  ['memo', order.memo],
  ['created_at', moment(order.createdAt)],
  ['expires_at', moment(order.expiresAt)],
  ['quote_id', order.accepted?.quoteId],
  ['market_maker_party_id', order.accepted?.makerPartyId],
  ['fx_rate', order.accepted?.rate],
  ['source_amount_actual', order.accepted?.sourceAmount],
  ['quote_accepted_at', moment(order.accepted?.acceptedAt)],
  ['transaction_hash', order.settled?.transactionHash],
  ['settled_at', moment(order.settled?.at)],
  reason(order.failureReason),
];

const acceptanceFields = (order: Order): readonly Field[] => [
  ['intent_id', order.id],
  ['status', order.status],
  ['quote_id', order.accepted?.quoteId],
  ['fx_rate', order.accepted?.rate],
  ['source_amount_actual', order.accepted?.sourceAmount],
  ['quote_accepted_at', moment(order.accepted?.acceptedAt)],
];

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
  const complete = unset[assignment['order.unset_fields']];
  const reason = reasonFields[assignment['order.failure_reason_field']];
  const participantId = participants[assignment['identity.participant']];
  const rfqItem = remembered(rfqView);
  const ownQuote = remembered(ownQuoteView);
  const details: Record<Assignment['rfq.detail'], ViewPolicy['rfqDetail']> = {
    none: (order) => rfqItem(order),
    status: (order, active) => ({ ...rfqItem(order), status: active ? 'ACTIVE' : 'CLOSED' }),
    'own-quotes': (order, _active, own) => ({ ...rfqItem(order), quotes: own().map(ownQuote) }),
  };
  return {
    order: remembered((order: Order) => complete(orderFields(order, reason))),
    acceptance: remembered((order: Order) => complete(acceptanceFields(order))),
    quote: remembered(quoteView),
    ownQuote,
    rfqItem,
    rfqDetail: details[assignment['rfq.detail']],
    settlement: remembered(settlementView),
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
