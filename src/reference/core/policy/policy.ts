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

/** What a party is to an order (1.4). */
export type Relation = 'sender' | 'sender-custodian' | 'receiver-custodian';

export type OrderAction =
  | 'order.read'
  | 'order.cancel'
  | 'order.quotes'
  | 'proposal.accept'
  | 'quote.accept';

/** Who may do what, and what those learn who may not (1.4, 4, 5). */
export interface AccessPolicy {
  readonly roles: Readonly<Record<EndpointName, readonly Role[]>>;
  readonly relationOf: (order: Order, caller: PartyRecord) => Relation | undefined;
  readonly may: Readonly<Record<OrderAction, readonly Relation[]>>;
  /** In whose list of orders an order is. */
  readonly lists: readonly Relation[];
  /** How somebody without a relation to an order is refused. */
  readonly unrelatedCaller: 'not_found' | 'not_party_to_order';
  /** Whether a market maker may read a settlement. */
  readonly readsSettlement: (settlement: Settlement, caller: PartyRecord) => boolean;
  readonly unknownStreamFilter: 'silent' | 'refuse';
}

/** What a body may look like (2.2, 2.3). */
export interface BodyPolicy {
  readonly requiredOfOrder: readonly (keyof OrderRequest)[];
  readonly requiredOfQuote: readonly (keyof QuoteRequest)[];
  readonly unknownFields: 'ignore' | 'refuse';
  readonly amounts: AmountBounds;
  /** Most characters of a text field. */
  readonly textLengths: Readonly<Record<string, number>>;
  readonly sameCurrency: 'refuse' | 'allow';
}

/** When an order is created, proposed, and ends (2.2, 3.1). */
export interface OrderPolicy {
  readonly createdAs: OrderState;
  readonly lifetimeMs: number;
  /** From creation to a failed validation or a withdrawal that was asked for beforehand. */
  readonly validationDelayMs: number;
  readonly contractUse: 'any' | 'once';
  readonly expiredAs: OrderState;
  /** The reason an order carries that expires with no quote accepted. */
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
  /** Whether a second cancel by the sender is answered like the first. */
  readonly again: 'refuse' | 'repeat';
  readonly answer: (order: Order, views: ViewPolicy) => Reply;
}

export interface ProposalPolicy {
  readonly from: readonly OrderState[];
  readonly again: 'refuse' | 'repeat';
  readonly answer: (order: Order, views: ViewPolicy) => Reply;
}

/** What may be quoted, and what becomes of quotes (2.3, 3.2). */
export interface QuotePolicy {
  readonly submittedAs: QuoteState;
  /** Both amounts of a quote, from the amount submitted with it. `cost`: what the whole order costs at its rate. */
  readonly amounts: (
    request: { readonly rate: string; readonly submittedAmount: string },
    order: Order,
    cost: string,
    minorUnits: (currency: string) => number,
    money: MoneyPolicy,
  ) => { readonly source: string; readonly target: string };
  /** Whether a quote offers the whole amount of its order. */
  readonly isWhole: (
    quote: { readonly source: string; readonly target: string },
    order: Order,
  ) => boolean;
  readonly aboveMaximumAtSubmission: 'allow' | 'refuse';
  readonly second: 'allow' | 'refuse' | 'replace';
  readonly alreadyExpired: 'refuse' | 'expired';
  readonly validBeyondOrder: 'allow' | 'refuse';
  readonly longestValidityMs: number;
  /** What becomes of another pending quote when one is selected. */
  readonly unselected: (quote: Quote, selected: Quote) => QuoteState;
  readonly selectedAs: QuoteState;
  readonly expiredAs: QuoteState;
  readonly replacedAs: QuoteState;
  /** What becomes of pending quotes when their order ends without settling. */
  readonly pendingAtOrderEnd: QuoteState;
  /** What becomes of the accepted quote when its order ends before its settlement starts. */
  readonly acceptedAtOrderEnd: QuoteState;
}

/** Accepting a quote (3.1, 4.2, 4.3). */
export interface AcceptPolicy {
  readonly from: readonly OrderState[];
  readonly quoteFrom: readonly QuoteState[];
  readonly state: OrderState;
  /** Whether quotes on an order can be accepted yet. */
  readonly isOpen: (order: Order) => boolean;
  readonly again: 'refuse' | 'repeat';
  readonly aboveMaximum: 'refuse' | 'fail-order';
  readonly answer: (order: Order, by: PartyRecord, views: ViewPolicy) => Reply;
}

/** Which requests for quote are there for makers (2.4, 4.4). */
export interface RfqPolicy {
  readonly isActive: (order: Order) => boolean;
  /** Whether the request was ever made known to makers. */
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
  /** What a target amount costs at a rate, in the source currency, before rounding. */
  readonly cost: (targetAmount: Decimal, rate: Decimal) => Decimal;
  /** What a source amount buys at a rate, in the target currency, before rounding. */
  readonly proceeds: (sourceAmount: Decimal, rate: Decimal) => Decimal;
  readonly write: (amount: Decimal, minorUnits: number) => string;
  /** Whether the sender would pay so much for the order. */
  readonly affordable: (cost: string, order: Order) => boolean;
}

export interface TimePolicy {
  /** Whether a deadline has passed. */
  readonly passed: (now: number, deadline: number) => boolean;
  /** The first moment at which a deadline has passed. */
  readonly end: (deadline: number) => number;
}

/** Part of a list that was asked for: `page` is its number as the answer gives it. */
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
  /** Whether orders and requests can be filtered by `currency`. */
  readonly currencyFilter: boolean;
}

/** How a request for quote came to its end. */
export type RfqEnd = 'expiry' | 'cancel' | 'withdrawal' | 'validation' | 'slippage' | 'acceptance';

/** Part 6: which events there are, for whom, and with what. */
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
  /** Wire JSON out of the resource that the event is about. */
  readonly payload: (event: EventName, resource: object, now: number) => unknown;
}

/** Counts for the dashboard of one party (2.8). */
export interface StatsFigures {
  readonly role: Role;
  /** Orders or quotes of the party: how many in all, and by state. */
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
  /** `active`: whether it can be quoted now; `own`: the caller's quotes on it. */
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
