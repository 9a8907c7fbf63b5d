import type { EndpointName, PathParams } from '../../spec/endpoints.ts';
import type { EventName } from '../../spec/events.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import type { Pagination } from '../../spec/resources.ts';
import type { Role } from '../../spec/vocabulary.ts';
import type { Refusal } from './errors.ts';

export interface PartyRecord {
  readonly partyId: string;
  readonly role: Role;
}

export interface OpeningBalance {
  readonly partyId: string;
  readonly currency: string;
  /** A decimal string. */
  readonly amount: string;
}

/** Initial configuration of a world. Plain data. */
export interface WorldConfig {
  readonly parties: readonly PartyRecord[];
  readonly operatorPartyId: string;
  readonly assignment: Assignment;
  /** Known currencies with the decimals of their minor unit. Orders in other currencies are possible too. */
  readonly currencies: Readonly<Record<string, number>>;
  readonly openingBalances: readonly OpeningBalance[];
  /** Opening balance in each currency that is not known, by party identifier; by default none. */
  readonly openingBalanceOfOthers?: Readonly<Record<string, string>>;
  /** True if a memo such as `!revert:2` makes its own order fail; see faults.ts. */
  readonly magicMemos: boolean;
}

/** The legs of a settlement, in their order (part 1.3). */
export type Leg = 1 | 2 | 3 | 4;

/** Fault that makes an order or its settlement fail. Always an input, never drawn at random. */
export type Fault =
  | { readonly kind: 'revert'; readonly leg: Leg }
  | { readonly kind: 'stall' }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'invalid' };

/** A moment at which the core must be called again. A deadline that no longer applies does nothing. */
export interface Deadline {
  readonly at: number;
  readonly kind:
    | 'order-validation'
    | 'order-expiry'
    | 'quote-expiry'
    | 'settlement-start'
    | 'settlement-leg'
    | 'settlement-window';
  readonly intentId: string;
  readonly quoteId?: string;
  readonly leg?: Leg;
}

/** Everything that can happen to the core. Plain data, so that a list of them replays. */
export type Command =
  | {
      readonly type: 'request';
      readonly endpoint: EndpointName;
      readonly caller: PartyRecord;
      readonly params: PathParams;
      readonly query: Readonly<Record<string, string>>;
      /** The parsed JSON body, unchecked; undefined if there was none. */
      readonly body?: unknown;
      /** 32 random hex digits drawn by the shell: the source of any id that this command assigns. */
      readonly entropy: string;
    }
  | { readonly type: 'due'; readonly deadline: Deadline; readonly entropy: string }
  /** `target`: one order, the next one to be created, or all from now on (`null` takes that back). */
  | { readonly type: 'fault'; readonly target: string; readonly fault: Fault | null };

/** Reply to the caller. `data` is wire JSON, its amounts decimal strings. */
export type Reply =
  | {
      readonly ok: true;
      /** HTTP success status under the assignment. */
      readonly status: number;
      /** Absent: an answer without content. */
      readonly data?: unknown;
      readonly pagination?: Pagination;
    }
  | Refusal;

/** An event for every stream of one party. */
export interface OutgoingEvent {
  readonly to: string;
  readonly event: EventName;
  /** The order it concerns, for streams limited to one. */
  readonly intentId: string;
  readonly data: unknown;
}
