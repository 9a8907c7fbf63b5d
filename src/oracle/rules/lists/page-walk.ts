import { firstPage, itemIdOf, type Page, pageParams, pagesOf } from './page-arithmetic.ts';
import { listStability } from './stable-list.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** Pages of one list, fetched one after the other by one driver. */
export interface Walk {
  readonly pages: readonly Page[];
  readonly first: Call;
  readonly last: Call;
  /** From the first page to the last. */
  readonly whole: boolean;
  /** Nothing that anybody did, or that time brought, can have moved an item meanwhile. */
  readonly stable: boolean;
  readonly ids: readonly string[];
}

export function walksOf(view: HistoryView): Walk[] {
  const pages = view.once(pagesOf);
  const start = firstPage(view, pages);
  const params = pageParams(view);
  const isStable = listStability(view);
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
      items.flatMap((item) => itemIdOf(call, item) ?? []),
    );
    const whole = first.page === start && walk.length >= first.pages;
    const stable = walk.length === 1 || isStable(walk);
    return [{ pages: walk, first: first.call, last: last.call, whole, stable, ids }];
  });
}

export const pageWalks = defineRule({
  id: 'list.walks',
  title: 'The pages of a list that does not change neither overlap nor skip',
  requirements: [
    'list.pages-disjoint',
    'list.pages-complete',
    'pagination.total-items.counts',
    'order.list.status-filter.totals',
    'maker.lists-have-pages',
  ],
  judge(view, findings) {
    for (const walk of view.once(walksOf)) {
      if (!walk.stable) continue;
      const [page] = walk.pages;
      if (!page) continue;
      const evidence = walk.pages.map(({ call }) => call.id);
      const { role, query } = walk.first.exchange;
      const distinct = new Set(walk.ids);
      const source = walk.last.id;
      const disjoint = distinct.size === walk.ids.length;
      findings.assert('list.pages-disjoint', disjoint, source, () => ({
        message: `${walk.first.endpoint} showed an item twice`,
        actual: `${walk.ids.length} items, ${distinct.size} of them different`,
        evidence,
      }));
      if (!walk.whole || walk.ids.length !== itemCount(walk)) continue;
      const holds = distinct.size === page.total;
      const violation = () => ({
        message: `all pages of ${walk.first.endpoint} together did not hold total_items items`,
        expected: page.total,
        actual: distinct.size,
        evidence,
      });
      const several = walk.pages.length > 1;
      findings.assert(
        several ? 'list.pages-complete' : 'pagination.total-items.counts',
        holds,
        source,
        violation,
      );
      if (query['status'] !== undefined && walk.first.endpoint === 'order.list') {
        findings.assert('order.list.status-filter.totals', holds, source, violation);
      }
      if (!several) continue;
      if (role === 'market-maker') {
        findings.assert('maker.lists-have-pages', holds && disjoint, source, violation);
      }
    }
  },
});

const itemCount = (walk: Walk): number =>
  walk.pages.reduce((sum, { items }) => sum + items.length, 0);
