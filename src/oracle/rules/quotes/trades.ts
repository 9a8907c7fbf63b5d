import { equalNumbers, parseDecimal } from '../../../protocol/decimal.ts';
import type { Side, Trade as ConvertedAmounts } from '../../../protocol/rate-orientation.ts';
import { isSet, type JsonObject, textOf } from '../../../protocol/json.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { winnerOf } from '../../trace/selections.ts';
import type { OrderTrace, QuoteTrace } from '../../trace/traces.ts';

const isRateOne = (value: unknown): boolean => equalNumbers(value, '1') === true;

export interface Trade extends ConvertedAmounts {
  readonly currencies: Readonly<Record<Side, string>>;
  /** Amounts that the backend computed; both if that is unknown. */
  readonly computed: readonly Side[];
}

export type TradeOf = (
  shown: readonly [source: unknown, target: unknown, rate: unknown],
  currencies: Trade['currencies'],
  computed: Trade['computed'],
) => Trade | undefined;

const tradeOf: TradeOf = ([source, target, rate], currencies, computed) => {
  const [s, t, r] = [parseDecimal(source), parseDecimal(target), parseDecimal(rate)];
  if (!s || !t || !r || r.digits <= 0n || s.digits <= 0n || t.digits <= 0n) return undefined;
  return { amounts: { source: s, target: t }, currencies, rate: r, computed };
};

/** Makes trades, and returns one object for equal texts: a trade is seen many times. */
export function trades(): TradeOf {
  const known = new Map<string, Trade | undefined>();
  return (shown, currencies, computed) => {
    const key = JSON.stringify([shown, currencies.source, currencies.target, computed]);
    if (!known.has(key)) known.set(key, tradeOf(shown, currencies, computed));
    return known.get(key);
  };
}

/** The amount that a backend computes follows from the one that the maker gave it (gap `quote.target_amount`). */
function computedFrom(sent: JsonObject | undefined, value: JsonObject): Trade['computed'] {
  const given = sent?.['target_amount'];
  if (given === undefined) return ['source', 'target'];
  const isTarget = equalValues('target_amount', given, value['target_amount']);
  const isSource = equalValues('source_amount', given, value['source_amount']);
  if (isTarget === isSource) return ['source', 'target'];
  return isTarget ? ['source'] : ['target'];
}

/** A trade, with the record that shows it and the requirement that it is judged by. */
export interface ShownTrade {
  readonly trade: Trade;
  readonly requirement:
    | 'quote.source-amount.agrees-with-rate'
    | 'order.source-amount-actual.agrees-with-rate';
  readonly source: string;
  readonly value: JsonObject;
}

/**
 * True if the order's own amounts must agree with the rate: its quote was for the whole order, and the submitted amount
 * certainly meant the target currency.
 */
function isForOrder(
  quote: QuoteTrace | undefined,
  target: unknown,
  declared: string | undefined,
): boolean {
  const given = quote?.sent?.['target_amount'];
  if (given === undefined || !equalValues('target_amount', given, target)) return false;
  const isOne = isRateOne(quote?.sent?.['fx_rate']);
  const listed = quote?.snapshots.find(({ resource }) => resource === 'quote')?.value;
  if (!listed || !isSet(listed['source_amount'])) return isOne || declared === 'target';
  return (
    equalValues('target_amount', listed['target_amount'], given) &&
    (isOne || !equalValues('source_amount', listed['source_amount'], given))
  );
}

/** True if both amounts equal the submitted one at a rate other than one: it is open which currency that one meant. */
const isAmbiguous = (quote: QuoteTrace, value: JsonObject): boolean => {
  const given = quote.sent?.['target_amount'];
  return (
    equalValues('target_amount', given, value['target_amount']) &&
    equalValues('source_amount', given, value['source_amount']) &&
    !isRateOne(value['fx_rate'])
  );
};

export const currencyOf = (
  trace: OrderTrace,
  field: 'source_currency' | 'target_currency',
): string =>
  textOf(trace.sent, field) ??
  trace.snapshots.map(({ value }) => textOf(value, field)).find(isSet) ??
  '';

/** Trades that the order's quotes, the order and its settlement show. */
export function* tradesIn(
  trace: OrderTrace,
  declared: string | undefined,
  tradeOnce: TradeOf,
): Generator<ShownTrade> {
  const currencies = {
    source: currencyOf(trace, 'source_currency'),
    target: currencyOf(trace, 'target_currency'),
  };
  for (const quote of trace.quotes) {
    for (const { resource, value, source } of quote.snapshots) {
      if (resource !== 'quote' || isAmbiguous(quote, value)) continue;
      const computed = computedFrom(quote.sent, value);
      const trade = tradeOnce(
        [value['source_amount'], value['target_amount'], value['fx_rate']],
        currencies,
        computed,
      );
      if (trade)
        yield { trade, requirement: 'quote.source-amount.agrees-with-rate', source, value };
    }
  }
  const winner = winnerOf(trace);
  for (const { value, source, resource } of trace.snapshots) {
    if (resource !== 'order' || !isSet(value['source_amount_actual'])) continue;
    if (!isForOrder(winner, value['target_amount'], declared)) continue;
    const trade = tradeOnce(
      [value['source_amount_actual'], value['target_amount'], value['fx_rate']],
      currencies,
      ['source'],
    );
    const requirement = 'order.source-amount-actual.agrees-with-rate';
    if (trade) yield { trade, requirement, source, value };
  }
  if (winner) yield* settledTrades(trace, winner, currencies, tradeOnce);
}

/**
 * If a quote shows the submitted amount on both sides, its settlement tells the maker which amounts were delivered, no
 * matter which currency the submitted amount meant.
 */
function* settledTrades(
  { settlements }: OrderTrace,
  winner: QuoteTrace,
  currencies: Trade['currencies'],
  tradeOnce: TradeOf,
): Generator<ShownTrade> {
  const listed = winner.snapshots.filter(({ resource }) => resource === 'quote');
  if (!listed.some(({ value }) => isAmbiguous(winner, value))) return;
  for (const { value, source } of settlements) {
    const trade = tradeOnce(
      [value['mm_quoted_source_amount'], value['mm_delivered_target_amount'], value['fx_rate']],
      currencies,
      ['source', 'target'],
    );
    if (trade) yield { trade, requirement: 'quote.source-amount.agrees-with-rate', source, value };
  }
}
