import type { OrderState, QuoteState } from './vocabulary.ts';

export interface Transition<State extends string> {
  readonly from: State;
  readonly to: State;
  /** Stable name of its cause (part 3). */
  readonly trigger: string;
}

/** Part 3.1. The state after a cancel is not shown, so it is not a row here: see gap `cancel.state`. */
export const orderTransitions: readonly Transition<OrderState>[] = [
  { from: 'PENDING', to: 'QUOTED', trigger: 'accept' },
  { from: 'QUOTED', to: 'EXECUTING', trigger: 'settlement-start' },
  { from: 'EXECUTING', to: 'SETTLED', trigger: 'legs-complete' },
  { from: 'PENDING', to: 'EXPIRED', trigger: 'order-expiry' },
  { from: 'QUOTED', to: 'EXPIRED', trigger: 'quote-expiry' },
  { from: 'PENDING', to: 'FAILED', trigger: 'validation' },
  { from: 'EXECUTING', to: 'FAILED', trigger: 'settlement-failure' },
];

/** Part 3.2. */
export const quoteTransitions: readonly Transition<QuoteState>[] = [
  { from: 'PENDING', to: 'ACCEPTED', trigger: 'selected' },
  { from: 'PENDING', to: 'REJECTED', trigger: 'rival-selected' },
  { from: 'PENDING', to: 'EXPIRED', trigger: 'quote-expiry' },
];

/** States that a cancel may start from (3.1, 4.2). */
export const cancellableStates: readonly OrderState[] = ['PENDING', 'QUOTED'];

export const terminalOrderStates: readonly OrderState[] = ['SETTLED', 'EXPIRED', 'FAILED'];
/** Final states without a settlement: a cancel leads to one of them (gap `cancel.state`). */
export const unsettledStates: readonly OrderState[] = ['EXPIRED', 'FAILED'];
export const terminalQuoteStates: readonly QuoteState[] = ['ACCEPTED', 'REJECTED', 'EXPIRED'];

/** States in which the fields of an accepted quote are due (2.2, 3.1). */
export const acceptedStates: readonly OrderState[] = ['QUOTED', 'EXECUTING', 'SETTLED'];

export const isTerminal = (state: OrderState): boolean => terminalOrderStates.includes(state);

/**
 * States that an order may show later, if those in between were missed. EXECUTING to EXPIRED is no row of 3.1, but the
 * state after an exceeded window, a withdrawal or a passed `valid_until` is open.
 */
const laterStates: Readonly<Record<OrderState, readonly OrderState[]>> = {
  PENDING: ['PENDING', 'QUOTED', 'EXECUTING', 'SETTLED', 'EXPIRED', 'FAILED'],
  QUOTED: ['QUOTED', 'EXECUTING', 'SETTLED', 'EXPIRED', 'FAILED'],
  EXECUTING: ['EXECUTING', 'SETTLED', 'EXPIRED', 'FAILED'],
  SETTLED: ['SETTLED'],
  EXPIRED: ['EXPIRED'],
  FAILED: ['FAILED'],
};

/** True if an order seen in the first state may show the second one later; true for the same state. */
export const reaches = (from: OrderState, to: OrderState): boolean =>
  laterStates[from].includes(to);
