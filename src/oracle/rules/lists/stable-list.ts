import { groupBy } from '../../../history/group-by.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { remembered } from '../../../spec/memoize.ts';
import { type ListOrder, listOrderOf } from '../../../spec/paging.ts';
import { isObject } from '../../../protocol/json.ts';
import { type Page, pagesOf, statusAsked } from './pages.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { type Call, countBelow, mayHaveTakenEffect } from '../../trace/calls.ts';
import { timestampIn, type Snapshot } from '../../trace/snapshots.ts';
import {
  type OrderTrace,
  type QuoteTrace,
  quoteStateOf,
  showsTerminal,
} from '../../trace/traces.ts';
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

/** The stretch in which a deadline may change something. @param over what shows that it can change no more */
function aroundDeadline(
  { context: { offset } }: HistoryView,
  instant: number | undefined,
  over: Snapshot | undefined,
): readonly Interval[] {
  if (instant === undefined) return [];
  const from = instant - offset.most - tolerance.stamp;
  if (over && over.to <= from) return [];
  return [
    { from, to: instant - offset.least + tolerance.deadlineLateMs + tolerance.replicationLagMs },
  ];
}

const orderDeadlines = (view: HistoryView, orders: Iterable<OrderTrace>): readonly Interval[] =>
  [...orders].flatMap(({ snapshots }) =>
    aroundDeadline(view, timestampIn(snapshots, 'expires_at'), snapshots.find(showsTerminal)),
  );

const quoteDeadlines = (view: HistoryView, quotes: Iterable<QuoteTrace>): readonly Interval[] =>
  [...quotes].flatMap(({ snapshots, sent }) => {
    const over = snapshots.find((seen) => (quoteStateOf(seen) ?? 'PENDING') !== 'PENDING');
    const shown = timestampIn(snapshots, 'valid_until');
    return aroundDeadline(view, shown ?? parseTimestamp(sent?.['valid_until']), over);
  });

/** Stretches in which accepted orders may come to their ends. */
const settlementWindows = (view: HistoryView, orders: Iterable<OrderTrace>): readonly Interval[] =>
  [...orders].flatMap(({ id, snapshots, acceptances }) => {
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

const byClose = (a: Call, b: Call): number => a.close - b.close;

/** Requests that may have done something: those of any endpoint, those that name an order, and those of no endpoint. */
function effectiveWrites(view: HistoryView) {
  const all = view.calls.filter(
    (call) => call.exchange.request.method === 'POST' && mayHaveTakenEffect(call),
  );
  const ofNoEndpoint = all.filter(({ endpoint }) => endpoint === undefined);
  const byOrder = groupBy(all, (call) => call.endpoint && orderOfCall(call));
  return { all, byOrder, ofNoEndpoint };
}

/**
 * Whether nobody can have done any of some things. What was refused has not been done; a request that no endpoint
 * stands for may have done any of them.
 * @param lagMs for how long after it a list may still show what was before
 * @param order to which alone it was done; to any unless told
 */
function withoutWrites(
  view: HistoryView,
  kinds: readonly EndpointName[],
  lagMs?: number,
  order?: string,
): Undisturbed {
  const { all, byOrder, ofNoEndpoint } = view.once(effectiveWrites);
  const named =
    order === undefined ? all : [...ofNoEndpoint, ...(byOrder.get(order) ?? [])].toSorted(byClose);
  // By where they end; one that ends within, or spans the stretch, disturbs it.
  const writes = named.filter(({ endpoint }) => !endpoint || kinds.includes(endpoint));
  const closes = writes.map(({ close }) => close);
  const received = writes.map(({ exchange }) => exchange.received);
  const opensFrom = minimumFromTheEnd(writes.map(({ open }) => open));
  return (first, last) => {
    const next =
      lagMs === undefined
        ? countBelow(closes, first.open)
        : countBelow(received, first.exchange.sent - lagMs);
    return (opensFrom[next] ?? Number.POSITIVE_INFINITY) >= last.close;
  };
}

/** Lists of one order; any other request may name an order that its answer has nothing to do with. */
const quoteLists: readonly (EndpointName | undefined)[] = ['order.quotes', 'rfq.quotes'];

const orderOfCall = ({ exchange: { params } }: Call): string | undefined =>
  params.intent_id?.toLowerCase();

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
function listsInTimeOrder(view: HistoryView): ReadonlyMap<string | undefined, ListOrder> {
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

const allWrites = [
  'order.create',
  'order.cancel',
  'quote.accept',
  'quote.submit',
  'proposal.accept',
] as const satisfies readonly EndpointName[];

export interface ListStability {
  /** In which order of time some pages stand, where all pages of their list that the history shows stand so. */
  readonly orderOf: (pages: readonly Page[]) => ListOrder | undefined;
  /** Nothing that anybody did, or that time brought, can have moved an item between the first page and the last. */
  readonly isStill: (...walks: readonly (readonly Page[])[]) => boolean;
  /** Nor was anything done so shortly before that a view which follows may show it only now. */
  readonly hasCaughtUp: Undisturbed;
  /** It may have become longer or shorter, but not both: as long before as after, it was as long in between. */
  readonly changesOneWay: Undisturbed;
}

export function listStability(view: HistoryView): ListStability {
  const settlements = settlementWindows(view, view.orders.values());
  const { orders, quotes } = view.every;
  const isBetweenDeadlines = outsideWindows([
    ...orderDeadlines(view, orders.values()),
    ...quoteDeadlines(view, quotes.values()),
    ...settlements,
  ]);
  const isWithoutWrites = withoutWrites(view, allWrites);
  /** Other orders move no item on the list of the quotes of one order. */
  const isUndisturbedOrder = remembered((id): Undisturbed => {
    const order = orders.get(id);
    const own = order ? [order] : [];
    const isBetween = outsideWindows([
      ...orderDeadlines(view, own),
      ...quoteDeadlines(view, order?.quotes ?? []),
      ...settlementWindows(view, own),
    ]);
    const isWithout = withoutWrites(view, allWrites, undefined, id);
    return (first, last) => isWithout(first, last) && isBetween(first, last);
  });
  const hasCaughtUp = withoutWrites(view, allWrites, tolerance.replicationLagMs);
  const withoutQuotes = withoutWrites(view, ['quote.submit']);
  const withoutAcceptances = withoutWrites(view, ['quote.accept']);
  const isBetweenSettlements = outsideWindows(settlements);
  /** What a list does not grow without. In order of time it is the same, whatever becomes of the items on it. */
  const withoutGrowth: Readonly<Record<string, Undisturbed>> = {
    'order.list': withoutWrites(view, ['order.create']),
    'order.quotes': withoutQuotes,
    'rfq.quotes': withoutQuotes,
    'quote.list': withoutQuotes,
    'settlement.list': (first, last) =>
      withoutAcceptances(first, last) && isBetweenSettlements(first, last),
  };
  const byTime = listsInTimeOrder(view);
  const isBetweenQuoteDeadlines = remembered((maker) =>
    outsideWindows(
      quoteDeadlines(
        view,
        [...quotes.values()].filter((quote) => quote.maker === maker),
      ),
    ),
  );
  const isUndisturbed: Undisturbed = (first, last) => {
    const order = quoteLists.includes(first.endpoint) ? orderOfCall(first) : undefined;
    if (order !== undefined && orders.has(order)) return isUndisturbedOrder(order)(first, last);
    return isWithoutWrites(first, last) && isBetweenDeadlines(first, last);
  };
  /** An item may leave a filtered list whenever its state changes. */
  const doesNotGrow: Undisturbed = (first, last) =>
    statusAsked(first) === undefined &&
    (withoutGrowth[first.endpoint ?? '']?.(first, last) ?? false);
  const orderOf = (pages: readonly Page[]): ListOrder | undefined => {
    const order = listOrderOf(pages.flatMap(({ items }) => items.filter(isObject)));
    return order === byTime.get(pages[0]?.call.endpoint) ? order : undefined;
  };
  return {
    orderOf,
    hasCaughtUp,
    isStill(...walks) {
      const [first, last] = [walks[0]?.[0]?.call, walks.at(-1)?.at(-1)?.call];
      if (!first || !last || isUndisturbed(first, last)) return true;
      // Nobody made a request meanwhile: where each page counts as many, none has gone by its deadline either.
      const counts = new Set(walks.flat().map(({ total }) => total));
      const isOfRequests = first.endpoint === 'rfq.list' && counts.size === 1;
      if (isOfRequests && isWithoutWrites(first, last)) return true;
      return doesNotGrow(first, last) && walks.every((pages) => orderOf(pages) !== undefined);
    },
    changesOneWay(first, last) {
      const status = statusAsked(first);
      if (status === undefined && first.endpoint !== 'rfq.list') return true;
      // A request that is not active for who has quoted it may come back when that quote ends (gap `rfq.active`).
      const mayReturn = status === undefined && !isBetweenQuoteDeadlines(first.party)(first, last);
      // Time alone brings orders into EXECUTING and out of it.
      return status !== 'EXECUTING' && !mayReturn && hasCaughtUp(first, last);
    },
  };
}
