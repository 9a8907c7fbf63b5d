import type { FailureReason, OrderState, QuoteState } from '../../spec/vocabulary.ts';
import type { Fault, Leg } from './contract.ts';

/** Records are immutable: a change is a new record under the same id and sequence number. */
export interface Row {
  readonly id: string;
  /** Place among all records of its kind, in the order of creation, from 0. */
  readonly seq: number;
}

/** Data of an order after a quote is accepted (2.2). */
export interface Acceptance {
  readonly quoteId: string;
  readonly makerPartyId: string;
  readonly rate: string;
  /** `source_amount_actual`: amount that the sender pays for the whole order. */
  readonly sourceAmount: string;
  readonly acceptedAt: number;
  readonly validUntil: number;
}

/** Times are milliseconds since the epoch; amounts are decimal strings, in the form in which they were sent. */
export interface Order extends Row {
  readonly status: OrderState;
  readonly senderPartyId: string;
  readonly senderCustodianPartyId?: string | undefined;
  readonly receiverPartyId?: string | undefined;
  readonly receiverCustodianPartyId?: string | undefined;
  readonly sourceContractId?: string | undefined;
  readonly intentSignature?: string | undefined;
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  readonly targetAmount: string;
  readonly sourceAmountMax: string;
  readonly memo?: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly proposalAccepted: boolean;
  readonly accepted?: Acceptance | undefined;
  /** Legs of the settlement that are done. */
  readonly legsDone: 0 | Leg;
  /** True after a stall: the settlement does not continue, even if the fault is removed. */
  readonly stalled?: true | undefined;
  readonly settled?: { readonly transactionHash: string; readonly at: number } | undefined;
  readonly failureReason?: FailureReason | undefined;
  /** Set when the order was made to fail from outside. */
  readonly fault?: Fault | undefined;
}

export interface Quote extends Row {
  readonly intentId: string;
  readonly makerPartyId: string;
  readonly rate: string;
  /** As submitted; which currency it is in is gap `quote.target_amount`. */
  readonly submittedAmount: string;
  readonly sourceAmount: string;
  readonly targetAmount: string;
  /** Cost of the whole order at this rate, in the source currency. */
  readonly cost: string;
  readonly submittedAt: number;
  readonly validUntil: number;
  readonly status: QuoteState;
}

/** A won trade that has settled; its id is the order's. */
export interface Settlement extends Row {
  readonly quoteId: string;
  readonly makerPartyId: string;
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  readonly sourceAmount: string;
  readonly targetAmount: string;
  readonly quotedSourceAmount: string;
  readonly rate: string;
  readonly transactionHash: string;
  readonly settledAt: number;
}

/** `next`: fault for the next order. `all`: fault for all orders. */
export interface StandingFaults {
  readonly next?: Fault | undefined;
  readonly all?: Fault | undefined;
}
