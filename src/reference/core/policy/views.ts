import { formatTimestamp } from '../../../spec/forms.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import { schemaVersion } from '../../../spec/vocabulary.ts';
import type { Acceptance, Order, Quote, Row, Settlement } from '../records.ts';
import type { Role } from '../../../spec/vocabulary.ts';
import type { PartyRecord } from '../contract.ts';
import type { Decimal } from '../money.ts';
import type { Volume } from '../store/volumes.ts';

/** Counts for the dashboard of one party (2.8). */
export interface StatsFigures {
  readonly role: Role;
  /** Number of orders or quotes of the party: in total, and by state. */
  readonly total: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly settlements: number;
  readonly volume: Volume;
}

const subjects = { institution: 'orders', custodian: 'orders', 'market-maker': 'quotes' } as const;

const written = (sums: ReadonlyMap<string, Decimal>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, sum]) => [currency, sum.toFixed()]),
  );

const lower = (counts: Readonly<Record<string, number>>, suffix: string) =>
  Object.fromEntries(
    Object.entries(counts).map(([status, count]) => [`${status.toLowerCase()}${suffix}`, count]),
  );

/** Counts by state, settlements, and settled volume by currency (2.8). */
const statsView: Record<Assignment['stats.fields'], (figures: StatsFigures) => object> = {
  flat: ({ role, total, byStatus, settlements, volume }) => ({
    [`total_${subjects[role]}`]: total,
    ...lower(byStatus, `_${subjects[role]}`),
    settlements,
    settled_source_volume: written(volume.source),
    settled_target_volume: written(volume.target),
  }),
  nested: ({ role, total, byStatus, settlements, volume }) => ({
    [subjects[role]]: { total, by_status: byStatus },
    settlements: {
      total: settlements,
      volume: { source: written(volume.source), target: written(volume.target) },
    },
  }),
};

type Json = Record<string, unknown>;

/**
 * Builds the view of a record once: a record never changes, so its view never changes. Keeps the last viewed record of
 * each sequence number in an array: a weak map with a million entries is costly for the garbage collector. Not for
 * quotes: there are many, most are read once, and each kept view takes memory.
 */
function memoizedByRow<R extends Row>(build: (record: R) => object): (record: R) => object {
  const records: R[] = [];
  const views: object[] = [];
  return (record) => {
    const { seq } = record;
    const known = records[seq] === record ? views[seq] : undefined;
    if (known !== undefined) return known;
    const view = build(record);
    records[seq] = record;
    views[seq] = view;
    return view;
  };
}

/** The value of a field that is not set: null, or undefined if it is left out. */
type Unset = null | undefined;
const unsetAs = { absent: undefined, null: null } as const satisfies Record<
  Assignment['order.unset_fields'],
  Unset
>;

const reasonFields = {
  failure_reason: 'failure_reason',
  reason: 'reason',
  status_reason: 'status_reason',
  'failure.reason': 'failure',
} as const satisfies Record<Assignment['order.failure_reason_field'], string>;
type ReasonField = Assignment['order.failure_reason_field'];

const writtenReason = (reason: string | undefined, field: ReasonField): unknown =>
  reason && field === 'failure.reason' ? { reason } : reason;

const maybe = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : formatTimestamp(ms);

/**
 * The fields of an order in the document's order (2.2), the failure reason after them. Field by field, each name
 * spelled out: a name in a variable costs a search at every store, and each step of an order is shown in a view.
 */
function orderView(order: Order, unset: Unset, reasonField: ReasonField): Json {
  const view: Json = {
    intent_id: order.id,
    status: order.status,
    sender_party_id: order.senderPartyId,
  };
  const senderCustodian = order.senderCustodianPartyId ?? unset;
  if (senderCustodian !== undefined) view.sender_custodian_party_id = senderCustodian;
  const receiver = order.receiverPartyId ?? unset;
  if (receiver !== undefined) view.receiver_party_id = receiver;
  const receiverCustodian = order.receiverCustodianPartyId ?? unset;
  if (receiverCustodian !== undefined) view.receiver_custodian_party_id = receiverCustodian;
  const contract = order.sourceContractId ?? unset;
  if (contract !== undefined) view.source_contract_id = contract;
  const signature = order.intentSignature ?? unset;
  if (signature !== undefined) view.intent_signature = signature;
  view.source_currency = order.sourceCurrency;
  view.target_currency = order.targetCurrency;
  view.target_amount = order.targetAmount;
  view.source_amount_max = order.sourceAmountMax;
  const memo = order.memo ?? unset;
  if (memo !== undefined) view.memo = memo;
  view.created_at = formatTimestamp(order.createdAt);
  view.expires_at = formatTimestamp(order.expiresAt);
  const { accepted, settled } = order;
  addAcceptance(view, accepted, unset, 'with its maker');
  const hash = settled?.transactionHash ?? unset;
  if (hash !== undefined) view.transaction_hash = hash;
  const settledAt = maybe(settled?.at) ?? unset;
  if (settledAt !== undefined) view.settled_at = settledAt;
  const reason = writtenReason(order.failureReason, reasonField) ?? unset;
  if (reason !== undefined) view[reasonFields[reasonField]] = reason;
  return view;
}

function addAcceptance(
  view: Json,
  accepted: Acceptance | undefined,
  unset: Unset,
  shows: 'with its maker' | 'without its maker',
): void {
  const quoteId = accepted?.quoteId ?? unset;
  if (quoteId !== undefined) view.quote_id = quoteId;
  if (shows === 'with its maker') {
    const maker = accepted?.makerPartyId ?? unset;
    if (maker !== undefined) view.market_maker_party_id = maker;
  }
  const rate = accepted?.rate ?? unset;
  if (rate !== undefined) view.fx_rate = rate;
  const amount = accepted?.sourceAmount ?? unset;
  if (amount !== undefined) view.source_amount_actual = amount;
  const acceptedAt = maybe(accepted?.acceptedAt) ?? unset;
  if (acceptedAt !== undefined) view.quote_accepted_at = acceptedAt;
}

function acceptanceView(order: Order, unset: Unset): Json {
  const view: Json = { intent_id: order.id, status: order.status };
  addAcceptance(view, order.accepted, unset, 'without its maker');
  return view;
}

/** Quote as the sender's side sees it: each amount is in the currency that its name says. */
const quoteView = (quote: Quote): object => ({
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

/** Quote as its maker sees it: the submission, as it was sent. */
const ownQuoteView = (quote: Quote): object => ({
  quote_id: quote.id,
  intent_id: quote.intentId,
  fx_rate: quote.rate,
  target_amount: quote.submittedAmount,
  submitted_at: formatTimestamp(quote.submittedAt),
  valid_until: formatTimestamp(quote.validUntil),
  status: quote.status,
});

/** Hides the sender's identity: shows no party, and nothing that the sender wrote, signed or holds. */
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

export type ViewPolicy = ReturnType<typeof viewPolicy>;

/** Records turned into wire JSON (part 2). */
export function viewPolicy(assignment: Assignment) {
  const unset = unsetAs[assignment['order.unset_fields']];
  const reasonField = assignment['order.failure_reason_field'];
  const participantId = participants[assignment['identity.participant']];
  const rfqItem = memoizedByRow(rfqView);
  /** `active`: true if it can be quoted now; `own`: the caller's quotes on it. */
  type Detail = (order: Order, active: boolean, own: () => readonly Quote[]) => object;
  const details: Record<Assignment['rfq.detail'], Detail> = {
    none: (order) => rfqItem(order),
    status: (order, active) => ({ ...rfqItem(order), status: active ? 'ACTIVE' : 'CLOSED' }),
    'own-quotes': (order, _active, own) => ({ ...rfqItem(order), quotes: own().map(ownQuoteView) }),
  };
  return {
    order: memoizedByRow((order: Order) => orderView(order, unset, reasonField)),
    acceptance: memoizedByRow((order: Order) => acceptanceView(order, unset)),
    quote: quoteView,
    ownQuote: ownQuoteView,
    rfqItem,
    rfqDetail: details[assignment['rfq.detail']],
    settlement: memoizedByRow(settlementView),
    identity: (party: PartyRecord, operatorPartyId: string): object => ({
      party_id: party.partyId,
      operator_party_id: operatorPartyId,
      role: party.role,
      participant_id: participantId,
      schema_version: schemaVersion,
    }),
    stats: statsView[assignment['stats.fields']],
  };
}
