import type { Exchange } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { OrderState, QuoteState } from '../../spec/vocabulary.ts';

/** An exchange with its place among those of one driver: sent as its `begin`th step, answered as its `end`th. */
export interface OrderedExchange {
  readonly begin: number;
  readonly end: number;
  readonly exchange: Exchange;
}

/** What a party is to one order. Only the first two may change it; the third may look. */
export type Relation = 'owner' | 'custodian' | 'receiver' | 'unrelated';

/** `lost`: nothing tells whether it took effect (no answer, or one of 5xx). `void`: it had none (429). */
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
  /** It took effect, or was looked up, within these moments of the target's clock. */
  readonly from: number;
  readonly to: number;
  /** The quote that it submits or accepts. */
  readonly quote?: string;
  /** The state and the accepted quote that the answer shows of the order. */
  readonly status?: OrderState;
  readonly names?: string;
  /** Whether the answer gives the sender's cancel as the reason of the order's end. */
  readonly blamesCancel?: boolean;
  /** The states that the answer shows of quotes. */
  readonly shown?: readonly (readonly [quote: string, state: QuoteState])[];
  readonly exchange: Exchange;
}

/** What is known of a quote from its submission. */
export interface QuoteFacts {
  readonly maker: string;
  readonly validUntil: number;
  /** Whether the order's maximum covers it, under every reading of rates and amounts. */
  readonly payable: 'surely' | 'maybe' | 'no';
}

/** Everything that was done to one order. */
export interface OrderHistory {
  readonly intentId: string;
  readonly expiresAt: number;
  readonly quotes: ReadonlyMap<string, QuoteFacts>;
  /** The states in which anybody ever saw it, but for ends that the sender's cancel is given as the reason of. */
  readonly seen: ReadonlySet<OrderState>;
  /** In the order in which they were answered. */
  readonly operations: readonly Operation[];
}

const changing: readonly OperationKind[] = ['create', 'submit', 'accept', 'cancel'];

/** Whether it may have changed the order. */
export const mayChange = ({ kind, reply }: Operation): boolean =>
  changing.includes(kind) && (reply === 'yes' || reply === 'lost');

/** Who may do what, by relation; each lists quotes as far as they are its own business. */
const permitted: Readonly<Partial<Record<OperationKind, readonly Relation[]>>> = {
  accept: ['owner', 'custodian'],
  cancel: ['owner'],
  propose: ['custodian'],
  read: ['owner', 'custodian', 'receiver'],
};
export const isPermitted = ({ kind, relation }: Operation): boolean =>
  permitted[kind]?.includes(relation) ?? true;

const looks: readonly OperationKind[] = ['read', 'quotes'];

/** Whether what it saw may be some moments old: backends need not be in step (gap `views.lag`). */
const mayBeStale = (operation: Operation): boolean => !mayChange(operation);

/** How far views may lag: `lagging` as the rules have it; `fresh` for who wants to know whether to look again. */
export type Views = 'lagging' | 'fresh';

/** By which step it is over: what was never answered may take effect at any time. */
const over = ({ reply, end }: Operation): number =>
  reply === 'lost' ? Number.POSITIVE_INFINITY : end;

/** Whether one certainly came before another. */
export function precedes(one: Operation, other: Operation, views: Views): boolean {
  if (over(one) >= other.begin) return false;
  if (views === 'fresh' || !mayBeStale(other)) return true;
  // A party's own looks of one kind follow each other; what it did itself it may find a while later.
  const inOrder = !looks.includes(other.kind) || one.kind === other.kind;
  if (one.party === other.party && inOrder) return true;
  return one.to < other.from - tolerance.replicationLagMs;
}

/** Whether two overlap, so that either may have come first. */
export const overlap = (one: Operation, other: Operation): boolean =>
  one !== other && over(one) >= other.begin && over(other) >= one.begin;
