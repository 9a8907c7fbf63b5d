import type { Assignment } from '../../../spec/gaps/index.ts';
import { type Field, fieldsOf } from '../../../spec/fields.ts';
import { OrderRequest, QuoteRequest } from '../../../spec/resources.ts';
import { cancellableStates } from '../../../spec/states.ts';
import type { FailureReason, OrderState } from '../../../spec/vocabulary.ts';
import type { Reply } from '../contract.ts';
import type { AmountBounds } from '../money.ts';
import type { Order, Quote } from '../records.ts';
import type { MoneyPolicy } from './quotes.ts';
import type { ViewPolicy } from './views.ts';

/** Milliseconds of an answer such as `30s`. */
const durationMs = (answer: string): number => Number.parseInt(answer, 10) * 1_000;

/** Fields that the body must carry; of some forms only, if they are given. */
const requiredIn = <Name extends string>(
  resource: { readonly properties: Record<Name, unknown> },
  ...forms: readonly Field['form'][]
): readonly Name[] =>
  fieldsOf(resource)
    .filter(({ form, required }) => required && (forms.length === 0 || forms.includes(form)))
    .map(({ name }) => name as Name);
const allButMemo = requiredIn(OrderRequest);
const required: Record<Assignment['order.required_fields'], readonly (keyof OrderRequest)[]> = {
  'all-but-memo': allButMemo,
  all: [...allButMemo, 'memo'],
  'amounts-and-currencies': requiredIn(OrderRequest, 'currency', 'decimal'),
};

export type BodyPolicy = ReturnType<typeof bodyPolicy>;

/** Checks of request bodies (2.2, 2.3). */
export const bodyPolicy = (assignment: Assignment) => ({
  requiredOfOrder: required[assignment['order.required_fields']],
  requiredOfQuote: requiredIn(QuoteRequest),
  unknownFields: assignment['order.unknown_fields'],
  amounts: { integerDigits: 18, decimals: 10 } as AmountBounds,
  /** Maximum length in characters, by text field. */
  textLengths: {
    sender_custodian_party_id: 256,
    receiver_party_id: 256,
    receiver_custodian_party_id: 256,
    source_contract_id: 256,
    intent_signature: 8192,
    source_currency: 16,
    target_currency: 16,
    memo: 1000,
  } as Readonly<Record<string, number>>,
  sameCurrency: assignment['order.same_currency'],
});

/** State in which an order ends, and its failure reason. */
const ending = (state: OrderState, reason?: FailureReason) => ({ state, reason });

const contractUses = { allow: 'any', refuse: 'once' } as const;

/** Creation, lifetime and end of an order (2.2, 3.1). */
export const orderPolicy = (assignment: Assignment) => ({
  createdAs: 'PENDING' as OrderState,
  lifetimeMs: durationMs(assignment['order.lifetime']),
  /** Time from creation to a failed validation, or to a withdrawal that was requested beforehand. */
  validationDelayMs: 250,
  contractUse: contractUses[assignment['order.contract_reuse']],
  expiredAs: 'EXPIRED' as OrderState,
  /** Failure reason of an order that expires without an accepted quote. */
  expiryReason: (
    order: Order,
    quotes: readonly Quote[],
    money: MoneyPolicy,
  ): FailureReason | undefined => {
    const answer = assignment['expiry.reason'];
    if (answer === 'unset') return undefined;
    if (quotes.length === 0) return 'NO_QUOTE';
    const isAffordable = quotes.some((quote) => money.affordable(quote.cost, order));
    return answer === 'by-quotes' && !isAffordable ? 'SLIPPAGE' : undefined;
  },
  invalid: ending('FAILED'),
  withdrawn: {
    from: ['PENDING', 'QUOTED', 'EXECUTING'] as readonly OrderState[],
    ...ending(assignment['withdrawn.state'], 'OPERATOR_WITHDRAWN'),
  },
  slippage: ending('FAILED', 'SLIPPAGE'),
});

type Answer = (order: Order, views: ViewPolicy) => Reply;

/** An answer that shows the order, some of it, or nothing. */
function answerOf(form: Assignment['cancel.response'], assignment: Assignment): Answer {
  const status = form === 'accepted' ? 202 : Number(assignment['http.success_status']);
  if (form === 'no-content') return () => ({ ok: true, status: 204 });
  if (form !== 'minimal') return (order, views) => ({ ok: true, status, data: views.order(order) });
  return ({ id, status: state }) => ({ ok: true, status, data: { intent_id: id, status: state } });
}

export const cancelPolicy = (assignment: Assignment) => ({
  from: cancellableStates,
  ...ending(assignment['cancel.state'], 'USER_CANCELLED'),
  /** `repeat`: a second cancel by the sender gets the same answer as the first. */
  again: assignment['cancel.again'],
  answer: answerOf(assignment['cancel.response'], assignment),
});

export const proposalPolicy = (assignment: Assignment) => ({
  from: ['PENDING', 'QUOTED', 'EXECUTING'] as readonly OrderState[],
  again: assignment['proposal.effect'] === 'once' ? ('refuse' as const) : ('repeat' as const),
  answer: answerOf(assignment['proposal.response'], assignment),
});

const splits = {
  '500ms-4000ms': { startDelayMs: 500, durationMs: 4000 },
  '0ms-4000ms': { startDelayMs: 0, durationMs: 4000 },
  '1500ms-4600ms': { startDelayMs: 1500, durationMs: 4600 },
  '50ms-3500ms': { startDelayMs: 50, durationMs: 3500 },
};

/** The automatic settlement (1.3, 3.1). Delays count from the acceptance. */
export const settlementPolicy = (assignment: Assignment) => ({
  ...splits[assignment['settlement.steps']],
  windowMs: durationMs(assignment['settlement.window']),
  startedAs: 'EXECUTING' as OrderState,
  completedAs: 'SETTLED' as OrderState,
  beyondValidity: assignment['settlement.beyond_validity'],
  timeout: ending(assignment['settlement.timeout_state'], 'TIMEOUT'),
  revert: ending('FAILED', 'REVERT'),
});

/** `passed`: true if a deadline has passed. `end`: the first moment at which it has. */
const boundaries = {
  passed: {
    passed: (now: number, deadline: number): boolean => now >= deadline,
    end: (deadline: number): number => deadline,
  },
  'not-yet': {
    passed: (now: number, deadline: number): boolean => now > deadline,
    end: (deadline: number): number => deadline + 1,
  },
};

export const timePolicy = (assignment: Assignment) => boundaries[assignment['time.boundary']];
