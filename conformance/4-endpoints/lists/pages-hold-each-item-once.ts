import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  type PlacedOrder,
  quote,
  quoteBody,
  type PageWalk,
} from '../../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { each } from '../../shared/check-table.ts';
import { settlementTimeoutMs } from '../../shared/waits.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';
import {
  pagesExamined,
  idsOf,
  type Listing,
  evidencePages,
  totalItemsOf,
  walkOf,
} from './list-walks.ts';

/** By when most of what a run sets off at its start has come to an end, so that lists stand still. */
export const listsSettledMs = 20_000;

export const pageRequirements = [
  'list.pages-disjoint',
  'list.pages-complete',
  'pagination.total-items.counts',
] as const satisfies readonly RequirementId[];

/** Beginnings of a list in pages of one, of a few and of the target's own size are looked at as far as this. */
const aFew = 3;
const fewSizes = [2, 3, 5];

/** The largest page that is asked for here, as far as the target allows. */
function largestOf(t: CheckContext): number {
  const most = Number(t.target.answers.get('list.max_page_size') ?? 100);
  return Number.isInteger(most) && most > 0 ? Math.min(most, 100) : 100;
}

/** The size under which a list of so many items fills four pages. */
const quarterOf = (t: CheckContext, total: number): number =>
  Math.min(largestOf(t), Math.max(1, Math.ceil(total / 4)));

interface Cuts {
  /** In four pages, or as many as are far enough. */
  readonly whole: PageWalk;
  /** Beginnings in other sizes, and the whole again in none that was asked for. */
  readonly others: readonly PageWalk[];
}

/** A list that cannot be judged: it moved, or it only seems so, as its total is another in pages of one size. */
interface Moved {
  readonly otherTotal: readonly [usual: PageWalk, other: PageWalk] | undefined;
}

/** Cuts a list into pages in several ways while nobody else of this run acts. */
const cut = (t: CheckContext, listing: Listing, few: number): Promise<Cuts | Moved> =>
  t.exclusively(async () => {
    const sized = t.target.answers.get('list.page_size_param') !== undefined;
    const begin = (pageSize: number | 'usual') => walkOf(t, listing, { pageSize, mostPages: aFew });
    const first = await begin(sized ? 1 : 'usual');
    const total = totalItemsOf(first);
    if (first.ended === 'refused' || total === undefined) {
      return t.notExercised(`${listing.endpoint} could not be walked over`, first.pages.slice(-1));
    }
    const pageSize = quarterOf(t, total);
    const whole = await walkOf(t, listing, { pageSize, mostPages: pagesExamined });
    const others = [first, ...(sized ? [await begin(few), await begin('usual')] : [])];
    const last = await walkOf(t, listing, { pageSize: sized ? 1 : 'usual', mostPages: 1 });
    const walks = [whole, ...others, last];
    const stood =
      totalItemsOf(last) === total && faceOf(listing, last, 1) === faceOf(listing, first, 1);
    const other = walks.find((one) => totalItemsOf(one) !== total);
    if (stood && !other && walks.every(({ steady }) => steady)) return { whole, others };
    const told = other?.steady && totalItemsOf(other) !== undefined;
    return { otherTotal: stood && told ? [first, other] : undefined };
  });

const faceOf = (listing: Listing, { items }: PageWalk, count: number): string =>
  idsOf(listing, items.slice(0, count)).join(' ');

const attempts = 3;
const pauseMs = 1_500;

/** Judges that the pages of a list, cut in several ways, hold each of its items once; undefined: it kept changing. */
async function assertPages(t: CheckContext, listing: Listing): Promise<PageWalk | undefined> {
  const few = Math.min(largestOf(t), t.random.pick(fewSizes));
  const others: Moved['otherTotal'][] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const cuts = await cut(t, listing, few);
    if ('whole' in cuts) {
      for (const walk of [cuts.whole, ...cuts.others]) assertWalk(t, listing, cuts.whole, walk);
      return cuts.whole;
    }
    others.push(cuts.otherTotal);
    await t.target.timeline.sleep(pauseMs);
  }
  assertTotals(t, listing, others);
  return undefined;
}

/** A list that has one total before and after, and another in between, each time that it is looked at, has not moved. */
function assertTotals(
  t: CheckContext,
  { endpoint }: Listing,
  others: readonly Moved['otherTotal'][],
): void {
  const [found] = others;
  if (!found || !others.every((one) => one !== undefined)) return;
  t.assert('pagination.total-items.counts', false, {
    message: `total_items of ${endpoint} depended on the size of a page.`,
    expected: totalItemsOf(found[0]),
    actual: totalItemsOf(found[1]),
    seen: found.flatMap(evidencePages),
  });
}

/** The same of several lists. One that keeps changing shows nothing; where all do, nothing was exercised. */
async function assertAllPages(
  t: CheckContext,
  listings: readonly Listing[],
): Promise<readonly (readonly [Listing, PageWalk])[]> {
  const steady: (readonly [Listing, PageWalk])[] = [];
  for (const listing of listings) {
    const whole = await assertPages(t, listing);
    if (whole) steady.push([listing, whole]);
  }
  if (steady.length === 0) t.notExercised('the lists kept changing while they were walked over');
  return steady;
}

function assertWalk(t: CheckContext, listing: Listing, whole: PageWalk, walk: PageWalk): void {
  const ids = idsOf(listing, walk.items);
  const there = new Set(ids);
  const seen = evidencePages(walk);
  const name = `${listing.endpoint} of ${listing.by}`;
  t.assert('list.pages-disjoint', there.size === ids.length, {
    message: `${listing.endpoint} showed an item twice though nothing had changed.`,
    expected: `${ids.length} different items of ${name}`,
    actual: there.size,
    seen,
  });
  if (walk.ended === 'refused' || walk.ended === 'repeated') return;
  const all = idsOf(listing, whole.items);
  // Both walks go the same way through a list that stands still, so that the shorter is the beginning of the longer.
  const due = walk.ended === 'whole' && whole.ended === 'whole' ? all : all.slice(0, ids.length);
  const missing = due.filter((id) => !there.has(id));
  t.assert('list.pages-complete', missing.length === 0, {
    message: `The pages of ${listing.endpoint} left out an item though nothing had changed.`,
    expected: `the first ${due.length} items of ${name}`,
    actual: { missing },
    seen: [...evidencePages(whole), ...seen],
  });
  const total = totalItemsOf(walk);
  if (walk.ended !== 'whole' || total === undefined) return;
  t.assert('pagination.total-items.counts', total === ids.length, {
    message: `All pages of ${listing.endpoint} together did not hold total_items items.`,
    expected: total,
    actual: ids.length,
    seen,
  });
}

/** Orders of one party in several states, so that each of its lists has more than two pages of one. */
async function variedOrders(t: CheckContext, by: 'sender' | 'outsider'): Promise<void> {
  const { timeline } = t.target;
  const orders: PlacedOrder[] = [];
  for (let n = 0; n < 8; n += 1) orders.push(await createOrder(t, {}, { by }));
  const [, , , fourth, fifth, sixth, seventh, eighth] = orders;
  for (const order of [fourth, eighth]) if (order) await cancelOrder(t, order, by);
  const settling = [fifth, sixth, seventh].flatMap((order) => (order ? [order] : []));
  for (const order of settling) await accept(t, order, await quote(t, 'maker_a', order));
  await timeline.together(
    settling.map((order, index) => [
      `settlement ${index + 1}`,
      async () => {
        await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs, by);
      },
    ]),
  );
}

const calm = async (t: CheckContext, since: number): Promise<void> => {
  const left = since + listsSettledMs - t.target.timeline.now();
  if (left > 0) await t.target.timeline.sleep(left);
};

const orderLists = each(
  [
    { by: 'sender', creator: 'sender', statuses: ['PENDING', 'SETTLED', 'EXPIRED', 'FAILED'] },
    { by: 'outsider', creator: 'outsider', statuses: ['PENDING', 'SETTLED'] },
    { by: 'sender_custodian', creator: 'sender', statuses: ['PENDING', 'SETTLED', 'FAILED'] },
    { by: 'receiver_custodian', creator: 'sender', statuses: [] },
  ] as const,
  ({ by, creator, statuses }) =>
    defineCheck({
      id: `list.pages.orders.${by}`,
      title: `The orders of ${by}, all and by status, are each on one page, whatever the size of a page.`,
      requirements: pageRequirements,
      needs: {
        parties: [...new Set<CastName>([by, creator, 'maker_a'])],
        waitMs: 2 * listsSettledMs,
      },
      async run(t) {
        const since = t.target.timeline.now();
        await variedOrders(t, creator);
        await calm(t, since);
        await assertAllPages(t, [
          { by, endpoint: 'order.list' },
          ...statuses.map((status) => ({ by, endpoint: 'order.list', query: { status } }) as const),
        ]);
      },
    }),
);

/** Three quotes that win and settle, two that lose, and two that are left open. */
async function variedQuotes(t: CheckContext, maker: CastName, rival: CastName): Promise<void> {
  const { timeline } = t.target;
  const won: PlacedOrder[] = [];
  for (let n = 0; n < 7; n += 1) {
    const order = await createOrder(t);
    const mine = await quote(t, maker, order);
    if (n >= 5) continue;
    const winner = n < 3 ? mine : await quote(t, rival, order);
    await accept(t, order, winner);
    won.push(order);
  }
  await timeline.together(
    won.map((order, index) => [
      `settlement ${index + 1}`,
      async () => {
        await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
      },
    ]),
  );
}

const makerLists = each(
  [
    { maker: 'maker_a', rival: 'maker_b', statuses: ['PENDING', 'ACCEPTED', 'REJECTED'] },
    { maker: 'maker_b', rival: 'maker_c', statuses: ['ACCEPTED'] },
    { maker: 'maker_c', rival: 'maker_a', statuses: ['REJECTED'] },
  ] as const,
  ({ maker, rival, statuses }) =>
    defineCheck({
      id: `list.pages.${maker}`,
      title: `The quotes of ${maker}, all and by status, its settlements and the requests are each on one page.`,
      requirements: [...pageRequirements, 'maker.lists-have-pages'],
      needs: { parties: ['sender', maker, rival], waitMs: 2 * listsSettledMs },
      async run(t) {
        const since = t.target.timeline.now();
        await variedQuotes(t, maker, rival);
        await calm(t, since);
        const lists: readonly Listing[] = [
          { by: maker, endpoint: 'quote.list' },
          ...statuses.map(
            (status) => ({ by: maker, endpoint: 'quote.list', query: { status } }) as const,
          ),
          { by: maker, endpoint: 'settlement.list' },
          { by: maker, endpoint: 'rfq.list' },
        ];
        for (const [listing, whole] of await assertAllPages(t, lists)) {
          assertPaged(t, listing, whole);
        }
      },
    }),
);

/** A list of more items than its page holds says that there are more pages. */
function assertPaged(t: CheckContext, listing: Listing, whole: PageWalk): void {
  const { ended } = whole;
  if (ended !== 'whole' && ended !== 'too-long') return;
  t.assert('maker.lists-have-pages', whole.items.length > 0 || totalItemsOf(whole) === 0, {
    message: `${listing.endpoint} has items but no page shows them.`,
    expected: totalItemsOf(whole),
    actual: whole.items.length,
    seen: evidencePages(whole),
  });
}

/** The quotes of one order: several makers', and several of one maker where this target takes them. */
const quoteLists = defineCheck({
  id: 'list.pages.quotes-of-one-order',
  title:
    'The quotes of one order, a dozen where so many are taken, are each on one page, for its sender, its custodian and a maker.',
  requirements: pageRequirements,
  needs: {
    parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b', 'maker_c'],
    waitMs: listsSettledMs,
  },
  async run(t) {
    const order = await createOrder(t);
    const params = { intent_id: order.intentId };
    for (const maker of ['maker_a', 'maker_b', 'maker_c'] as const) await quote(t, maker, order);
    for (let n = 0; n < 9; n += 1) {
      // Whether a maker may quote twice is open (gap `quote.twice`): some of these may be refused.
      const body = quoteBody(t, order);
      await t.party('maker_b').call('quote.submit', { params, body });
    }
    await t.target.timeline.sleep(3_000);
    const listings: readonly Listing[] = [
      { by: 'sender', endpoint: 'order.quotes', params },
      { by: 'sender_custodian', endpoint: 'order.quotes', params },
      { by: 'maker_b', endpoint: 'rfq.quotes', params },
    ];
    await assertAllPages(t, listings);
  },
});

export const pageChecks: readonly Check[] = [...orderLists, ...makerLists, quoteLists];
