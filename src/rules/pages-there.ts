import { grouped } from '../history/grouped.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import { asksForItems } from '../spec/paging.ts';
import { firstPage, type Page, pagesOf } from './pages.ts';
import { defineRule } from './tally.ts';
import { type Call, isDenied, kindOf, precedes } from './view/calls.ts';

/** Lists that only grow. Others may have become shorter for a while, whatever they count before and after. */
const growing: readonly (EndpointName | undefined)[] = [
  'order.list',
  'order.quotes',
  'rfq.quotes',
  'quote.list',
  'settlement.list',
];

/** How deep a client may page at all is not shown; so far it can. */
const deepest = 1_000;

/** What answers a page past the end is open (gap `list.past_end`); the pages before it are there. */
export const pagesThere = defineRule({
  id: 'list.pages-there',
  title: 'A page that a list counts among its own can be read',
  requirements: ['list.pages-complete'],
  judge(view, tally) {
    const param = view.context.answers('list.page_param');
    if (param === undefined) return;
    const pages = view.once(pagesOf);
    const first = firstPage(view, pages);
    if (first === undefined) return;
    const byCall = new Map(pages.map((page) => [page.call, page]));
    const lists = view.calls.filter((call) => call.own && kindOf(call) === 'list');
    const refused = lists.filter(
      (call) => isDenied(call) && isGrowing(call) && /^\d+$/.test(call.exchange.query[param] ?? ''),
    );
    if (refused.length === 0) return;
    const alike = grouped(lists, (call) => listOf(call, param));
    for (const call of refused) {
      const asked = Number(call.exchange.query[param]);
      const others = alike.get(listOf(call, param)) ?? [];
      const granted = others.flatMap((other) => byCall.get(other) ?? []);
      const before = granted.findLast((page) => precedes(page.call, call));
      if (!before || !isWithin(before, asksForItems(param) ? asked / before.size : asked - first))
        continue;
      tally.fail('list.pages-complete', {
        message: `${call.endpoint}: a page was refused that the list had counted among its own`,
        expected: { page: call.exchange.query[param], total_pages: before.pages },
        actual: call.status,
        evidence: [before.call.id, call.id],
      });
    }
  },
});

/** Unfiltered, it loses no item and so no page. */
const isGrowing = ({ endpoint, exchange: { query } }: Call): boolean =>
  growing.includes(endpoint) && query['status'] === undefined;

const isWithin = ({ pages, size }: Page, index: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < pages && index * size < deepest;

/** One list: of one party, in pages of one size. */
const listOf = ({ party, endpoint, exchange }: Call, param: string): string =>
  JSON.stringify([
    party,
    endpoint,
    exchange.params.intent_id,
    Object.entries(exchange.query)
      .filter(([name]) => name !== param)
      .map(([name, value]) => `${name}=${value}`)
      .sort((a, b) => (a < b ? -1 : 1)),
  ]);
