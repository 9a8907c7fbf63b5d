import { groupBy } from '../../../history/group-by.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { type ListOrder, listOrderOf } from '../../../spec/paging.ts';
import { isObject } from '../../../protocol/json.ts';
import { type Page, pagesOf, statusAsked } from './page-arithmetic.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { type Call, countBelow, mayHaveTakenEffect } from '../../trace/calls.ts';
import { timestampIn, type Snapshot } from '../../trace/snapshots.ts';
import { quoteStateOf, showsTerminal } from '../../trace/traces.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** Tells of a stretch of calls, from the first to the last, whether nothing of some kind can have happened within. */
type Undisturbed = (first: Call, last: Call) => boolean;

/** In our milliseconds. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

/** How long an accepted order may be under way unseen: as long as settlements may stall, where a control meddles. */
const settlementWindowMs = { undisturbed: tolerance.settlement, disturbed: 120_000 } as const;

/** Stretches in which deadlines may change something. */
function deadlineWindows(view: HistoryView): readonly Interval[] {
  const { least, most } = view.context.offset;
  /** @param over a sighting of what the deadline can change no more */
  const around = (instant: number | undefined, over: Snapshot | undefined): readonly Interval[] => {
    if (instant === undefined) return [];
    const from = instant - most - tolerance.stamp;
    if (over && over.to <= from) return [];
    return [{ from, to: instant - least + tolerance.deadlineLateMs + tolerance.replicationLagMs }];
  };
  const orders = [...view.orders.values()].flatMap(({ snapshots }) => {
    const over = snapshots.find(showsTerminal);
    return around(timestampIn(snapshots, 'expires_at'), over);
  });
  const quotes = [...view.quotes.values()].flatMap(({ snapshots, sent }) => {
    const over = snapshots.find((seen) => (quoteStateOf(seen) ?? 'PENDING') !== 'PENDING');
    return around(
      timestampIn(snapshots, 'valid_until') ?? parseTimestamp(sent?.['valid_until']),
      over,
    );
  });
  return [...orders, ...quotes];
}

/** Stretches in which accepted orders may come to their ends. */
const settlementWindows = (view: HistoryView): readonly Interval[] =>
  [...view.orders.values()].flatMap(({ id, snapshots, acceptances }) => {
    const terminal = snapshots.find(showsTerminal);
    return acceptances.filter(mayHaveTakenEffect).map(({ exchange }) => {
      const unseen =
        exchange.received + settlementWindowMs[view.disturbed(id) ? 'disturbed' : 'undisturbed'];
      return { from: exchange.sent, to: (terminal?.to ?? unseen) + tolerance.replicationLagMs };
    });
  });

function outsideWindows(stretches: readonly Interval[]): Undisturbed {
  const merged: { from: number; to: number }[] = [];
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && stretch.from <= last.to) last.to = Math.max(last.to, stretch.to);
    else merged.push({ ...stretch });
  }
  const starts = merged.map(({ from }) => from);
  return (first, last) => {
    const index = countBelow(starts, last.exchange.received + 1) - 1;
    const stretch = merged[index];
    return !stretch || stretch.to < first.exchange.sent;
  };
}

/**
 * Whether nobody can have done any of some things. What was refused has not been done; a request that no endpoint
 * stands for may have done any of them.
 */
function withoutWrites(view: HistoryView, kinds: readonly EndpointName[]): Undisturbed {
  // By where they end; one that ends within, or spans the stretch, disturbs it.
  const writes = view.calls.filter(
    (call) =>
      call.exchange.request.method === 'POST' &&
      (call.endpoint === undefined || kinds.includes(call.endpoint)) &&
      mayHaveTakenEffect(call),
  );
  const closes = writes.map(({ close }) => close);
  const opensFrom = minimumFromTheEnd(writes.map(({ open }) => open));
  return (first, last) => {
    const next = countBelow(closes, first.open);
    return (opensFrom[next] ?? Number.POSITIVE_INFINITY) >= last.close;
  };
}

/** At each index the least of the values from there on. */
function minimumFromTheEnd(values: readonly number[]): readonly number[] {
  const least = [...values];
  for (let index = least.length - 2; index >= 0; index -= 1) {
    least[index] = Math.min(least[index] ?? 0, least[index + 1] ?? Number.POSITIVE_INFINITY);
  }
  return least;
}

/**
 * Lists of which every page in a history stands in the same order of time: what becomes of an item cannot move it
 * there. One that goes by the last change stands so as well, but only while nothing has changed.
 */
function listsInTimeOrder(view: HistoryView): ReadonlyMap<string, ListOrder> {
  const orders = groupBy(view.once(pagesOf), ({ call }) => call.endpoint);
  return new Map(
    [...orders].flatMap(([endpoint, pages]) => {
      const found = new Set(
        pages.flatMap(({ items }) => listOrderOf(items.filter(isObject), 2) ?? []),
      );
      const [order] = found;
      const isTimed =
        found.size === 1 && order !== undefined && order !== 'by something else than time';
      return isTimed ? [[endpoint, order] as const] : [];
    }),
  );
}

/**
 * Tells of the pages of one list, fetched one after the other, whether nothing that anybody did, or that time brought,
 * can have moved an item meanwhile.
 */
export function listStability(view: HistoryView): (pages: readonly Page[]) => boolean {
  const settlements = settlementWindows(view);
  const isBetweenDeadlines = outsideWindows([...deadlineWindows(view), ...settlements]);
  const isWithoutWrites = withoutWrites(view, [
    'order.create',
    'order.cancel',
    'quote.accept',
    'quote.submit',
    'proposal.accept',
  ]);
  const withoutQuotes = withoutWrites(view, ['quote.submit']);
  /** What a list does not grow without. In order of time it is the same, whatever becomes of the items on it. */
  const withoutGrowth: Readonly<Record<string, Undisturbed>> = {
    'order.list': withoutWrites(view, ['order.create']),
    'order.quotes': withoutQuotes,
    'rfq.quotes': withoutQuotes,
    'quote.list': withoutQuotes,
    'settlement.list': outsideWindows(settlements),
  };
  const byTime = listsInTimeOrder(view);
  return (pages) => {
    const [first, last] = [pages[0]?.call, pages.at(-1)?.call];
    if (!first || !last) return true;
    if (isWithoutWrites(first, last) && isBetweenDeadlines(first, last)) return true;
    const { endpoint = '' } = first;
    // An item may leave a filtered list whenever its state changes.
    if (statusAsked(first) !== undefined || !withoutGrowth[endpoint]?.(first, last)) return false;
    const order = listOrderOf(pages.flatMap(({ items }) => items.filter(isObject)));
    return order !== undefined && order === byTime.get(endpoint);
  };
}
