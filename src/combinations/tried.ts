import { compare, equalNumbers, type ExactDecimal, parseDecimal } from '../protocol/decimal.ts';
import { textOf } from '../protocol/json.ts';
import { counterAmount, type Orientation, orientations } from '../protocol/rate-orientation.ts';
import type { HistoryView } from '../oracle/trace/history-view.ts';
import type { OrderTrace } from '../oracle/trace/traces.ts';
import type { TriedReport } from '../results/coverage-report.ts';

const minuteMs = 60_000;
/** After each of these ages, other state may have expired: caches, sessions, tokens, days. */
const ages = {
  after_3_minutes: 3 * minuteMs,
  after_1_hour: 60 * minuteMs,
  after_1_day: 24 * 60 * minuteMs,
} as const;

/** Minor units of most currencies. */
const places = 2;

/** The source amount of a quote in one orientation; undefined if the target amount or the rate is not positive. */
function costOf(amount: unknown, rate: unknown, orientation: Orientation) {
  const [target, at] = [parseDecimal(amount), parseDecimal(rate)];
  if (!target || !at || target.digits <= 0n || at.digits <= 0n) return undefined;
  return counterAmount('source', target, at, orientation, places);
}

/** One unit of the last place that a maximum shows. */
const unitOf = ({ scale }: ExactDecimal): ExactDecimal => ({ digits: 1n, scale });

const plus = (a: ExactDecimal, b: ExactDecimal): ExactDecimal => {
  const scale = Math.max(a.scale, b.scale);
  const at = ({ digits, scale: own }: ExactDecimal): bigint => digits * 10n ** BigInt(scale - own);
  return { digits: at(a) + at(b), scale };
};

/** Relation of an order's maximum to the cost of a quote: equal, or exactly one unit apart; undefined otherwise. */
function edgeOf({ sent }: OrderTrace, cost: ExactDecimal): keyof TriedReport['maxima'] | undefined {
  const most = parseDecimal(sent?.['source_amount_max']);
  if (!most) return undefined;
  if (compare(most, cost) === 0) return 'exact';
  if (compare(most, plus(cost, unitOf(most))) === 0) return 'one_above';
  return compare(plus(most, unitOf(most)), cost) === 0 ? 'one_below' : undefined;
}

/** Ages, amounts and edges that a history tried: they may matter to a service beside the kinds of requests. */
export function triedIn(view: HistoryView, orientation: string | undefined): TriedReport {
  const orders = [...view.orders.values()].filter(({ creation }) => creation);
  const starts = orders.flatMap(({ creation }) => creation?.exchange.sent ?? []);
  const began = Math.min(...starts);
  const rounded: Record<Orientation, number> = { 'target-per-source': 0, 'source-per-target': 0 };
  const maxima = { exact: 0, one_above: 0, one_below: 0 };
  const rates = new Set<unknown>();
  let quotes = 0;
  for (const order of orders) {
    const edges = new Set<keyof TriedReport['maxima']>();
    for (const { sent } of order.quotes) {
      if (!sent) continue;
      quotes += 1;
      rates.add(sent['fx_rate']);
      for (const each of orientations) {
        const cost = costOf(sent['target_amount'], sent['fx_rate'], each);
        if (!cost) continue;
        if (!cost.isExact) rounded[each] += 1;
        // At the rate 1 either orientation is right.
        const counts = orientation === each || equalNumbers(sent['fx_rate'], '1');
        const edge = cost.isExact && counts ? edgeOf(order, cost.cut) : undefined;
        if (edge) edges.add(edge);
      }
    }
    for (const edge of edges) maxima[edge] += 1;
  }
  const pairs = orders.map(({ sent }) =>
    [textOf(sent, 'source_currency'), textOf(sent, 'target_currency')].join(' '),
  );
  const later = (ms: number): number => starts.filter((sent) => sent >= began + ms).length;
  return {
    orders: orders.length,
    after_3_minutes: later(ages.after_3_minutes),
    after_1_hour: later(ages.after_1_hour),
    after_1_day: later(ages.after_1_day),
    currency_pairs: new Set(pairs).size,
    quotes,
    rates: rates.size,
    rounded_target_per_source: rounded['target-per-source'],
    rounded_source_per_target: rounded['source-per-target'],
    maxima,
  };
}
