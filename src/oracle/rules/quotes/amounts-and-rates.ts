import { groupBy } from '../../../history/group-by.ts';
import {
  compare,
  type ExactDecimal,
  parseDecimal,
  significantScale,
} from '../../../protocol/decimal.ts';
import {
  isWithinUnit,
  type Orientation,
  orientations,
  roundingOf,
  roundingParts,
  type Side,
} from '../../../protocol/rate-orientation.ts';
import { isAnswered } from '../../../results/findings.ts';
import type { DepartureName } from '../../../spec/excuses.ts';
import { remembered } from '../../../spec/memoize.ts';
import { defineRule, type Findings, type Violation } from '../../findings.ts';
import { isReplacedInPlace, priceShown, winnerOf } from '../../trace/selections.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { isIn, type OrderTrace } from '../../trace/traces.ts';
import { currencyOf, type ShownTrade, type Trade, trades, tradesIn } from './trades.ts';

/** Number of decimals, by currency, to which a target computes amounts, as far as the history shows. */
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
 * Maximum number of places that a currency may be said to have: yen have none, even if an order in yen asks for some,
 * and dinars have two at least. An unknown code has two, as most do.
 */
const knownPlaces = remembered((currency): number => {
  if (!/^[A-Z]{3}$/.test(currency)) return usualPlaces;
  const { maximumFractionDigits = usualPlaces } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return Math.min(usualPlaces, maximumFractionDigits);
});

/** Minimum number of decimals of a currency, if the target has shown an order in it with as many; at most two count. */
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

/** Known precision of the amounts that a target computes. */
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

type RateRequirement = ShownTrade['requirement'];

/** Trades of one kind of amount in the same currencies: what some of them show of a target holds for the others. */
const groupOf = ({ requirement, trade: { currencies, computed } }: ShownTrade): string =>
  [requirement, currencies.source, currencies.target, ...computed].join(' ');

const distinct = (some: readonly ShownTrade[]): number =>
  new Set(some.map(({ trade }) => trade)).size;

/** If fields do not go together, each of them may be wrong. */
const amountsIn = ({ value }: ShownTrade) => ({
  fields: ['fx_rate', 'target_amount'],
  actual: {
    source:
      value['source_amount'] ?? value['mm_quoted_source_amount'] ?? value['source_amount_actual'],
    target: value['mm_delivered_target_amount'] ?? value['target_amount'],
    fx_rate: value['fx_rate'],
  },
});

/** Judges trades that fit one answer to an open question while other trades fit another answer. */
function judgeStrays(
  findings: Findings<RateRequirement>,
  strays: readonly ShownTrade[],
  others: readonly ShownTrade[],
  departure: DepartureName,
  violation: Pick<Violation, 'message' | 'must'>,
): void {
  const answered = isAnswered(distinct(others), distinct(strays));
  // No way of rounding is better than another.
  if (!answered && departure === 'otherwise-rounded') return;
  for (const stray of strays) {
    const { requirement, source } = stray;
    const shown = others[0] ? [others[0].source, source] : [source];
    const found = { ...violation, ...amountsIn(stray), evidence: shown, departure };
    if (answered) findings.fail(requirement, found);
    else findings.warn(requirement, found);
  }
}

/** Parts of a unit that tell one way of rounding from another, even if intermediate results were rounded. */
const clearly = roundingParts / 16;
const half = roundingParts / 2;

/** By how much the amount that was worked out was rounded, in `roundingParts` of its last place. */
type Rounded = ShownTrade & { readonly up: number };

/** Fewer amounts than these may be rounded otherwise for another reason than their currencies. */
const fewest = 3;

/** For each way of rounding, the amounts that contradict it. */
const waysOfRounding = {
  down: ({ up }: Rounded) => up > clearly,
  up: ({ up }: Rounded) => up < -clearly,
  'to the nearest': ({ up }: Rounded) => Math.abs(up) > half + clearly,
};

const rates = defineRule({
  id: 'money.rates',
  title: 'Amounts and rate agree, in one orientation throughout, rounded in one way throughout',
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
    const isTelling = (orientation: Orientation) => (each: ShownTrade) =>
      fittingOnce(each.trade).join() === orientation;
    const [one, another] = orientations;
    const isOne = seen.filter(isTelling(one)).length >= seen.filter(isTelling(another)).length;
    const [usual, other] = isOne ? [one, another] : [another, one];
    const inCents = ({ currencies }: Trade): Fineness => ({
      ...fineness,
      minor: new Map(Object.values(currencies).map((currency) => [currency, usualPlaces])),
    });
    judgeAcross([...groupBy(seen, groupOf).values()].map(judgeGroup));

    function judgeGroup(group: readonly ShownTrade[]): readonly Rounded[] {
      const inParts = group.filter(({ trade }) =>
        trade.computed.every((side) => significantScale(trade.amounts[side]) >= usualPlaces),
      );
      const fits = isAnswered(distinct(inParts), 0)
        ? ({ trade }: ShownTrade) => fitting(trade, inCents(trade))
        : ({ trade }: ShownTrade) => fittingOnce(trade);
      const whole: ShownTrade[] = [];
      for (const each of group) {
        const { requirement, trade, source } = each;
        const holds = fits(each).length > 0;
        if (!holds && fitting(trade, coarse).length > 0) whole.push(each);
        else
          findings.assert(requirement, holds, source, () => ({
            message: 'the amounts and the rate agreed in neither orientation',
            must: {
              words:
                'target = source * rate, or source = target * rate, up to the last place shown',
            },
            ...amountsIn(each),
          }));
      }
      judgeStrays(findings, whole, inParts, 'whole-units', {
        message:
          'the amounts and the rate agreed in whole units alone, of a currency that has cents',
        must: { words: 'an amount in cents, most likely' },
      });
      const straight = group.filter(isTelling(usual));
      judgeStrays(findings, group.filter(isTelling(other)), straight, 'rate-turned-over', {
        message: 'a rate was the other way round than the rest of them',
      });
      const rounded = roundedOf(straight);
      judgeRounding(rounded);
      return rounded;
    }

    function roundedOf(group: readonly ShownTrade[]): readonly Rounded[] {
      return group.flatMap((each): Rounded[] => {
        const [side, another] = each.trade.computed;
        // A target amount that was worked out may be taken for the order's own, which it comes close to.
        if (side !== 'source' || another !== undefined) return [];
        const { scale } = unitOf(each.trade, side, fineness);
        const up = roundingOf(each.trade, side, usual, scale);
        return up === undefined ? [] : [{ ...each, up }];
      });
    }

    /** Rounding is open (gap `money.format`), until a target has shown its way. */
    function judgeRounding(rounded: readonly Rounded[]): void {
      for (const [way, contradicts] of Object.entries(waysOfRounding)) {
        const strays = rounded.filter(contradicts);
        const alike = rounded.filter((each) => !contradicts(each));
        judgeStrays(findings, strays, alike, 'otherwise-rounded', {
          message: 'an amount was rounded otherwise than others of the same currency',
          must: { words: `rounded ${way}, as the others` },
        });
      }
    }

    /** Currencies may be rounded in different ways, but hardly on purpose: no more than a warning. */
    function judgeAcross(groups: readonly (readonly Rounded[])[]): void {
      const ways = Object.entries(waysOfRounding).map(([way, contradicts]) => ({
        way,
        alike: groups.filter((group) => !group.some(contradicts)).flat(),
        strays: groups.flatMap((group) => group.filter(contradicts)),
      }));
      const [usually] = ways.toSorted(
        (one, other) => distinct(one.strays) - distinct(other.strays),
      );
      const { way = '', alike = [], strays = [] } = usually ?? {};
      const known = distinct(alike);
      if (distinct(strays) < fewest || known <= distinct(strays) || !isAnswered(known, 0)) return;
      for (const stray of strays) {
        findings.warn(stray.requirement, {
          message: 'an amount was rounded otherwise than those of other currencies',
          must: { words: `rounded ${way}, as the others` },
          ...amountsIn(stray),
          evidence: [alike[0]?.source ?? '', stray.source],
          departure: 'otherwise-rounded',
        });
      }
    }
  },
});

const withinMaximum = defineRule({
  id: 'money.maximum',
  title: 'Nobody pays more than the maximum',
  requirements: ['order.source-amount-actual.at-most-max'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const snapshot of trace.snapshots)
        judge(trace, snapshot, snapshot.value['source_amount_actual'], snapshot.source);
      const settled = trace.snapshots.find(isIn('SETTLED'));
      const price = settled && listedPrice(trace);
      if (price) judge(trace, settled, price.value['source_amount'], price.source);
    }

    function judge(
      { sent }: OrderTrace,
      { value, source }: Snapshot,
      shown: unknown,
      shownBy: string,
    ): void {
      const most = value['source_amount_max'] ?? sent?.['source_amount_max'];
      const [actual, max] = [parseDecimal(shown), parseDecimal(most)];
      if (!actual || !max) return;
      const holds = compare(actual, max) <= 0;
      findings.assert('order.source-amount-actual.at-most-max', holds, source, () => ({
        message:
          source === shownBy
            ? 'source_amount_actual was above source_amount_max'
            : 'an order settled whose quote was above its source_amount_max',
        fields: ['source_amount_max'],
        must: { at_most: String(most) },
        actual: shown,
        evidence: [...new Set([shownBy, source])],
      }));
    }

    /** Listed price of the accepted quote: an order may show less than it pays. */
    function listedPrice(trace: OrderTrace): Snapshot | undefined {
      const winner = winnerOf(trace);
      return winner && !isReplacedInPlace(winner, trace) ? priceShown(winner) : undefined;
    }
  },
});

export const amountRules = [rates, withinMaximum];
