/**
 * Summary of one record of the history, for lanes, boards and lists. The page fetches the whole record when a person
 * opens it. Every text in it may come from the target: it is shown as text and never as markup.
 */
export interface Row {
  /** Its place in the history, from 0. */
  readonly place: number;
  readonly kind: 'exchange' | 'frame' | 'end';
  readonly id: string;
  readonly party: string;
  readonly driver: Driver;
  /** Milliseconds since the epoch on the timeline: time of the answer, of reading a frame, or of detecting an end. */
  readonly at: number;
  /** Name of the request or of the event. */
  readonly what: string;
  /** HTTP status; 0 if no answer came. Exchanges only. */
  readonly status?: number;
  /** Reason for a missing answer or for the end of a stream. */
  readonly trouble?: string;
  /** Order of the record, if it has one. */
  readonly intentId?: string;
  readonly orders?: readonly OrderFacts[];
  readonly quotes?: readonly QuoteFacts[];
}

/** Origin of a record: the person at the page, an external client, the opened run, or the party by itself. */
export type Driver = 'you' | 'outside' | 'opened' | 'itself';

/** Fields of an order in a message, by their names in part 2.2; fields that it does not show are absent. */
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

/** Fields of a quote in a message, by their names in part 2.3. */
export type QuoteFacts = { readonly intent_id: string; readonly quote_id: string } & {
  readonly [Name in QuoteField]?: string;
} & {
  /** Name of the quoting party in the cast, if the maker itself shows the quote. */
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
