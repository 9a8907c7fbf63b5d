import { type Static, Type } from 'typebox';
import { count, fieldsOf, optionalField, oneOf, text } from './fields.ts';
import type { FormName } from './forms.ts';
import { orderStates, quoteStates, roles } from './vocabulary.ts';

/** Part 2.1: `meta` of every successful result. */
const Meta = Type.Object({ request_id: text('text'), timestamp: text('timestamp') });

/** Part 2.1: on list results only. */
const Pagination = Type.Object({
  page: count(),
  page_size: count(),
  total_items: count(),
  total_pages: count(),
});
export type Pagination = Static<typeof Pagination>;

/** Part 2.2. */
export const Order = Type.Object({
  intent_id: text('uuid'),
  status: oneOf(orderStates),
  sender_party_id: text('party'),
  sender_custodian_party_id: text('party', 'sent'),
  receiver_party_id: text('party', 'sent'),
  receiver_custodian_party_id: text('party', 'sent'),
  source_contract_id: text('contract', 'sent'),
  intent_signature: text('hex', 'sent'),
  source_currency: text('currency', 'sent'),
  target_currency: text('currency', 'sent'),
  target_amount: text('decimal', 'sent'),
  source_amount_max: text('decimal', 'sent'),
  memo: optionalField(text('text', 'sent')),
  created_at: text('timestamp'),
  expires_at: text('timestamp'),
  quote_id: optionalField(text('uuid', 'acceptance')),
  market_maker_party_id: optionalField(text('party', 'acceptance')),
  fx_rate: optionalField(text('decimal', 'acceptance')),
  source_amount_actual: optionalField(text('decimal', 'acceptance')),
  quote_accepted_at: optionalField(text('timestamp', 'acceptance')),
  transaction_hash: optionalField(text('hex', 'settlement')),
  settled_at: optionalField(text('timestamp', 'settlement')),
});

/** Part 4.2: body that an institution sends. The fields that a backend requires are gap `order.required_fields`. */
export const OrderRequest = Type.Object({
  sender_custodian_party_id: text('party'),
  intent_signature: text('hex'),
  receiver_party_id: text('party'),
  receiver_custodian_party_id: text('party'),
  source_contract_id: text('contract'),
  source_currency: text('currency'),
  target_amount: text('decimal'),
  target_currency: text('currency'),
  source_amount_max: text('decimal'),
  memo: optionalField(text('text')),
});
export type OrderRequest = Static<typeof OrderRequest>;

/** Part 2.3, as the sender's side lists it. */
const Quote = Type.Object({
  quote_id: text('uuid'),
  intent_id: text('uuid'),
  market_maker_party_id: text('party'),
  fx_rate: text('decimal'),
  source_amount: text('decimal'),
  target_amount: text('decimal'),
  submitted_at: text('timestamp'),
  valid_until: text('timestamp'),
  status: oneOf(quoteStates),
});

/** Part 2.3: the echo of a submission, and the items of a maker's own lists. */
const OwnQuote = Type.Omit(Quote, ['market_maker_party_id', 'source_amount']);

/** Part 2.3: body that a market maker sends. */
export const QuoteRequest = Type.Object({
  fx_rate: text('decimal'),
  target_amount: text('decimal'),
  valid_until: text('timestamp'),
});
export type QuoteRequest = Static<typeof QuoteRequest>;

/** Part 2.4: the anonymized request for quote. */
const Rfq = Type.Object({
  intent_id: text('uuid'),
  created_at: text('timestamp'),
  expires_at: text('timestamp'),
  source_currency: text('currency'),
  target_amount: text('decimal'),
  target_currency: text('currency'),
});

/** Part 2.5. */
const Settlement = Type.Object({
  intent_id: text('uuid'),
  source_currency: text('currency'),
  target_currency: text('currency'),
  target_amount: text('decimal'),
  source_amount_actual: text('decimal'),
  fx_rate: text('decimal'),
  quote_id: text('uuid'),
  mm_quoted_source_amount: text('decimal'),
  mm_delivered_target_amount: text('decimal'),
  transaction_hash: text('hex'),
  settled_at: text('timestamp'),
});

/** Part 4.3: result for a sender custodian that accepts a quote. */
const CustodianAcceptance = Type.Object({
  intent_id: text('uuid'),
  status: oneOf(orderStates),
  quote_id: text('uuid'),
  fx_rate: text('decimal'),
  source_amount_actual: text('decimal'),
  quote_accepted_at: text('timestamp'),
});

/** Part 2.6. */
const TokenResult = Type.Object({
  token: text('text'),
  expires_in: count(),
  canton_party_id: text('party'),
  role: oneOf(roles),
});

/** Part 2.7. `participant_id` is empty if the backend runs without a ledger. */
const Identity = Type.Object({
  party_id: text('party'),
  operator_party_id: text('party'),
  role: oneOf(roles),
  participant_id: text('text'),
  schema_version: text('text'),
});

/** Part 5.3. `aud` may be a list, and `exp` have a fraction (RFC 7519): that is judged by hand. */
export const TokenClaims = Type.Object({
  sub: text('party'),
  canton_party_id: text('party'),
  role: oneOf(roles),
  iss: text('text'),
  aud: text('text'),
  exp: count(),
});

/** Every resource by the name that requirement ids start with. */
export const resources = {
  meta: Meta,
  pagination: Pagination,
  order: Order,
  quote: Quote,
  'own-quote': OwnQuote,
  rfq: Rfq,
  settlement: Settlement,
  'custodian-acceptance': CustodianAcceptance,
  token: TokenResult,
  identity: Identity,
} as const;
export type ResourceName = keyof typeof resources;

/**
 * Every name that the document gives to a field of a form, in any resource but `meta`: an unknown message may give its
 * timestamp any name.
 */
export function namesOfForm(form: FormName): readonly string[] {
  const { meta: _, ...others } = resources;
  const fields = Object.values(others).flatMap((schema) => fieldsOf(schema));
  return [...new Set(fields.filter((field) => field.form === form).map(({ name }) => name))];
}
