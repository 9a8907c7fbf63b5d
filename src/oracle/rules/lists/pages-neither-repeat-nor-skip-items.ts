import { groupBy } from '../../../history/group-by.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import { isOffsetParam } from '../../../spec/paging.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, precedes, resultKindOf } from '../../trace/calls.ts';
import { firstPage, itemIdOf, listKeys, type Page, pagesOf } from './pages.ts';
import { type Walk, walksOf, listStability } from './page-walks.ts';

const evidenceOf = (...walks: readonly Walk[]): readonly string[] =>
  walks.flatMap(({ pages }) => pages.slice(0, 8).map(({ call }) => call.id));

const holdsTwice = ({ ids }: Walk): boolean => new Set(ids).size < ids.length;
const isCounted = ({ whole, named, pages }: Walk): boolean => whole && named && pages.length > 1;
const lacksItems = (walk: Walk): boolean =>
  isCounted(walk) && new Set(walk.ids).size !== walk.pages[0]?.total;

/** A target may count before it reads, and an item may come in between: one walk shows nothing, most of several do. */
const fewestAlike = 3;

function mostlyWrong<T>(all: readonly T[], isWrong: (one: T) => boolean): readonly T[] {
  const wrong = all.filter(isWrong);
  return wrong.length >= fewestAlike && wrong.length * 2 > all.length ? wrong : [];
}

/** A page of fewer items tells nothing: as many new ones move all others by a page. One of many tells by itself. */
const [fewItems, manyItems] = [5, 10];

/** Number of items of the longest page that the list counts and that comes after another one. */
const longestLater = ({ pages }: Walk): number =>
  Math.max(
    0,
    ...pages.slice(1).map(({ items, pages: all }, index) => (index + 1 < all ? items.length : 0)),
  );

/** Number of items of a page that is the one before it once more, though the list did not grow by a page meanwhile. */
const repeated = ({ pages }: Walk): number =>
  Math.max(
    0,
    ...pages.slice(1).map(({ call, items, total, pages: all }, index) => {
      const before = pages[index] as Page;
      const isSame = (item: unknown, at: number): boolean =>
        itemIdOf(call, item) === itemIdOf(call, before.items[at]);
      const hasGrown = total - before.total >= items.length;
      return index + 1 < all && !hasGrown && items.every(isSame) ? items.length : 0;
    }),
  );

/** Walks that repeat a page: a long one, or most of several walks over one list. */
function repeatingWalks(walks: readonly Walk[]): readonly Walk[] {
  const long = walks.filter(
    (walk) => walk.named && walk.fromStart && longestLater(walk) >= fewItems,
  );
  const keyOf = ({ first: { endpoint, party, exchange } }: Walk): string =>
    `${endpoint} ${party} ${exchange.query['status'] ?? ''}`;
  return [...groupBy(long, keyOf).values()].flatMap((ofList) => {
    const again = ofList.filter((walk) => repeated(walk) >= fewItems);
    const isMost = again.length > 1 && again.length * 2 > ofList.length;
    return isMost ? again : again.filter((walk) => repeated(walk) >= manyItems);
  });
}

const pagesNeitherRepeatNorSkipItems = defineRule({
  id: 'list.walks',
  title: 'The pages of a list that does not change neither repeat nor skip an item',
  requirements: ['list.pages-disjoint', 'list.pages-complete', 'maker.lists-have-pages'],
  judge(view, findings) {
    const walks = view.once(walksOf);
    for (const walk of walks) {
      if (!walk.stable) continue;
      judgeDisjoint(walk);
      judgeComplete(walk);
    }
    const others = walks.filter(({ stable }) => !stable);
    const again = repeatingWalks(others);
    again.forEach(judgeDisjoint);
    const ended = others.filter((walk) => walk.ended && !again.includes(walk));
    for (const ofList of groupBy(ended, ({ first }) => first.endpoint).values()) {
      mostlyWrong(ofList, holdsTwice).forEach(judgeDisjoint);
      mostlyWrong(ofList.filter(isCounted), lacksItems).forEach(judgeComplete);
    }

    function judgeDisjoint(walk: Walk): void {
      const { first, last, ids } = walk;
      findings.assert('list.pages-disjoint', !holdsTwice(walk), last.id, () => ({
        message: `${first.endpoint} showed an item twice`,
        fields: ['intent_id', 'quote_id'],
        actual: `${ids.length} items, ${new Set(ids).size} of them different`,
        evidence: evidenceOf(walk),
      }));
    }

    function judgeComplete(walk: Walk): void {
      if (!isCounted(walk)) return;
      const { first, last, ids, pages } = walk;
      const requirements = [
        'list.pages-complete',
        first.exchange.role === 'market-maker' && 'maker.lists-have-pages',
      ] as const;
      findings.assert(requirements, !lacksItems(walk), last.id, () => {
        const [held, total = 0] = [new Set(ids).size, pages[0]?.total];
        const evidence = evidenceOf(walk);
        if (held < total) {
          const message = `all pages of ${first.endpoint} together did not hold total_items items`;
          return { message, expected: total, actual: held, evidence };
        }
        // Items that are there show that it is the count that is wrong.
        return {
          message: `the pages of ${first.endpoint} held more items than total_items`,
          deviation: 'wrong value',
          fields: ['pagination.total_items'],
          expected: held,
          actual: total,
          evidence,
        };
      });
    }
  },
});

/** The ids that one of two walks from the start of a list met, and the other should have met but did not. */
function skipped(one: Walk, other: Walk): readonly string[] {
  const isWhole = one.whole && other.whole;
  const reach = Math.min(one.ids.length, other.ids.length);
  const [here, there] = [one, other].map(({ ids }) => (isWhole ? ids : ids.slice(0, reach)));
  const [inOne, inOther] = [new Set(here), new Set(there)];
  return [...(here ?? []), ...(there ?? [])].filter((id) => !inOne.has(id) || !inOther.has(id));
}

interface Pair {
  readonly before: Walk;
  readonly walk: Walk;
  readonly missing: readonly string[];
}

/** `list.pages-complete` again: here of walks that need not reach the end, by others over the same list. */
const pageSizesShowTheSame = defineRule({
  id: 'list.page-sizes',
  title: 'A list that does not change begins with the same items in pages of any size',
  requirements: ['list.pages-complete'],
  judge(view, findings) {
    const { isStill, hasCaughtUp } = view.once(listStability);
    const { anySize } = listKeys(view);
    const isAtOnce = view.context.answers('views.lag') === 'at-once';
    const walks = view.once(walksOf).filter((walk) => walk.fromStart && walk.named);
    const behind: Pair[] = [];
    for (const ofList of groupBy(walks, ({ first }) => anySize(first)).values()) {
      ofList.forEach((walk, index) => {
        const before = ofList[index - 1];
        if (!before || before.last.close > walk.first.open) return;
        // A list that has yet to catch up with what was done before (gap `views.lag`) counts less.
        if (before.pages[0]?.total !== walk.pages[0]?.total) return;
        if (!isStill(before.pages, walk.pages)) return;
        const pair = { before, walk, missing: skipped(before, walk) };
        if (isAtOnce || hasCaughtUp(before.first, walk.last)) judge(pair);
        else behind.push(pair);
      });
    }
    // One item may have come and another gone: one pair shows nothing, most of several do.
    for (const ofEndpoint of groupBy(behind, ({ walk }) => walk.first.endpoint).values())
      mostlyWrong(ofEndpoint, ({ missing }) => missing.length > 0).forEach(judge);

    function judge({ before, walk, missing }: Pair): void {
      findings.assert('list.pages-complete', missing.length === 0, walk.last.id, () => ({
        message: `${walk.first.endpoint} left out an item that it shows in pages of another size`,
        actual: missing,
        evidence: evidenceOf(before, walk),
      }));
    }
  },
});

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
const countedPagesReadable = defineRule({
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

    const place = ({ endpoint, exchange }: Call): string => `${endpoint} ${exchange.query[param]}`;

    /** The last page of the list before the call, if its counts include the page asked for and `more` beyond it. */
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

export const pageRules = [
  pagesNeitherRepeatNorSkipItems,
  pageSizesShowTheSame,
  countedPagesReadable,
];
