import type { EndpointName } from '../../../spec/endpoints.ts';
import type { EventName } from '../../../spec/events.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import type { OrderRequest, Pagination, QuoteRequest } from '../../../spec/resources.ts';
import type { FailureReason, OrderState, QuoteState, Role } from '../../../spec/vocabulary.ts';
import type { Command, PartyRecord, Reply } from '../contract.ts';
import type { CoreError } from '../errors.ts';
import type { AmountBounds, Decimal } from '../money.ts';
import type { Order, Quote, Settlement } from '../records.ts';
import type { Volume } from '../store/volumes.ts';

/** Relation of a party to an order (1.4). */
export type Relation = 'sender' | 'sender-custodian' | 'receiver-custodian';

export type OrderAction =
  | 'order.read'
  | 'order.cancel'
  | 'order.quotes'
  | 'proposal.accept'
  | 'quote.accept';

/** Access by role and by relation to an order, and the answers to refused callers (1.4, 4, 5). */
export interface AccessPolicy {
  readonly roles: Readonly<Record<EndpointName, readonly Role[]>>;
  readonly relationOf: (order: Order, caller: PartyRecord) => Relation | undefined;
  readonly may: Readonly<Record<OrderAction, readonly Relation[]>>;
  /** Relations whose parties find the order in their list of orders. */
  readonly lists: readonly Relation[];
  /** Refusal of a caller that has no relation to the order. */
  readonly unrelatedCaller: 'not_found' | 'not_party_to_order';
  /** True if the market maker may read the settlement. */
  readonly readsSettlement: (settlement: Settlement, caller: PartyRecord) => boolean;
  readonly unknownStreamFilter: 'silent' | 'refuse';
}

/** Checks of request bodies (2.2, 2.3). */
export interface BodyPolicy {
  readonly requiredOfOrder: readonly (keyof OrderRequest)[];
  readonly requiredOfQuote: readonly (keyof QuoteRequest)[];
  readonly unknownFields: 'ignore' | 'refuse';
  readonly amounts: AmountBounds;
  /** Maximum length in characters, by text field. */
  readonly textLengths: Readonly<Record<string, number>>;
  readonly sameCurrency: 'refuse' | 'allow';
}

/** Creation, lifetime and end of an order (2.2, 3.1). */
export interface OrderPolicy {
  readonly createdAs: OrderState;
  readonly lifetimeMs: number;
  /** Time from creation to a failed validation, or to a withdrawal that was requested beforehand. */
  readonly validationDelayMs: number;
  readonly contractUse: 'any' | 'once';
  readonly expiredAs: OrderState;
  /** Failure reason of an order that expires without an accepted quote. */
  readonly expiryReason: (
    order: Order,
    quotes: readonly Quote[],
    money: MoneyPolicy,
  ) => FailureReason | undefined;
  readonly invalid: { readonly state: OrderState; readonly reason: FailureReason | undefined };
  readonly withdrawn: {
    readonly from: readonly OrderState[];
    readonly state: OrderState;
    readonly reason: FailureReason | undefined;
  };
  readonly slippage: { readonly state: OrderState; readonly reason: FailureReason | undefined };
}

export interface CancelPolicy {
  readonly from: readonly OrderState[];
  readonly state: OrderState;
  readonly reason: FailureReason | undefined;
  /** `repeat`: a second cancel by the sender gets the same answer as the first. */
  readonly again: 'refuse' | 'repeat';
  readonly answer: (order: Order, views: ViewPolicy) => Reply;
}

export interface ProposalPolicy {
  readonly from: readonly OrderState[];
  readonly again: 'refuse' | 'repeat';
  readonly answer: (order: Order, views: ViewPolicy) => Reply;
}

/** Admissible quotes, and the states of quotes (2.3, 3.2). */
export interface QuotePolicy {
  readonly submittedAs: QuoteState;
  /** Both amounts of a quote, from the amount submitted with it. `cost`: cost of the whole order at its rate. */
  readonly amounts: (
    request: { readonly rate: string; readonly submittedAmount: string },
    order: Order,
    cost: string,
    minorUnits: (currency: string) => number,
    money: MoneyPolicy,
  ) => { readonly source: string; readonly target: string };
  /** True if the quote offers the whole amount of its order. */
  readonly isWhole: (
    quote: { readonly source: string; readonly target: string },
    order: Order,
  ) => boolean;
  readonly aboveMaximumAtSubmission: 'allow' | 'refuse';
  readonly second: 'allow' | 'refuse' | 'replace';
  readonly alreadyExpired: 'refuse' | 'expired';
  readonly validBeyondOrder: 'allow' | 'refuse';
  readonly longestValidityMs: number;
  /** New state of another pending quote when one is selected. */
  readonly unselected: (quote: Quote, selected: Quote) => QuoteState;
  readonly selectedAs: QuoteState;
  readonly expiredAs: QuoteState;
  readonly replacedAs: QuoteState;
  /** State of pending quotes after their order ends without settlement. */
  readonly pendingAtOrderEnd: QuoteState;
  /** State of the accepted quote after its order ends before the settlement starts. */
  readonly acceptedAtOrderEnd: QuoteState;
}

/** Accepting a quote (3.1, 4.2, 4.3). */
export interface AcceptPolicy {
  readonly from: readonly OrderState[];
  readonly quoteFrom: readonly QuoteState[];
  readonly state: OrderState;
  /** True if quotes on the order can be accepted already. */
  readonly isOpen: (order: Order) => boolean;
  readonly again: 'refuse' | 'repeat';
  readonly aboveMaximum: 'refuse' | 'fail-order';
  readonly answer: (order: Order, by: PartyRecord, views: ViewPolicy) => Reply;
}

/** Requests for quote that makers see (2.4, 4.4). */
export interface RfqPolicy {
  readonly isActive: (order: Order) => boolean;
  /** True if the request was ever announced to makers. */
  readonly isAnnounced: (order: Order) => boolean;
  readonly closedReadable: boolean;
}

/** The automatic settlement (1.3, 3.1). Delays count from the acceptance. */
export interface SettlementPolicy {
  readonly startDelayMs: number;
  readonly durationMs: number;
  readonly windowMs: number;
  readonly startedAs: OrderState;
  readonly completedAs: OrderState;
  readonly beyondValidity: 'settles' | 'fails';
  readonly timeout: { readonly state: OrderState; readonly reason: FailureReason | undefined };
  readonly revert: { readonly state: OrderState; readonly reason: FailureReason | undefined };
}

export interface MoneyPolicy {
  /** Source amount that a target amount costs at a rate, before rounding. */
  readonly cost: (targetAmount: Decimal, rate: Decimal) => Decimal;
  /** Target amount that a source amount buys at a rate, before rounding. */
  readonly proceeds: (sourceAmount: Decimal, rate: Decimal) => Decimal;
  readonly write: (amount: Decimal, minorUnits: number) => string;
  /** True if the sender would pay the cost: it is within the order's maximum. */
  readonly affordable: (cost: string, order: Order) => boolean;
}

export interface TimePolicy {
  /** True if the deadline has passed. */
  readonly passed: (now: number, deadline: number) => boolean;
  /** The first moment at which a deadline has passed. */
  readonly end: (deadline: number) => number;
}

/** Requested part of a list. `page`: page number in the answer. */
export interface Page {
  readonly skip: number;
  readonly size: number;
  readonly page: number;
}

/** Lists (2.1, 4.5). */
export interface ListPolicy {
  readonly read: (query: Readonly<Record<string, string>>) => Page | CoreError;
  readonly pagination: (page: Page, totalItems: number) => Pagination;
  readonly pastEnd: 'empty' | 'refuse';
  readonly direction: 'newest-first' | 'oldest-first';
  readonly unknownStatus: 'refuse' | 'empty' | 'ignore';
  /** True if lists of orders and of requests have a `currency` filter. */
  readonly currencyFilter: boolean;
}

/** Cause of the end of a request for quote. */
export type RfqEnd = 'expiry' | 'cancel' | 'withdrawal' | 'validation' | 'slippage' | 'acceptance';

/** Part 6: events, their recipients and their payloads. */
export interface EventPolicy {
  readonly onCreation: boolean;
  readonly recipients: Readonly<Record<'order_updated' | 'quote_received', readonly Relation[]>>;
  readonly announcedTo: (makers: readonly string[], order: Order) => readonly string[];
  readonly closedOn: ReadonlySet<RfqEnd>;
  readonly closedTo: (
    makers: readonly string[],
    hasQuoted: (makerPartyId: string) => boolean,
  ) => readonly string[];
  readonly rejectedPer: 'quote' | 'maker';
  /** Makes wire JSON from the resource of the event. */
  readonly payload: (event: EventName, resource: object, now: number) => unknown;
}

/** Counts for the dashboard of one party (2.8). */
export interface StatsFigures {
  readonly role: Role;
  /** Number of orders or quotes of the party: in total, and by state. */
  readonly total: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly settlements: number;
  readonly volume: Volume;
}

/** Records turned into wire JSON (part 2). */
export interface ViewPolicy {
  readonly order: (order: Order) => object;
  readonly acceptance: (order: Order) => object;
  readonly quote: (quote: Quote) => object;
  readonly ownQuote: (quote: Quote) => object;
  readonly rfqItem: (order: Order) => object;
  /** `active`: true if it can be quoted now; `own`: the caller's quotes on it. */
  readonly rfqDetail: (order: Order, active: boolean, own: () => readonly Quote[]) => object;
  readonly settlement: (settlement: Settlement) => object;
  readonly identity: (party: PartyRecord, operatorPartyId: string) => object;
  readonly stats: (figures: StatsFigures) => object;
}

interface HttpPolicy {
  readonly orderCreated: number;
  readonly quoteCreated: number;
}

/**
 * Every answer to a gap and every rule of the document that can be said as data or as a small function, so that
 * a reference under other answers, or with one requirement broken, is a Policy with one member replaced.
 * `stored` changes nothing here: it is for breaking what no other member can break.
 */
export interface Policy {
  readonly assignment: Assignment;
  readonly access: AccessPolicy;
  readonly body: BodyPolicy;
  readonly orders: OrderPolicy;
  readonly cancel: CancelPolicy;
  readonly proposal: ProposalPolicy;
  readonly quotes: QuotePolicy;
  readonly accept: AcceptPolicy;
  readonly rfqs: RfqPolicy;
  readonly settlement: SettlementPolicy;
  readonly money: MoneyPolicy;
  readonly time: TimePolicy;
  readonly lists: ListPolicy;
  readonly events: EventPolicy;
  readonly views: ViewPolicy;
  readonly http: HttpPolicy;
  readonly stored: {
    readonly order: (after: Order, before: Order | undefined, cause: Cause) => Order;
    readonly quote: (after: Quote, before: Quote | undefined, cause: Cause) => Quote;
  };
}

interface Cause {
  readonly command: Command;
  readonly now: number;
}
