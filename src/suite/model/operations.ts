import type { Exchange } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { OrderState, QuoteState } from '../../spec/vocabulary.ts';

/** An exchange with its place among those of one driver: sent as its `begin`th step, answered as its `end`th. */
export interface OrderedExchange {
  readonly begin: number;
  readonly end: number;
  readonly exchange: Exchange;
}

/** Relation of a party to one order. Only the first two may change it; the third may read it. */
export type Relation = 'owner' | 'custodian' | 'receiver' | 'unrelated';

/** `lost`: its effect is unknown (no answer, or one of 5xx). `void`: it had no effect (429). */
export type ReplyKind = 'yes' | 'no' | 'lost' | 'void';

export type OperationKind =
  | 'create'
  | 'submit'
  | 'accept'
  | 'cancel'
  | 'propose'
  | 'read'
  | 'quotes';

/** One command on one order and its reply, as the model sees it. */
export interface Operation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly party: string;
  readonly relation: Relation;
  readonly reply: ReplyKind;
  readonly begin: number;
  readonly end: number;
  /** Interval of the target's clock in which it took effect or read the order. */
  readonly from: number;
  readonly to: number;
  /** The quote that it submits or accepts. */
  readonly quote?: string;
  /** The state and the accepted quote that the answer shows of the order. */
  readonly status?: OrderState;
  readonly names?: string;
  /** True if the answer gives the sender's cancel as the reason of the order's end. */
  readonly blamesCancel?: boolean;
  /** The states that the answer shows of quotes. */
  readonly shown?: readonly (readonly [quote: string, state: QuoteState])[];
  readonly exchange: Exchange;
}

/** Facts about a quote from its submission. */
export interface QuoteFacts {
  readonly maker: string;
  readonly validUntil: number;
  /** `surely`: the order's maximum covers it under every reading of rates and amounts; `no`: under none. */
  readonly payable: 'surely' | 'maybe' | 'no';
}

/** Everything that was done to one order. */
export interface OrderHistory {
  readonly intentId: string;
  readonly expiresAt: number;
  readonly quotes: ReadonlyMap<string, QuoteFacts>;
  /** States that any answer showed, except ends whose reason is the sender's cancel. */
  readonly seen: ReadonlySet<OrderState>;
  /** In the order in which they were answered. */
  readonly operations: readonly Operation[];
}

const changing: readonly OperationKind[] = ['create', 'submit', 'accept', 'cancel'];

/** True if it may have changed the order. */
export const mayChange = ({ kind, reply }: Operation): boolean =>
  changing.includes(kind) && (reply === 'yes' || reply === 'lost');

/** Relations that may do an operation. An absent operation, such as listing quotes, is not restricted. */
const permitted: Readonly<Partial<Record<OperationKind, readonly Relation[]>>> = {
  accept: ['owner', 'custodian'],
  cancel: ['owner'],
  propose: ['custodian'],
  read: ['owner', 'custodian', 'receiver'],
};
export const isPermitted = ({ kind, relation }: Operation): boolean =>
  permitted[kind]?.includes(relation) ?? true;

const looks: readonly OperationKind[] = ['read', 'quotes'];

/** True if its view may be some moments old: backends need not be in step (gap `views.lag`). */
const mayBeStale = (operation: Operation): boolean => !mayChange(operation);

/** Lag of views: `lagging` as in the rules; `fresh` without lag, to decide if a retry is needed. */
export type Views = 'lagging' | 'fresh';

/** The step by which it is over. A command without an answer may take effect at any time. */
const over = ({ reply, end }: Operation): number =>
  reply === 'lost' ? Number.POSITIVE_INFINITY : end;

/** True if one certainly came before the other. */
export function precedes(one: Operation, other: Operation, views: Views): boolean {
  if (over(one) >= other.begin) return false;
  if (views === 'fresh' || !mayBeStale(other)) return true;
  // A party's own reads of one kind follow each other. Its own write may show a while later.
  const inOrder = !looks.includes(other.kind) || one.kind === other.kind;
  if (one.party === other.party && inOrder) return true;
  return one.to < other.from - tolerance.replicationLagMs;
}

/** True if two overlap, so that either may have come first. */
export const overlap = (one: Operation, other: Operation): boolean =>
  one !== other && over(one) >= other.begin && over(other) >= one.begin;
