import { type ExactDecimal, parseDecimal, significantScale } from '../../../protocol/decimal.ts';
import { remembered } from '../../../spec/memoize.ts';
import {
  isWithinUnit,
  type Orientation,
  orientations,
  type Side,
} from '../../../protocol/rate-orientation.ts';
import { defineRule } from '../../findings.ts';
import type { OrderTrace } from '../../trace/traces.ts';
import { currencyOf, type ShownTrade, type Trade, trades, tradesIn } from './trades.ts';

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

const usualPlaces = 2;

/**
 * The most places that a currency may be said to have: yen have none, whatever an order in yen asks for, and dinars
 * have two at least. A code that nobody knows has two as most do.
 */
const knownPlaces = remembered((currency): number => {
  if (!/^[A-Z]{3}$/.test(currency)) return usualPlaces;
  const { maximumFractionDigits = usualPlaces } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return Math.min(usualPlaces, maximumFractionDigits);
});

/** Decimals that a currency has at least, where the target has shown an order in it with as many; two will do. */
function minorUnits(traces: Iterable<OrderTrace>): Precision {
  const places = new Map<string, number>();
  const take = (currency: string, shown: unknown): void => {
    const amount = parseDecimal(shown);
    if (!amount || currency === '') return;
    const scale = Math.min(knownPlaces(currency), significantScale(amount));
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
    const telling = new Map<Orientation, ShownTrade[]>(orientations.map((name) => [name, []]));
    for (const each of seen) {
      const { requirement, trade, source, value } = each;
      const fits = fittingOnce(trade);
      const actual = {
        source:
          value['source_amount'] ??
          value['mm_quoted_source_amount'] ??
          value['source_amount_actual'],
        target: value['mm_delivered_target_amount'] ?? value['target_amount'],
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
