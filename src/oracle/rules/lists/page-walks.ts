import { groupBy } from '../../../history/group-by.ts';
import { isObject, textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { remembered } from '../../../spec/memoize.ts';
import { cameAt, type ListOrder, listOrderOf } from '../../../spec/paging.ts';
import { terminalOrderStates, terminalQuoteStates } from '../../../spec/states.ts';
import { type Call, countBelow, mayHaveTakenEffect } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { type Snapshot, timestampIn } from '../../trace/snapshots.ts';
import type { Interval } from '../../trace/target-clock.ts';
import {
  type OrderTrace,
  quoteStateOf,
  type QuoteTrace,
  showsTerminal,
} from '../../trace/traces.ts';
import { firstPage, itemIdOf, listKeys, type Page, pagesOf, statusAsked } from './pages.ts';

/** True if nothing of some kind can have happened from the first call to the last. */
type Undisturbed = (first: Call, last: Call) => boolean;

/** Longest time in milliseconds that an accepted order is under way unseen. A control may stall its settlement. */
const settlementWindowMs = { undisturbed: tolerance.settlement, disturbed: 120_000 } as const;

/**
 * The interval in which a deadline may change something.
 * @param over snapshot which shows that the deadline can change no more
 */
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
 * Tells if no request of some kinds can have taken effect. A refused request had no effect; a request of no known
 * endpoint may have had any.
 * @param lagMs time after a request for which a list may still show the state before it
 * @param order the only order whose requests count; all count if it is missing
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
  // Sorted by their end: a write that ends within the interval, or spans it, disturbs it.
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
 * Lists whose pages in a history all stand in the same order of time: a change of an item cannot move it there. A list
 * ordered by the last change also stands so, but only while nothing has changed.
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
  /** Order of time of the pages, if all pages of their list in the history stand in it. */
  readonly orderOf: (pages: readonly Page[]) => ListOrder | undefined;
  /** Nothing that anybody did, or that time brought, can have moved an item between the first page and the last. */
  readonly isStill: (...walks: readonly (readonly Page[])[]) => boolean;
  /** Nor was any request made so shortly before that a lagging view may show its effect only now. */
  readonly hasCaughtUp: Undisturbed;
  /** The list may have become longer or shorter, but not both: equal lengths before and after hold in between. */
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
  /** True if nothing made the list grow. In order of time it then stays the same, however its items change. */
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
      // Nobody made a request meanwhile. If each page counts as many, no item has left by its deadline either.
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

/** Pages of one list, fetched one after the other by one driver. */
export interface Walk {
  readonly pages: readonly Page[];
  readonly first: Call;
  readonly last: Call;
  /** It began with the first page. */
  readonly fromStart: boolean;
  /** From the first page to the last. */
  readonly whole: boolean;
  /** Whole; or, for a list in order of time, back to items that are older than all that the history created. */
  readonly holdsOwn: boolean;
  /** Nothing that anybody did, or that time brought, can have moved an item meanwhile. */
  readonly stable: boolean;
  /** A list of ended things, which no item leaves. Since each page counts as many, none came either. */
  readonly ended: boolean;
  readonly ids: readonly string[];
  /** True if every item has an id, so that `ids` stands for all of them. */
  readonly named: boolean;
}

const isNextPage = (page: Page, last: Page): boolean =>
  page.page === last.page + 1 &&
  page.size === last.size &&
  page.total === last.total &&
  last.call.close < page.call.open;

const terminal: ReadonlySet<string> = new Set([...terminalOrderStates, ...terminalQuoteStates]);

/** Items stay in such a list. The next page of a walk shows that each page counts as many. */
const isOfEnded = (call: Call): boolean => terminal.has(statusAsked(call) ?? '');

/** On the target's clock, a moment before the history created its first order. */
function firstCreation(view: HistoryView): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { creation } of view.orders.values()) {
    const shown = parseTimestamp(textOf(creation?.data, 'created_at'));
    const at = shown ?? (creation && creation.exchange.sent + view.context.offset.least);
    if (at !== undefined) first = Math.min(first, at);
  }
  return first - tolerance.stamp;
}

/** True if pages of a list in order of time reach from its new end to items that are older than the moment. */
function reachesBack(
  pages: readonly Page[],
  start: number | undefined,
  moment: number,
  orderOf: ListStability['orderOf'],
): boolean {
  const items = pages.flatMap((page) => page.items.filter(isObject));
  const order = orderOf(pages);
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last || start === undefined) return false;
  const isAtNewEnd =
    order === 'newest-first' ? first.page === start : last.page === start + last.pages - 1;
  const oldest = order === 'newest-first' ? items.at(-1) : items[0];
  return (
    order !== undefined && isAtNewEnd && oldest !== undefined && (cameAt(oldest) ?? moment) < moment
  );
}

export function walksOf(view: HistoryView): Walk[] {
  const start = firstPage(view);
  const created = firstCreation(view);
  const { oneSize } = listKeys(view);
  const { isStill, orderOf } = view.once(listStability);
  const open = new Map<string, Page[]>();
  const walks: Page[][] = [];
  for (const page of view.once(pagesOf)) {
    const key = `${page.call.exchange.by} ${oneSize(page.call)}`;
    const walk = open.get(key);
    const last = walk?.at(-1);
    if (walk && last && isNextPage(page, last)) walk.push(page);
    else {
      const fresh = [page];
      open.set(key, fresh);
      walks.push(fresh);
    }
  }
  return walks.flatMap((pages) => {
    const [first, last] = [pages[0], pages.at(-1)];
    if (!first || !last) return [];
    const items = pages.flatMap((page) => page.items.map((item) => itemIdOf(page.call, item)));
    const ids = items.filter((id) => id !== undefined);
    const fromStart = first.page === start;
    const whole = fromStart && pages.length >= first.pages;
    return {
      pages,
      first: first.call,
      last: last.call,
      fromStart,
      whole,
      holdsOwn: whole || reachesBack(pages, start, created, orderOf),
      stable: pages.length === 1 || isStill(pages),
      ended: isOfEnded(first.call),
      ids,
      named: ids.length === items.length,
    };
  });
}
