import type { EndpointName } from '../spec/endpoints.ts';
import { parseTimestamp } from '../spec/forms.ts';
import { isTerminal } from '../spec/states.ts';
import { isObject } from './json.ts';
import { type Page, statusAsked } from './pages.ts';
import { patience } from './patience.ts';
import { quoteStateOf } from './quotes.ts';
import { type Call, countBelow, mayHaveHappened } from './view/calls.ts';
import type { Sighting } from './view/sightings.ts';
import { stateOf } from './view/stories.ts';
import type { HistoryView } from './view.ts';

/** Tells of a stretch of calls, from the first to the last, whether nothing of some kind can have happened within. */
type Without = (first: Call, last: Call) => boolean;

/** In our milliseconds. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

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
    const over = sightings.find((seen) => isTerminal(stateOf(seen) ?? 'PENDING'));
    const expiries = sightings.map(({ value }) => value['expires_at']);
    return around(parseTimestamp(expiries.find((value) => value !== undefined)), over);
  });
  const quotes = [...view.quotes.values()].flatMap(({ sightings, sent }) => {
    const over = sightings.find((seen) => (quoteStateOf(seen) ?? 'PENDING') !== 'PENDING');
    return around(
      parseTimestamp(sightings[0]?.value['valid_until'] ?? sent?.['valid_until']),
      over,
    );
  });
  return [...orders, ...quotes];
}

/** Stretches in which accepted orders may come to their ends. */
const settlementsOf = (view: HistoryView): readonly Stretch[] =>
  [...view.orders.values()].flatMap(({ id, sightings, acceptances }) => {
    const terminal = sightings.find((seen) => isTerminal(stateOf(seen) ?? 'PENDING'));
    return acceptances.filter(mayHaveHappened).map(({ exchange }) => {
      const unseen = exchange.received + (view.disturbed(id) ? 120_000 : 15_000);
      return { from: exchange.sent, to: (terminal?.to ?? unseen) + patience.betweenParties };
    });
  });

function outside(stretches: readonly Stretch[]): Without {
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
function unwritten(view: HistoryView, kinds: readonly EndpointName[]): Without {
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

const momentOf = (item: unknown): number =>
  (isObject(item) &&
    parseTimestamp(item['created_at'] ?? item['submitted_at'] ?? item['settled_at'])) ||
  Number.NaN;

/** Fewer moments than this may rise or fall by chance, whatever a list is sorted by. */
const telling = 6;

/** Whether the items of some pages stand in order of the time at which they came to be there, either way. */
function isByTime(pages: readonly Page[]): boolean {
  const moments = pages.flatMap(({ items }) => items.map(momentOf));
  if (new Set(moments).size < telling) return false;
  const steps = moments.slice(1).map((moment, index) => moment - (moments[index] ?? Number.NaN));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}

/**
 * Tells of the pages of one list, fetched one after the other, whether nothing that anybody did, or that time brought,
 * can have moved an item meanwhile.
 */
export function quietness(
  view: HistoryView,
): (pages: readonly Page[], first: Call, last: Call) => boolean {
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
  const ungrown: Readonly<Record<string, Without>> = {
    'order.list': unwritten(view, ['order.create']),
    'order.quotes': unquoted,
    'rfq.quotes': unquoted,
    'quote.list': unquoted,
    'settlement.list': outside(settlements),
  };
  return (pages, first, last) => {
    if (isUnwritten(first, last) && isCalm(first, last)) return true;
    const isWhole = statusAsked(first) === undefined;
    return isWhole && ungrown[first.endpoint ?? '']?.(first, last) === true && isByTime(pages);
  };
}
