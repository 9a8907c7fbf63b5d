/**
 * What the page is told of one record of the history: enough for lanes, boards and lists. The whole record is fetched
 * where somebody looks at it. Every text in it may be the target's: it is shown as text and never as markup.
 */
export interface Row {
  /** Its place in the history, from 0. */
  readonly place: number;
  readonly kind: 'exchange' | 'frame' | 'end';
  readonly id: string;
  readonly party: string;
  readonly driver: Driver;
  /** Milliseconds since the epoch on the timeline: when it was answered, read or noticed. */
  readonly at: number;
  /** What was asked, or which event came. */
  readonly what: string;
  /** The HTTP status; 0 where no answer came. Exchanges only. */
  readonly status?: number;
  /** Why no answer came, or how a stream ended. */
  readonly trouble?: string;
  /** The order that it is about, if it is about one. */
  readonly intentId?: string;
  readonly orders?: readonly OrderFacts[];
  readonly quotes?: readonly QuoteFacts[];
}

/** Who brought it about: the person at the page, a client from elsewhere, what was opened, or the party by itself. */
export type Driver = 'you' | 'outside' | 'opened' | 'itself';

/** Fields of an order as a message shows them, by their names in part 2.2; those that it does not show are absent. */
export type OrderFacts = { readonly intent_id: string } & {
  readonly [Name in OrderField]?: string;
};

export const orderFields = [
  'status',
  'source_currency',
  'target_currency',
  'target_amount',
  'source_amount_max',
  'memo',
  'created_at',
  'expires_at',
  'quote_id',
  'market_maker_party_id',
  'fx_rate',
  'source_amount_actual',
  'quote_accepted_at',
  'transaction_hash',
  'settled_at',
  'failure_reason',
  'sender_party_id',
  'sender_custodian_party_id',
  'receiver_party_id',
  'receiver_custodian_party_id',
] as const;
type OrderField = (typeof orderFields)[number];

/** The same of a quote (2.3). */
export type QuoteFacts = { readonly intent_id: string; readonly quote_id: string } & {
  readonly [Name in QuoteField]?: string;
} & {
  /** The party that quoted, by its name in the cast, where a maker itself shows it. */
  readonly maker?: string;
};

export const quoteFields = [
  'status',
  'market_maker_party_id',
  'fx_rate',
  'target_amount',
  'source_amount',
  'submitted_at',
  'valid_until',
] as const;
type QuoteField = (typeof quoteFields)[number];
