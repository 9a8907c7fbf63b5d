import { groupBy } from '../../history/group-by.ts';
import type { HistoryView } from '../../oracle/trace/history-view.ts';
import type { OrderTrace } from '../../oracle/trace/traces.ts';
import type { PartOfLife } from '../factors.ts';
import type { End } from './ending.ts';

/** Positions in the history between which an order settled, or lived if nobody accepted it. */
interface Span {
  readonly id: string;
  readonly party: string;
  readonly from: number;
  readonly to: number;
}

function settlementOf({ id, creation, acceptances }: OrderTrace, end: End | undefined) {
  const accepted = acceptances.find(({ ok }) => ok);
  if (!creation || !accepted || !end) return undefined;
  return { id, party: creation.party, from: accepted.close, to: end.at };
}

/** Concurrent event while an order settled: a late quote on it, else the settlement of another order. */
export function duringSettlementIn(
  view: HistoryView,
  ends: ReadonlyMap<string, End>,
): (trace: OrderTrace) => PartOfLife['beside'] {
  const spans = new Map(
    [...view.orders.values()].flatMap((trace) => {
      const span = settlementOf(trace, ends.get(trace.id));
      return span ? [[trace.id, span] as const] : [];
    }),
  );
  const byParty = [...groupBy([...spans.values()], ({ party }) => party)].map(
    ([party, own]) => [party, meetings(own)] as const,
  );
  return ({ id, creation, submissions }) => {
    const end = ends.get(id);
    if (!creation || !end) return undefined;
    const settlement = spans.get(id);
    const { party } = creation;
    const span = settlement ?? { id, party, from: creation.close, to: end.at };
    const isLate = submissions.some((call) => call.open > span.from && call.open < span.to);
    if (settlement && isLate) return 'late-quote';
    const meeting = byParty.filter(([, meets]) => meets(span)).map(([one]) => one);
    if (meeting.includes(party)) return 'own-order';
    return meeting.length > 0 ? 'others-order' : 'nothing';
  };
}

/** True if another one of the spans has a moment in common with the given one. In logarithmic time. */
function meetings(spans: readonly Span[]): (span: Span) => boolean {
  const inOrder = spans.toSorted((one, other) => one.from - other.from);
  // The two spans so far that end last. Two, because the last one may be the given span itself.
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
