import type { OrderState, QuoteState } from './words.ts';

export interface Transition<State extends string> {
  readonly from: State;
  readonly to: State;
  /** Stable name of what brings it about (part 3). */
  readonly trigger: string;
}

/** Part 3.1. Where cancel leads is not shown, so it is not a row here: see gap `cancel.state`. */
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
export const terminalQuoteStates: readonly QuoteState[] = ['ACCEPTED', 'REJECTED', 'EXPIRED'];

/** States in which the fields of an accepted quote are due (2.2, 3.1). */
export const acceptedStates: readonly OrderState[] = ['QUOTED', 'EXECUTING', 'SETTLED'];

export const isTerminal = (state: OrderState): boolean => terminalOrderStates.includes(state);
