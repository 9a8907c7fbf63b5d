import { groupBy } from '../../history/group-by.ts';
import type { HistoryView } from '../../oracle/trace/history-view.ts';
import type { OrderTrace } from '../../oracle/trace/traces.ts';
import type { PartOfLife } from '../factors.ts';
import { endOf } from './ending.ts';

/** Places in the history between which an order settled, or lived where nobody accepted it. */
interface Span {
  readonly id: string;
  readonly party: string;
  readonly from: number;
  readonly to: number;
}

function settlementOf(trace: OrderTrace): Span | undefined {
  const accepted = trace.acceptances.find(({ ok }) => ok);
  const end = endOf(trace);
  if (!trace.creation || !accepted || !end) return undefined;
  return { id: trace.id, party: trace.creation.party, from: accepted.close, to: end.at };
}

/** What went on while an order settled: a late quote on it, else the settlement of another order. */
export function besideIn(view: HistoryView): (trace: OrderTrace) => PartOfLife['beside'] {
  const spans = [...view.orders.values()].flatMap((trace) => settlementOf(trace) ?? []);
  const byParty = new Map(
    [...groupBy(spans, ({ party }) => party)].map(([party, own]) => [party, meetings(own)]),
  );
  return (trace) => {
    const end = endOf(trace);
    const { creation } = trace;
    if (!creation || !end) return undefined;
    const span = settlementOf(trace) ?? {
      id: trace.id,
      party: creation.party,
      from: creation.close,
      to: end.at,
    };
    const isLate = trace.submissions.some(
      (call) => call.open > span.from && call.open < span.to && settlementOf(trace),
    );
    if (isLate) return 'late-quote';
    if (byParty.get(span.party)?.(span)) return 'own-order';
    const others = [...byParty].filter(([party]) => party !== span.party);
    return others.some(([, meets]) => meets(span)) ? 'others-order' : 'nothing';
  };
}

/** Whether one of some spans, other than the one that asks, has a moment in common with it. In logarithmic time. */
function meetings(spans: readonly Span[]): (span: Span) => boolean {
  const inOrder = spans.toSorted((one, other) => one.from - other.from);
  // Of those so far the two that last longest: the longest may be the one that asks.
  const longest: (readonly [Span, Span | undefined])[] = [];
  for (const span of inOrder) {
    const [first, second] = longest.at(-1) ?? [];
    if (!first || span.to > first.to) longest.push([span, first]);
    else if (!second || span.to > second.to) longest.push([first, span]);
    else longest.push([first, second]);
  }
  return ({ id, from, to }) => {
    let low = 0;
    let high = inOrder.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((inOrder[middle]?.from ?? Number.POSITIVE_INFINITY) < to) low = middle + 1;
      else high = middle;
    }
    const [first, second] = longest[low - 1] ?? [];
    const other = first?.id === id ? second : first;
    return other !== undefined && other.to > from;
  };
}
