import { parseTimestamp } from '../spec/forms.ts';
import { firstPage, itemId, type Page, pageParams, pagesOf } from './pages.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import { type Call, countBelow, mayHaveHappened } from './view/calls.ts';
import { stateOf } from './view/stories.ts';
import type { HistoryView } from './view.ts';
import { isTerminal } from '../spec/states.ts';

/** Pages of one list, fetched one after the other by one driver. */
export interface Walk {
  readonly pages: readonly Page[];
  readonly first: Call;
  readonly last: Call;
  /** From the first page to the last. */
  readonly whole: boolean;
  /** Nothing that anybody did, or that time brought, can have moved an item meanwhile. */
  readonly quiet: boolean;
  readonly ids: readonly string[];
}

/** Stretches in which time alone may change something, in our milliseconds; sorted, apart from each other. */
type Restless = readonly { readonly from: number; readonly to: number }[];

function restlessOf(view: HistoryView): Restless {
  const { least, most } = view.context.offset;
  const stretches: { from: number; to: number }[] = [];
  const around = (moment: number | undefined): void => {
    if (moment === undefined) return;
    stretches.push({
      from: moment - most - patience.stamp,
      to: moment - least + patience.lateTimer + patience.betweenParties,
    });
  };
  for (const story of view.orders.values()) {
    const terminal = story.sightings.find((seen) => isTerminal(stateOf(seen) ?? 'PENDING'));
    const expiries = story.sightings.map(({ value }) => value['expires_at']);
    around(parseTimestamp(expiries.find((value) => value !== undefined)));
    for (const call of story.acceptances.filter(mayHaveHappened)) {
      const unseen = call.exchange.received + (view.disturbed(story.id) ? 120_000 : 15_000);
      const to = (terminal?.to ?? unseen) + patience.betweenParties;
      stretches.push({ from: call.exchange.sent, to });
    }
  }
  for (const quote of view.quotes.values()) {
    const [seen] = quote.sightings;
    around(parseTimestamp(seen?.value['valid_until'] ?? quote.sent?.['valid_until']));
  }
  stretches.sort((a, b) => a.from - b.from);
  const merged: { from: number; to: number }[] = [];
  for (const stretch of stretches) {
    const last = merged.at(-1);
    if (last && stretch.from <= last.to) last.to = Math.max(last.to, stretch.to);
    else merged.push({ ...stretch });
  }
  return merged;
}

const writers: ReadonlySet<string> = new Set([
  'order.create',
  'order.cancel',
  'quote.accept',
  'quote.submit',
  'proposal.accept',
]);

/** Tells of any stretch of calls whether nothing can have changed within. */
function quietness(view: HistoryView): (first: Call, last: Call) => boolean {
  const restless = restlessOf(view);
  const starts = restless.map(({ from }) => from);
  // By where they end; one that ends within, or spans the stretch, disturbs it.
  const writes = view.calls.filter(
    (call) =>
      call.exchange.request.method === 'POST' &&
      (call.endpoint === undefined || writers.has(call.endpoint)) &&
      mayHaveHappened(call),
  );
  const closes = writes.map(({ close }) => close);
  const opensFrom = minimumFromTheEnd(writes.map(({ open }) => open));
  return (first, last) => {
    const next = countBelow(closes, first.open);
    if ((opensFrom[next] ?? Number.POSITIVE_INFINITY) < last.close) return false;
    const index = countBelow(starts, last.exchange.received + 1) - 1;
    const stretch = restless[index];
    return !stretch || stretch.to < first.exchange.sent;
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

export function walksOf(view: HistoryView): Walk[] {
  const pages = view.once(pagesOf);
  const start = firstPage(view, pages);
  const params = pageParams(view);
  const isQuiet = quietness(view);
  const open = new Map<string, Page[]>();
  const done: Page[][] = [];
  for (const page of pages) {
    const { exchange } = page.call;
    const query = Object.entries(exchange.query).filter(([name]) => !params.has(name));
    const { intent_id } = exchange.params;
    const key = JSON.stringify([
      page.call.party,
      exchange.by,
      page.call.endpoint,
      intent_id,
      query.map(([name, value]) => `${name}=${value}`).sort((a, b) => (a < b ? -1 : 1)),
    ]);
    const walk = open.get(key);
    const last = walk?.at(-1);
    const follows =
      last !== undefined &&
      page.page === last.page + 1 &&
      page.size === last.size &&
      page.total === last.total &&
      last.call.close < page.call.open;
    if (walk && follows) walk.push(page);
    else {
      const fresh = [page];
      open.set(key, fresh);
      done.push(fresh);
    }
  }
  return done.flatMap((walk) => {
    const [first, last] = [walk[0], walk.at(-1)];
    if (!first || !last) return [];
    const ids = walk.flatMap(({ call, items }) =>
      items.flatMap((item) => itemId(call, item) ?? []),
    );
    const whole = first.page === start && walk.length >= first.pages;
    const quiet = walk.length === 1 || isQuiet(first.call, last.call);
    return [{ pages: walk, first: first.call, last: last.call, whole, quiet, ids }];
  });
}

export const walks = defineRule({
  id: 'list.walks',
  title: 'The pages of a list that does not change neither overlap nor skip',
  requirements: [
    'list.pages-disjoint',
    'list.pages-complete',
    'pagination.total-items.counts',
    'order.list.status-filter.totals',
    'maker.lists-have-pages',
  ],
  judge(view, tally) {
    for (const walk of view.once(walksOf)) {
      if (!walk.quiet) continue;
      const [page] = walk.pages;
      if (!page) continue;
      const evidence = walk.pages.map(({ call }) => call.id);
      const { role, query } = walk.first.exchange;
      const distinct = new Set(walk.ids);
      const source = walk.last.id;
      const disjoint = distinct.size === walk.ids.length;
      tally.judge('list.pages-disjoint', disjoint, source, () => ({
        message: `${walk.first.endpoint} showed an item twice`,
        actual: `${walk.ids.length} items, ${distinct.size} of them different`,
        evidence,
      }));
      if (!walk.whole || walk.ids.length !== itemCount(walk)) continue;
      const holds = distinct.size === page.total;
      const blame = () => ({
        message: `all pages of ${walk.first.endpoint} together did not hold total_items items`,
        expected: page.total,
        actual: distinct.size,
        evidence,
      });
      const several = walk.pages.length > 1;
      tally.judge(
        several ? 'list.pages-complete' : 'pagination.total-items.counts',
        holds,
        source,
        blame,
      );
      if (query['status'] !== undefined && walk.first.endpoint === 'order.list') {
        tally.judge('order.list.status-filter.totals', holds, source, blame);
      }
      if (!several) continue;
      if (role === 'market-maker') {
        tally.judge('maker.lists-have-pages', holds && disjoint, source, blame);
      }
    }
  },
});

const itemCount = (walk: Walk): number =>
  walk.pages.reduce((sum, { items }) => sum + items.length, 0);
