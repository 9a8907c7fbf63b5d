import { groupBy } from '../../../history/group-by.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import { isOffsetParam } from '../../../spec/paging.ts';
import { firstPage, listKeys, type Page, pagesOf } from './pages.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, resultKindOf, precedes } from '../../trace/calls.ts';

/** Lists that only grow. Others may have become shorter for a while, even if they count as many before and after. */
const growing: readonly (EndpointName | undefined)[] = [
  'order.list',
  'order.quotes',
  'rfq.quotes',
  'quote.list',
  'settlement.list',
];

/** Number of refusals of pages counted a moment before that is no chance. */
const minRefusals = 5;

/** Number of items through which any client can page. No maximum is shown. */
const maxItems = 1_000;

/** The answer to a page past the end is open (gap `list.past_end`); the pages before it are there. */
export const countedPagesReadable = defineRule({
  id: 'list.pages-there',
  title: 'A page that a list counts among its own can be read',
  // `list.walks` judges it of the pages that were served.
  requirements: ['list.pages-complete'],
  judge(view, findings) {
    const param = view.context.answers('list.page_param');
    if (param === undefined) return;
    const pages = view.once(pagesOf);
    const first = firstPage(view);
    if (first === undefined) return;
    const byCall = new Map(pages.map((page) => [page.call, page]));
    const lists = view.calls.filter((call) => call.own && resultKindOf(call) === 'list');
    const refused = lists.filter(
      (call) => isDenied(call) && /^\d+$/.test(call.exchange.query[param] ?? ''),
    );
    if (refused.length === 0) return;
    const { oneSize } = listKeys(view);
    const alike = groupBy(lists, oneSize);

    /** Page and endpoint of a call, for any caller. */
    const place = ({ endpoint, exchange }: Call): string => `${endpoint} ${exchange.query[param]}`;

    /**
     * The last page of the list before the call, if its counts include the page that was asked for and `more` beyond
     * it.
     */
    const countedBefore = (call: Call, more: number): Page | undefined => {
      const asked = Number(call.exchange.query[param]);
      const others = alike.get(oneSize(call)) ?? [];
      const granted = others.flatMap((other) => byCall.get(other) ?? []);
      const before = granted.findLast((page) => precedes(page.call, call));
      if (!before) return undefined;
      // It is not shown if a client may ask for offset zero: nobody has to, to read the first items.
      if (isOffsetParam(param) && asked === 0) return undefined;
      const index = isOffsetParam(param) ? asked / before.size : asked - first;
      return isWithin(before, index, more) ? before : undefined;
    };

    const violation = (call: Call, before: Page | undefined): void => {
      if (!before) return;
      findings.fail('list.pages-complete', {
        message: `${call.endpoint}: a page was refused that the list had counted among its own`,
        expected: { page: call.exchange.query[param], total_pages: before.pages },
        actual: call.status,
        evidence: [before.call.id, call.id],
      });
    };

    for (const call of refused.filter(isGrowing)) violation(call, countedBefore(call, 0));
    const others = groupBy(
      refused.filter((call) => !isGrowing(call) && countedBefore(call, 1)),
      place,
    );
    for (const [name, calls] of others) {
      const [call] = calls;
      const isServed = lists.some((one) => one.ok && place(one) === name);
      if (call && calls.length >= minRefusals && !isServed) violation(call, countedBefore(call, 1));
    }
  },
});

/** Unfiltered, it loses no item and so no page. */
const isGrowing = ({ endpoint, exchange: { query } }: Call): boolean =>
  growing.includes(endpoint) && query['status'] === undefined;

const isWithin = ({ pages, size }: Page, index: number, more: number): boolean =>
  Number.isInteger(index) && index >= 0 && index + more < pages && index * size < maxItems;
