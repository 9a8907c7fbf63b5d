import { grouped } from '../history/grouped.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import { parseTimestamp } from '../spec/forms.ts';
import { type ListOrder, listOrderOf } from '../spec/paging.ts';
import { isObject } from './json.ts';
import { type Page, pagesOf, statusAsked } from './pages.ts';
import { patience } from './patience.ts';
import { quoteStateOf } from './quotes.ts';
import { type Call, countBelow, mayHaveHappened } from './view/calls.ts';
import { momentIn, type Sighting } from './view/sightings.ts';
import { showsEnd } from './view/stories.ts';
import type { HistoryView } from './view.ts';

/** Tells of a stretch of calls, from the first to the last, whether nothing of some kind can have happened within. */
type Undisturbed = (first: Call, last: Call) => boolean;

/** In our milliseconds. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** How long an accepted order may be under way unseen: as long as settlements may stall, where a control meddles. */
const underWay = { undisturbed: patience.settlement, disturbed: 120_000 } as const;

/** Stretches in which deadlines may change something. */
function deadlinesOf(view: HistoryView): readonly Stretch[] {
  const { least, most } = view.context.offset;
  /** @param over a sighting of what the deadline can change no more */
  const around = (moment: number | undefined, over: Sighting | undefined): readonly Stretch[] => {
    if (moment === undefined) return [];
    const from = moment - most - patience.stamp;
    if (over && over.to <= from) return [];
    return [{ from, to: moment - least + patience.lateTimer + patience.betweenParties }];
  };
  const orders = [...view.orders.values()].flatMap(({ sightings }) => {
    const over = sightings.find(showsEnd);
    return around(momentIn(sightings, 'expires_at'), over);
  });
  const quotes = [...view.quotes.values()].flatMap(({ sightings, sent }) => {
    const over = sightings.find((seen) => (quoteStateOf(seen) ?? 'PENDING') !== 'PENDING');
    return around(
      momentIn(sightings, 'valid_until') ?? parseTimestamp(sent?.['valid_until']),
      over,
    );
  });
  return [...orders, ...quotes];
}

/** Stretches in which accepted orders may come to their ends. */
const settlementsOf = (view: HistoryView): readonly Stretch[] =>
  [...view.orders.values()].flatMap(({ id, sightings, acceptances }) => {
    const terminal = sightings.find(showsEnd);
    return acceptances.filter(mayHaveHappened).map(({ exchange }) => {
      const unseen = exchange.received + underWay[view.disturbed(id) ? 'disturbed' : 'undisturbed'];
      return { from: exchange.sent, to: (terminal?.to ?? unseen) + patience.betweenParties };
    });
  });

function outside(stretches: readonly Stretch[]): Undisturbed {
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
function unwritten(view: HistoryView, kinds: readonly EndpointName[]): Undisturbed {
  // By where they end; one that ends within, or spans the stretch, disturbs it.
  const writes = view.calls.filter(
    (call) =>
      call.exchange.request.method === 'POST' &&
      (call.endpoint === undefined || kinds.includes(call.endpoint)) &&
      mayHaveHappened(call),
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
function listsByTime(view: HistoryView): ReadonlyMap<string, ListOrder> {
  const orders = grouped(view.once(pagesOf), ({ call }) => call.endpoint);
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
export function quietness(view: HistoryView): (pages: readonly Page[]) => boolean {
  const settlements = settlementsOf(view);
  const isCalm = outside([...deadlinesOf(view), ...settlements]);
  const isUnwritten = unwritten(view, [
    'order.create',
    'order.cancel',
    'quote.accept',
    'quote.submit',
    'proposal.accept',
  ]);
  const unquoted = unwritten(view, ['quote.submit']);
  /** What a list does not grow without. In order of time it is the same, whatever becomes of the items on it. */
  const ungrown: Readonly<Record<string, Undisturbed>> = {
    'order.list': unwritten(view, ['order.create']),
    'order.quotes': unquoted,
    'rfq.quotes': unquoted,
    'quote.list': unquoted,
    'settlement.list': outside(settlements),
  };
  const byTime = listsByTime(view);
  return (pages) => {
    const [first, last] = [pages[0]?.call, pages.at(-1)?.call];
    if (!first || !last) return true;
    if (isUnwritten(first, last) && isCalm(first, last)) return true;
    const { endpoint = '' } = first;
    // An item may leave a filtered list whenever its state changes.
    if (statusAsked(first) !== undefined || !ungrown[endpoint]?.(first, last)) return false;
    const order = listOrderOf(pages.flatMap(({ items }) => items.filter(isObject)));
    return order !== undefined && order === byTime.get(endpoint);
  };
}
