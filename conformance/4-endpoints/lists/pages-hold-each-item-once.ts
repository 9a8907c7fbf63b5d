import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  concurrently,
} from '../../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { awaitOrderEnds, type Listing, totalItemsOf, walkUnchanged } from './list-walks.ts';
import { rows } from '../../shared/check-table.ts';
import { needsOf } from '../../shared/waits.ts';

/** Time after which most activity of a run's start has ended, so that lists stay unchanged. */
const listsSettledMs = 20_000;

const pageRequirements = [
  'list.pages-disjoint',
  'list.pages-complete',
  'pagination.total-items.counts',
] as const satisfies readonly RequirementId[];

/** Beginnings of a list in pages of one, of a few and of the target's own size are walked over as far as this. */
const aFewPages = 3;
const fewSizes = [2, 3, 5];
const attempts = 3;
const pauseMs = 1_500;

/** The largest page that is asked for here, as far as the target allows. */
function largestOf(t: CheckContext): number {
  const most = Number(t.target.answers.get('list.max_page_size') ?? 100);
  return Number.isInteger(most) && most > 0 ? Math.min(most, 100) : 100;
}

/**
 * Walks over a list in pages of several sizes while no other check of this run calls; again if it changed meanwhile.
 */
async function walkInSizes(t: CheckContext, listing: Listing): Promise<void> {
  const few = Math.min(largestOf(t), t.random.pick(fewSizes));
  const begin = (pageSize: number | 'usual', mostPages = aFewPages) =>
    walkUnchanged(t, listing, { pageSize, mostPages });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isSteady = await t.whileUnchanged(async () => {
      const first = await begin(1);
      const total = totalItemsOf(first);
      // Page size with which the whole list fills four pages.
      const quarter = Math.min(largestOf(t), Math.max(1, Math.ceil(total / 4)));
      const others = await concurrently(t, [
        () => walkUnchanged(t, listing, { pageSize: quarter }),
        // A filtered list has its own pages, but not its own page sizes.
        ...(listing.query ? [] : [() => begin(few), () => begin('usual')]),
      ]);
      return [first, ...others, await begin(1, 1)].every(
        (walk) => walk.steady && totalItemsOf(walk) === total,
      );
    });
    if (isSteady) return;
    await t.target.timeline.sleep(pauseMs);
  }
}

/** Side by side, each of them and each of them under a filter. */
async function walkAll(t: CheckContext, lists: readonly Listing[]): Promise<void> {
  await concurrently(
    t,
    lists.map((list) => () => walkInSizes(t, list)),
  );
}

/** A list whole, and filtered by each of some states. */
const andFiltered = (list: Listing, statuses: readonly string[]): readonly Listing[] => [
  list,
  ...statuses.map((status) => ({ ...list, query: { status } })),
];

/** Orders of one party in several states, so that each of its lists has more than two pages of one. */
async function variedOrders(t: CheckContext, by: 'sender' | 'outsider'): Promise<void> {
  const settling: PlacedOrder[] = [];
  for (const end of ['', '', '', 'cancelled', 'settled', 'settled', 'settled', 'cancelled']) {
    const order = await createOrder(t, {}, { by });
    if (end === 'cancelled') await cancelOrder(t, order, by);
    if (end === 'settled') {
      await accept(t, order, await quote(t, 'maker_a', order));
      settling.push(order);
    }
  }
  await awaitOrderEnds(t, settling);
}

/** Three quotes that win and settle, two that lose, and two that are left open. */
async function variedQuotes(t: CheckContext, maker: CastName, rival: CastName): Promise<void> {
  const settling: PlacedOrder[] = [];
  for (const end of ['won', 'won', 'won', 'lost', 'lost', 'open', 'open']) {
    const order = await createOrder(t);
    const mine = await quote(t, maker, order);
    if (end === 'open') continue;
    await accept(t, order, end === 'won' ? mine : await quote(t, rival, order));
    settling.push(order);
  }
  await awaitOrderEnds(t, settling);
}

const untilSettled = async (t: CheckContext, since: number): Promise<void> => {
  const left = since + listsSettledMs - t.target.timeline.now();
  if (left > 0) await t.target.timeline.sleep(left);
};

/** 2.1, 4.2, 4.3: with any page size, the pages of a list of orders contain each order once. */
const orderLists = rows(
  { by: 'sender', creator: 'sender', statuses: ['PENDING', 'SETTLED', 'EXPIRED', 'FAILED'] },
  { by: 'outsider', creator: 'outsider', statuses: ['PENDING', 'SETTLED'] },
  { by: 'sender_custodian', creator: 'sender', statuses: ['PENDING', 'SETTLED', 'FAILED'] },
  { by: 'receiver_custodian', creator: 'sender', statuses: [] },
).map<Check>(({ by, creator, statuses }) => ({
  id: `list.pages.orders.${by}`,
  title: `The orders of ${by}, all and by status, are each on one page, whatever the size of a page.`,
  requirements: pageRequirements,
  needs: needsOf(2 * listsSettledMs, by, creator, 'maker_a'),
  async run(t) {
    const since = t.target.timeline.now();
    await variedOrders(t, creator);
    await untilSettled(t, since);
    await walkAll(t, andFiltered({ by, endpoint: 'order.list' }, statuses));
  },
}));

/** 2.1, 4.4: the pages of a maker's lists contain each item once. */
const makerLists = rows(
  { maker: 'maker_a', rival: 'maker_b', statuses: ['PENDING', 'ACCEPTED', 'REJECTED'] },
  { maker: 'maker_b', rival: 'maker_c', statuses: ['ACCEPTED'] },
  { maker: 'maker_c', rival: 'maker_a', statuses: ['REJECTED'] },
).map<Check>(({ maker, rival, statuses }) => ({
  id: `list.pages.${maker}`,
  title: `The quotes of ${maker}, all and by status, its settlements and the requests are each on one page.`,
  requirements: [...pageRequirements, 'maker.lists-have-pages'],
  needs: { parties: ['sender', maker, rival], waitMs: 2 * listsSettledMs },
  async run(t) {
    const since = t.target.timeline.now();
    await variedQuotes(t, maker, rival);
    await untilSettled(t, since);
    await walkAll(t, [
      ...andFiltered({ by: maker, endpoint: 'quote.list' }, statuses),
      { by: maker, endpoint: 'settlement.list' },
      // Requests are open to all makers: one of them walks over their pages.
      ...(maker === 'maker_a' ? [{ by: maker, endpoint: 'rfq.list' } as const] : []),
    ]);
  },
}));

/** Neither the lowest nor the highest price comes first: a page that is sorted by price shows. */
const rates = ['1', '1.0125', '0.9875'] as const;
const rateOf = (index: number): { readonly rate: string } => ({
  rate: rates[index % rates.length] ?? '1',
});

/**
 * 2.1: the pages of an order's quotes contain each quote once: of several makers, and several of one maker if
 * admissible.
 */
const quoteLists: Check = {
  id: 'list.pages.quotes-of-one-order',
  title:
    'The quotes of one order, a dozen where so many are taken, are each on one page, for its sender, its custodian and a maker.',
  requirements: pageRequirements,
  needs: needsOf(listsSettledMs, 'sender', 'sender_custodian', 'maker_a', 'maker_b', 'maker_c'),
  async run(t) {
    const order = await createOrder(t);
    const params = paramsOf(order);
    for (const [index, maker] of (['maker_a', 'maker_b', 'maker_c'] as const).entries())
      await quote(t, maker, order, rateOf(index));
    for (let n = 0; n < 9; n += 1) {
      // A maker may have only one quote here (gap `quote.twice`): some of these may be refused.
      const body = quoteBody(t, order, rateOf(n));
      await t.party('maker_b').call('quote.submit', { params, body });
    }
    await t.target.timeline.sleep(3_000);
    await walkAll(t, [
      { by: 'sender', endpoint: 'order.quotes', params },
      { by: 'sender_custodian', endpoint: 'order.quotes', params },
      { by: 'maker_b', endpoint: 'rfq.quotes', params },
    ]);
  },
};

export const pageChecks: readonly Check[] = [...orderLists, ...makerLists, quoteLists];
