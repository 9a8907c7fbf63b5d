import {
  equalNumbers,
  type ExactDecimal,
  parseDecimal,
  significantScale,
} from '../../../protocol/decimal.ts';
import {
  isWithinUnit,
  type Orientation,
  orientations,
  type Side,
  type Trade as ConvertedAmounts,
} from '../../../protocol/rate-orientation.ts';
import { isSet, type JsonObject, textOf } from '../../../protocol/json.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import { winnerOf } from '../../trace/selected-quote.ts';
import type { OrderTrace, QuoteTrace } from '../../trace/traces.ts';

const isRateOne = (value: unknown): boolean => equalNumbers(value, '1') === true;

interface Trade extends ConvertedAmounts {
  readonly currencies: Readonly<Record<Side, string>>;
  /** Which of the amounts the backend worked out; both where that is unknown. */
  readonly computed: readonly Side[];
}

/** By currency, the decimals down to which a target works amounts out, as far as the history shows. */
type Precision = ReadonlyMap<string, number>;

function precisionOf(some: Iterable<Trade>): Precision {
  const precision = new Map<string, number>();
  for (const { amounts, currencies, computed } of some) {
    for (const side of computed) {
      const scale = significantScale(amounts[side]);
      const currency = currencies[side];
      precision.set(currency, Math.max(scale, precision.get(currency) ?? 0));
    }
  }
  return precision;
}

/** Decimals that a currency has at least, where the target has shown an order in it with as many; two will do. */
function minorUnits(traces: Iterable<OrderTrace>): Precision {
  const places = new Map<string, number>();
  const take = (currency: string, shown: unknown): void => {
    const amount = parseDecimal(shown);
    if (!amount || currency === '') return;
    const scale = Math.min(2, significantScale(amount));
    places.set(currency, Math.max(scale, places.get(currency) ?? 0));
  };
  for (const trace of traces) {
    for (const { value, whole } of trace.snapshots) {
      if (!whole) continue;
      take(currencyOf(trace, 'source_currency'), value['source_amount_max']);
      take(currencyOf(trace, 'target_currency'), value['target_amount']);
      break;
    }
  }
  return places;
}

/** What is known of how finely a target works amounts out. */
interface Fineness {
  readonly computed: Precision;
  readonly minor: Precision;
}

/**
 * One unit of the last place that was worked out. Neither zeros that only pad count as places, nor, where a
 * target has shown finer amounts of the currency, zeros that were cut; nor is a currency that has cents rounded
 * to whole units.
 */
function unitOf(trade: Trade, side: Side, { computed, minor }: Fineness): ExactDecimal {
  const { scale } = trade.amounts[side];
  const currency = trade.currencies[side];
  const shown = Math.min(scale, computed.get(currency) ?? scale);
  return { digits: 1n, scale: Math.max(shown, minor.get(currency) ?? 0) };
}

/** The orientations in which a trade's amounts agree, up to one unit of what was worked out. A rate of one fits both. */
function fitting(trade: Trade, fineness: Fineness): readonly Orientation[] {
  const units = Object.fromEntries(
    trade.computed.map((side) => [side, unitOf(trade, side, fineness)]),
  );
  return orientations.filter((orientation) => isWithinUnit(trade, orientation, units));
}

type TradeOf = (
  shown: readonly [source: unknown, target: unknown, rate: unknown],
  currencies: Trade['currencies'],
  computed: Trade['computed'],
) => Trade | undefined;

const tradeOf: TradeOf = ([source, target, rate], currencies, computed) => {
  const [s, t, r] = [parseDecimal(source), parseDecimal(target), parseDecimal(rate)];
  if (!s || !t || !r || r.digits <= 0n || s.digits <= 0n || t.digits <= 0n) return undefined;
  return { amounts: { source: s, target: t }, currencies, rate: r, computed };
};

/** The same trade for the same texts: one is seen many times. */
function trades(): TradeOf {
  const known = new Map<string, Trade | undefined>();
  return (shown, currencies, computed) => {
    const key = JSON.stringify([shown, currencies.source, currencies.target, computed]);
    if (!known.has(key)) known.set(key, tradeOf(shown, currencies, computed));
    return known.get(key);
  };
}

/** Which amount a backend works out follows from which one the maker gave it (gap `quote.target_amount`). */
function computedFrom(sent: JsonObject | undefined, value: JsonObject): Trade['computed'] {
  const given = sent?.['target_amount'];
  if (given === undefined) return ['source', 'target'];
  const isTarget = equalValues('target_amount', given, value['target_amount']);
  const isSource = equalValues('source_amount', given, value['source_amount']);
  if (isTarget === isSource) return ['source', 'target'];
  return isTarget ? ['source'] : ['target'];
}

interface Seen {
  readonly trade: Trade;
  readonly requirement:
    | 'quote.source-amount.agrees-with-rate'
    | 'order.source-amount-actual.agrees-with-rate';
  readonly source: string;
  readonly value: JsonObject;
}

/**
 * Whether the order's own amounts must agree with the rate: its quote was made for the whole of it, and the amount
 * that was submitted surely meant the target currency.
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

/** Both amounts are what was submitted, at a rate other than one: what the submitted amount meant is open. */
const isAmbiguous = (quote: QuoteTrace, value: JsonObject): boolean => {
  const given = quote.sent?.['target_amount'];
  return (
    equalValues('target_amount', given, value['target_amount']) &&
    equalValues('source_amount', given, value['source_amount']) &&
    !isRateOne(value['fx_rate'])
  );
};

const currencyOf = (trace: OrderTrace, field: 'source_currency' | 'target_currency'): string =>
  textOf(trace.sent, field) ??
  trace.snapshots.map(({ value }) => textOf(value, field)).find(isSet) ??
  '';

function* tradesIn(
  trace: OrderTrace,
  declared: string | undefined,
  tradeOnce: TradeOf,
): Generator<Seen> {
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
}

export const rates = defineRule({
  id: 'money.rates',
  title: 'Amounts and rate agree, in one orientation throughout',
  requirements: [
    'quote.source-amount.agrees-with-rate',
    'order.source-amount-actual.agrees-with-rate',
  ],
  judge(view, findings) {
    const meaning = view.context.answers('quote.target_amount');
    const tradeOnce = trades();
    const seen = [...view.orders.values()].flatMap((trace) => [
      ...tradesIn(trace, meaning, tradeOnce),
    ]);
    const fineness = {
      computed: precisionOf(new Set(seen.map(({ trade }) => trade))),
      minor: minorUnits(view.orders.values()),
    };
    /** No place of any currency is the least that counts: the document names none (gap `money.format`). */
    const coarse = { ...fineness, minor: new Map() };
    const known = new Map<Trade, readonly Orientation[]>();
    const fittingOnce = (trade: Trade): readonly Orientation[] => {
      const before = known.get(trade) ?? fitting(trade, fineness);
      known.set(trade, before);
      return before;
    };
    const telling = new Map<Orientation, Seen[]>(orientations.map((name) => [name, []]));
    for (const each of seen) {
      const { requirement, trade, source, value } = each;
      const fits = fittingOnce(trade);
      const actual = {
        source: value['source_amount'] ?? value['source_amount_actual'],
        target: value['target_amount'],
        fx_rate: value['fx_rate'],
      };
      if (fits.length === 0 && fitting(trade, coarse).length > 0) {
        findings.warn(requirement, {
          message:
            'the amounts and the rate agreed in whole units alone, of a currency that has cents',
          expected: 'an amount in cents, most likely',
          actual,
          evidence: [source],
        });
        continue;
      }
      findings.assert(requirement, fits.length > 0, source, () => ({
        message: 'the amounts and the rate agreed in neither orientation',
        expected: 'target = source * rate, or source = target * rate, up to the last place shown',
        actual,
        evidence: [source],
      }));
      const [only] = fits;
      if (only && fits.length === 1) telling.get(only)?.push(each);
    }
    const [one, other] = [...telling.values()].sort((a, b) => b.length - a.length);
    for (const stray of other ?? []) {
      findings.warn(stray.requirement, {
        message: 'a rate was the other way round than the rest of them',
        actual: stray.value['fx_rate'],
        evidence: [one?.[0]?.source ?? '', stray.source],
      });
    }
  },
});
