import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  type PlacedOrder,
  quote,
  quoteBody,
  type Walk,
} from '../../src/conformance/moves/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { cancelling, each, settlementPatienceMs, terminal } from '../3-states/words.ts';
import { farEnough, idsOf, type Listing, shownOf, totalOf, walkOf } from './walks.ts';

/** By when most of what a run sets off at its start has come to an end, so that lists stand still. */
export const calmMs = 20_000;

export const pageRequirements = [
  'list.pages-disjoint',
  'list.pages-complete',
  'pagination.total-items.counts',
] as const satisfies readonly RequirementId[];

/** Beginnings of a list in pages of one, of a few and of the target's own size are looked at as far as this. */
const aFew = 3;
const fewSizes = [2, 3, 5];

/** The largest page that is asked for here, as far as the target allows. */
function largestOf(trial: Trial): number {
  const most = Number(trial.target.answers.get('list.max_page_size') ?? 100);
  return Number.isInteger(most) && most > 0 ? Math.min(most, 100) : 100;
}

/** The size under which a list of so many items fills four pages. */
const quarterOf = (trial: Trial, total: number): number =>
  Math.min(largestOf(trial), Math.max(1, Math.ceil(total / 4)));

interface Cuts {
  /** In four pages, or as many as are far enough. */
  readonly whole: Walk;
  /** Beginnings in other sizes, and the whole again in none that was asked for. */
  readonly others: readonly Walk[];
}

/** A list that cannot be judged: it moved, or it only seems so, as its total is another in pages of one size. */
interface Moved {
  readonly otherTotal: readonly [usual: Walk, other: Walk] | undefined;
}

/** Cuts a list into pages in several ways while nobody else of this run acts. */
const cut = (trial: Trial, listing: Listing, few: number): Promise<Cuts | Moved> =>
  trial.quietly(async () => {
    const sized = trial.target.answers.get('list.page_size_param') !== undefined;
    const begin = (pageSize: number | 'usual') =>
      walkOf(trial, listing, { pageSize, mostPages: aFew });
    const first = await begin(sized ? 1 : 'usual');
    const total = totalOf(first);
    if (first.ended === 'refused' || total === undefined) {
      return trial.giveUp(`${listing.endpoint} could not be walked over`, first.pages.slice(-1));
    }
    const pageSize = quarterOf(trial, total);
    const whole = await walkOf(trial, listing, { pageSize, mostPages: farEnough });
    const others = [first, ...(sized ? [await begin(few), await begin('usual')] : [])];
    const last = await walkOf(trial, listing, { pageSize: sized ? 1 : 'usual', mostPages: 1 });
    const walks = [whole, ...others, last];
    const stood = totalOf(last) === total && faceOf(listing, last, 1) === faceOf(listing, first, 1);
    const other = walks.find((one) => totalOf(one) !== total);
    if (stood && !other && walks.every(({ steady }) => steady)) return { whole, others };
    const told = other?.steady && totalOf(other) !== undefined;
    return { otherTotal: stood && told ? [first, other] : undefined };
  });

const faceOf = (listing: Listing, { items }: Walk, count: number): string =>
  idsOf(listing, items.slice(0, count)).join(' ');

const attempts = 3;
const pauseMs = 1_500;

/** Judges that the pages of a list, cut in several ways, hold each of its items once; undefined: it kept changing. */
async function judgePages(trial: Trial, listing: Listing): Promise<Walk | undefined> {
  const few = Math.min(largestOf(trial), trial.random.pick(fewSizes));
  const others: Moved['otherTotal'][] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const cuts = await cut(trial, listing, few);
    if ('whole' in cuts) {
      for (const walk of [cuts.whole, ...cuts.others]) judgeWalk(trial, listing, cuts.whole, walk);
      return cuts.whole;
    }
    others.push(cuts.otherTotal);
    await trial.target.timeline.sleep(pauseMs);
  }
  judgeTotals(trial, listing, others);
  return undefined;
}

/** A list that has one total before and after, and another in between, each time that it is looked at, has not moved. */
function judgeTotals(
  trial: Trial,
  { endpoint }: Listing,
  others: readonly Moved['otherTotal'][],
): void {
  const [found] = others;
  if (!found || !others.every((one) => one !== undefined)) return;
  trial.judge('pagination.total-items.counts', false, {
    message: `total_items of ${endpoint} depended on the size of a page.`,
    expected: totalOf(found[0]),
    actual: totalOf(found[1]),
    seen: found.flatMap(shownOf),
  });
}

/** The same of several lists. One that keeps changing shows nothing; where all do, nothing was exercised. */
async function judgeAllPages(
  trial: Trial,
  listings: readonly Listing[],
): Promise<readonly (readonly [Listing, Walk])[]> {
  const steady: (readonly [Listing, Walk])[] = [];
  for (const listing of listings) {
    const whole = await judgePages(trial, listing);
    if (whole) steady.push([listing, whole]);
  }
  if (steady.length === 0) trial.giveUp('the lists kept changing while they were walked over');
  return steady;
}

function judgeWalk(trial: Trial, listing: Listing, whole: Walk, walk: Walk): void {
  const ids = idsOf(listing, walk.items);
  const there = new Set(ids);
  const seen = shownOf(walk);
  const name = `${listing.endpoint} of ${listing.by}`;
  trial.judge('list.pages-disjoint', there.size === ids.length, {
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
  trial.judge('list.pages-complete', missing.length === 0, {
    message: `The pages of ${listing.endpoint} left out an item though nothing had changed.`,
    expected: `the first ${due.length} items of ${name}`,
    actual: { missing },
    seen: [...shownOf(whole), ...seen],
  });
  const total = totalOf(walk);
  if (walk.ended !== 'whole' || total === undefined) return;
  trial.judge('pagination.total-items.counts', total === ids.length, {
    message: `All pages of ${listing.endpoint} together did not hold total_items items.`,
    expected: total,
    actual: ids.length,
    seen,
  });
}

/** Orders of one party in several states, so that each of its lists has more than two pages of one. */
async function variedOrders(trial: Trial, by: 'sender' | 'outsider'): Promise<void> {
  const { timeline } = trial.target;
  const orders: PlacedOrder[] = [];
  for (let n = 0; n < 8; n += 1) orders.push(await createOrder(trial, {}, { by }));
  const [, , , fourth, fifth, sixth, seventh, eighth] = orders;
  for (const order of [fourth, eighth]) if (order) await cancelling(trial, order, by);
  const settling = [fifth, sixth, seventh].flatMap((order) => (order ? [order] : []));
  for (const order of settling) await accept(trial, order, await quote(trial, 'maker_a', order));
  await timeline.together(
    settling.map((order, index) => [
      `settlement ${index + 1}`,
      async () => {
        await awaitStatus(trial, order, terminal, settlementPatienceMs, by);
      },
    ]),
  );
}

const calm = async (trial: Trial, since: number): Promise<void> => {
  const left = since + calmMs - trial.target.timeline.now();
  if (left > 0) await trial.target.timeline.sleep(left);
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
      needs: { parties: [...new Set<CastName>([by, creator, 'maker_a'])], waitMs: 2 * calmMs },
      async run(trial) {
        const since = trial.target.timeline.now();
        await variedOrders(trial, creator);
        await calm(trial, since);
        await judgeAllPages(trial, [
          { by, endpoint: 'order.list' },
          ...statuses.map((status) => ({ by, endpoint: 'order.list', query: { status } }) as const),
        ]);
      },
    }),
);

/** Three quotes that win and settle, two that lose, and two that are left open. */
async function variedQuotes(trial: Trial, maker: CastName, rival: CastName): Promise<void> {
  const { timeline } = trial.target;
  const won: PlacedOrder[] = [];
  for (let n = 0; n < 7; n += 1) {
    const order = await createOrder(trial);
    const mine = await quote(trial, maker, order);
    if (n >= 5) continue;
    const winner = n < 3 ? mine : await quote(trial, rival, order);
    await accept(trial, order, winner);
    won.push(order);
  }
  await timeline.together(
    won.map((order, index) => [
      `settlement ${index + 1}`,
      async () => {
        await awaitStatus(trial, order, terminal, settlementPatienceMs);
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
      needs: { parties: ['sender', maker, rival], waitMs: 2 * calmMs },
      async run(trial) {
        const since = trial.target.timeline.now();
        await variedQuotes(trial, maker, rival);
        await calm(trial, since);
        const lists: readonly Listing[] = [
          { by: maker, endpoint: 'quote.list' },
          ...statuses.map(
            (status) => ({ by: maker, endpoint: 'quote.list', query: { status } }) as const,
          ),
          { by: maker, endpoint: 'settlement.list' },
          { by: maker, endpoint: 'rfq.list' },
        ];
        for (const [listing, whole] of await judgeAllPages(trial, lists)) {
          judgePaged(trial, listing, whole);
        }
      },
    }),
);

/** A list of more items than its page holds says that there are more pages. */
function judgePaged(trial: Trial, listing: Listing, whole: Walk): void {
  const { ended } = whole;
  if (ended !== 'whole' && ended !== 'too-long') return;
  trial.judge('maker.lists-have-pages', whole.items.length > 0 || totalOf(whole) === 0, {
    message: `${listing.endpoint} has items but no page shows them.`,
    expected: totalOf(whole),
    actual: whole.items.length,
    seen: shownOf(whole),
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
    waitMs: calmMs,
  },
  async run(trial) {
    const order = await createOrder(trial);
    const params = { intent_id: order.intentId };
    for (const maker of ['maker_a', 'maker_b', 'maker_c'] as const)
      await quote(trial, maker, order);
    for (let n = 0; n < 9; n += 1) {
      // Whether a maker may quote twice is open (gap `quote.twice`): some of these may be refused.
      const body = quoteBody(trial, order);
      await trial.party('maker_b').call('quote.submit', { params, body });
    }
    await trial.target.timeline.sleep(3_000);
    const listings: readonly Listing[] = [
      { by: 'sender', endpoint: 'order.quotes', params },
      { by: 'sender_custodian', endpoint: 'order.quotes', params },
      { by: 'maker_b', endpoint: 'rfq.quotes', params },
    ];
    await judgeAllPages(trial, listings);
  },
});

export const pageChecks: readonly Check[] = [...orderLists, ...makerLists, quoteLists];
