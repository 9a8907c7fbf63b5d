import type { Assignment } from '../../../spec/gaps/index.ts';
import type { OrderRequest } from '../../../spec/resources.ts';
import { cancellableStates } from '../../../spec/states.ts';
import type { FailureReason } from '../../../spec/vocabulary.ts';
import type { Reply } from '../contract.ts';
import type { Order, Quote } from '../records.ts';
import type {
  BodyPolicy,
  CancelPolicy,
  OrderPolicy,
  ProposalPolicy,
  SettlementPolicy,
  TimePolicy,
  ViewPolicy,
} from './policy.ts';

const durations = {
  '10s': 10_000,
  '30s': 30_000,
  '60s': 60_000,
  '300s': 300_000,
  '3600s': 3_600_000,
} as const;
const durationMs = (name: keyof typeof durations): number => durations[name];

const amounts = [
  'source_currency',
  'target_amount',
  'target_currency',
  'source_amount_max',
] as const;
const allButMemo: readonly (keyof OrderRequest)[] = [
  'sender_custodian_party_id',
  'intent_signature',
  'receiver_party_id',
  'receiver_custodian_party_id',
  'source_contract_id',
  ...amounts,
];
const required = {
  'all-but-memo': allButMemo,
  all: [...allButMemo, 'memo'],
  'amounts-and-currencies': amounts,
} as const;

export const bodyPolicy = (assignment: Assignment): BodyPolicy => ({
  requiredOfOrder: required[assignment['order.required_fields']],
  requiredOfQuote: ['fx_rate', 'target_amount', 'valid_until'],
  unknownFields: assignment['order.unknown_fields'],
  amounts: { integerDigits: 18, decimals: 10 },
  textLengths: {
    sender_custodian_party_id: 256,
    receiver_party_id: 256,
    receiver_custodian_party_id: 256,
    source_contract_id: 256,
    intent_signature: 8192,
    source_currency: 16,
    target_currency: 16,
    memo: 1000,
  },
  sameCurrency: assignment['order.same_currency'],
});

type Reason = (quotes: readonly Quote[], usable: boolean) => FailureReason | undefined;
const withoutQuotes: Reason = (quotes) => (quotes.length === 0 ? 'NO_QUOTE' : undefined);
const expiryReasons: Record<Assignment['expiry.reason'], Reason> = {
  'by-quotes': (quotes, usable) =>
    withoutQuotes(quotes, usable) ?? (usable ? undefined : 'SLIPPAGE'),
  unset: () => undefined,
  'no-quote-only': withoutQuotes,
};

const contractUses = { allow: 'any', refuse: 'once' } as const;

export const orderPolicy = (assignment: Assignment): OrderPolicy => ({
  createdAs: 'PENDING',
  lifetimeMs: durationMs(assignment['order.lifetime']),
  validationDelayMs: 250,
  contractUse: contractUses[assignment['order.contract_reuse']],
  expiredAs: 'EXPIRED',
  expiryReason: (order, quotes, money) =>
    expiryReasons[assignment['expiry.reason']](
      quotes,
      quotes.some((quote) => money.affordable(quote.cost, order)),
    ),
  invalid: { state: 'FAILED', reason: undefined },
  withdrawn: {
    from: ['PENDING', 'QUOTED', 'EXECUTING'],
    state: assignment['withdrawn.state'],
    reason: 'OPERATOR_WITHDRAWN',
  },
  slippage: { state: 'FAILED', reason: 'SLIPPAGE' },
});

const successStatus = { '200': 200, '201': 201, '202': 202 } as const;
export const statusOf = (name: keyof typeof successStatus): number => successStatus[name];

type Answer = (order: Order, views: ViewPolicy) => Reply;

const minimal = (order: Order): object => ({ intent_id: order.id, status: order.status });
const noContent: Reply = { ok: true, status: 204 };

export function cancelPolicy(assignment: Assignment): CancelPolicy {
  const status = statusOf(assignment['http.success_status']);
  const answers: Record<Assignment['cancel.response'], Answer> = {
    order: (order, views) => ({ ok: true, status, data: views.order(order) }),
    'no-content': () => noContent,
    accepted: (order, views) => ({ ok: true, status: 202, data: views.order(order) }),
    minimal: (order) => ({ ok: true, status, data: minimal(order) }),
  };
  return {
    from: cancellableStates,
    state: assignment['cancel.state'],
    reason: 'USER_CANCELLED',
    again: assignment['cancel.again'],
    answer: answers[assignment['cancel.response']],
  };
}

const secondProposals = {
  none: 'repeat',
  once: 'refuse',
  'opens-quoting': 'repeat',
  'opens-acceptance': 'repeat',
} as const;

export function proposalPolicy(assignment: Assignment): ProposalPolicy {
  const status = statusOf(assignment['http.success_status']);
  const answers: Record<Assignment['proposal.response'], Answer> = {
    order: (order, views) => ({ ok: true, status, data: views.order(order) }),
    'no-content': () => noContent,
    minimal: (order) => ({ ok: true, status, data: minimal(order) }),
  };
  return {
    from: ['PENDING', 'QUOTED', 'EXECUTING'],
    again: secondProposals[assignment['proposal.effect']],
    answer: answers[assignment['proposal.response']],
  };
}

const splits = {
  '500ms-4000ms': { startDelayMs: 500, durationMs: 4000 },
  '0ms-4000ms': { startDelayMs: 0, durationMs: 4000 },
  '1500ms-4600ms': { startDelayMs: 1500, durationMs: 4600 },
  '50ms-3500ms': { startDelayMs: 50, durationMs: 3500 },
} as const;

export const settlementPolicy = (assignment: Assignment): SettlementPolicy => ({
  ...splits[assignment['settlement.steps']],
  windowMs: durationMs(assignment['settlement.window']),
  startedAs: 'EXECUTING',
  completedAs: 'SETTLED',
  beyondValidity: assignment['settlement.beyond_validity'],
  timeout: { state: assignment['settlement.timeout_state'], reason: 'TIMEOUT' },
  revert: { state: 'FAILED', reason: 'REVERT' },
});

const boundaries: Record<Assignment['time.boundary'], TimePolicy> = {
  passed: { passed: (now, deadline) => now >= deadline, end: (deadline) => deadline },
  'not-yet': { passed: (now, deadline) => now > deadline, end: (deadline) => deadline + 1 },
};

export const timePolicy = (assignment: Assignment): TimePolicy =>
  boundaries[assignment['time.boundary']];
