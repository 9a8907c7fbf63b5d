import {
  acceptanceFields,
  type CastName,
  settlementFields,
} from '../../../src/spec/requirements/index.ts';

/** Data of the made-up target, and the view that each side has of it. */

export type Json = Record<string, unknown>;

export interface Order extends Json {
  intent_id: string;
  status: string;
  expires_at: string;
}

export interface Quote extends Json {
  quote_id: string;
  maker: CastName;
  sequence: number;
}

export const unsetFields = Object.fromEntries(
  [...acceptanceFields, ...settlementFields].map((name) => [name, null]),
);

const pick = (from: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

export const rfqOf = (order: Order): Json =>
  pick(
    order,
    'intent_id',
    'created_at',
    'expires_at',
    'source_currency',
    'target_amount',
    'target_currency',
  );

export const ownQuote = (quote: Quote): Json =>
  pick(
    quote,
    'quote_id',
    'intent_id',
    'fx_rate',
    'target_amount',
    'submitted_at',
    'valid_until',
    'status',
  );

export const sideQuote = (quote: Quote): Json => ({
  ...ownQuote(quote),
  ...pick(quote, 'market_maker_party_id', 'source_amount'),
});

export const acceptanceOf = (order: Order): Json =>
  pick(
    order,
    'intent_id',
    'status',
    'quote_id',
    'fx_rate',
    'source_amount_actual',
    'quote_accepted_at',
  );

export const settlementOf = (order: Order): Json => ({
  ...pick(
    order,
    'intent_id',
    'source_currency',
    'target_currency',
    'target_amount',
    'source_amount_actual',
    'fx_rate',
    'quote_id',
    'transaction_hash',
    'settled_at',
  ),
  mm_quoted_source_amount: order['source_amount_actual'],
  mm_delivered_target_amount: order['target_amount'],
});

/** Target over rate, rounded up to cents. Amounts have two decimals at most, rates four. */
export function sourceOf(target: string, rate: string): string {
  const digits = (text: string, scale: number): bigint => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale));
  };
  const dividend = digits(target, 2) * 10_000n;
  const divisor = digits(rate, 4);
  const cents = (dividend + divisor - 1n) / divisor;
  const text = cents.toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}
