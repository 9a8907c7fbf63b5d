import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  cancel,
  createOrder,
  type Fields,
  matchesOrder,
  matchesQuote,
  paramsOf,
  type PlacedOrder,
  retryWhileRefused,
  settledOrder,
  concurrently,
} from '../../../src/suite/actions/index.ts';
import type {
  CastName,
  GuardedEndpoint,
  RequirementId,
} from '../../../src/spec/requirements/index.ts';
import { type Listing, pollList, totalItemsOf, walkUnchanged } from './list-walks.ts';

/**
 * Lists are read once more when most of a run is over and its orders have ended in every way: the rules compare them
 * with everything that was seen of those orders.
 */

/** Long after most checks, and within the usual waits of a run on a system clock. */
const restMs = 80_000;
/** After most orders of those checks have expired, if orders live longer than `restMs`. */
const afterLifeMs = 60_000;
const mostPages = 12;

interface Look {
  readonly endpoint: GuardedEndpoint;
  /** Values of its status filter. */
  readonly statuses: readonly string[];
}

const orders: readonly Look[] = [
  { endpoint: 'order.list', statuses: ['SETTLED', 'EXPIRED', 'FAILED'] },
];
const ofMaker: readonly Look[] = [
  { endpoint: 'quote.list', statuses: ['ACCEPTED', 'REJECTED', 'EXPIRED'] },
  { endpoint: 'settlement.list', statuses: [] },
];

/** Maximum page size to ask for if pages are not bounded. */
const enough = 1_000;

/** Asks for more items than a page may hold, or than exist: the rules compare the items with their pagination. */
async function askForTooMany(t: CheckContext, { by, endpoint }: Listing, total: number) {
  const { answers } = t.target;
  const size = answers.get('list.page_size_param');
  if (size === undefined) return;
  const most = Number(answers.get('list.max_page_size') ?? total);
  const asked = Math.min(Number.isInteger(most) ? most : total, enough) + 50;
  await t.party(by).call(endpoint, { query: { [size]: `${asked}` } });
}

interface Row {
  readonly by: CastName;
  /** Maker that quotes the order that must be on the lists. */
  readonly maker: CastName;
  readonly looks: readonly Look[];
  readonly requirements: readonly RequirementId[];
}

const rows: readonly Row[] = [
  { by: 'sender', maker: 'maker_a', looks: orders, requirements: ['order.list.complete'] },
  {
    by: 'sender_custodian',
    maker: 'maker_a',
    looks: orders,
    requirements: ['order.list.sender-custodian-included'],
  },
  ...(['maker_a', 'maker_b', 'maker_c'] as const).map(
    (by): Row => ({
      by,
      maker: by,
      looks: ofMaker,
      requirements: ['quote.list.complete', 'settlement.list.holds-won'],
    }),
  ),
];

/** Waits until the run is mostly over and its orders have expired, unless that takes too long. */
async function untilLast(t: CheckContext, since: number, expiresAt: number | undefined) {
  const { timeline, clock } = t.target;
  const over = expiresAt === undefined ? 0 : expiresAt - clock.offset.least + afterLifeMs;
  const inReach = over - since <= clock.maxWaitMs;
  const instant = Math.max(since + restMs, inReach ? over : 0);
  t.allowWait(instant - timeline.now(), 'the rest of the run');
  await timeline.until(instant);
}

/** 4.2, 4.3, 4.4: lists contain items that ended some time ago, also under the filter of their state. */
const lookAtLast = rows.map<Check>(({ by, maker, looks, requirements }) => ({
  id: `list.late-in-run.${by}`,
  title: `When most of a run is over, the lists of ${by} hold all that must be there, filtered or not.`,
  requirements: [...requirements, 'error.refusal-is-4xx'],
  needs: { parties: ['sender', maker, by], waitMs: restMs },
  async run(t) {
    const since = t.target.timeline.now();
    const { order, quote } = await settledOrder(t, { maker });
    await untilLast(t, since, order.expiresAt);
    for (const { endpoint, statuses } of looks) {
      const listing: Listing = { by, endpoint };
      const whole = await walkUnchanged(t, listing, { mostPages });
      const walk = (status: string) => () =>
        walkUnchanged(t, { ...listing, query: { status } }, { mostPages });
      await concurrently(t, statuses.map(walk));
      await askForTooMany(t, listing, totalItemsOf(whole));
      const isIt = endpoint === 'quote.list' ? matchesQuote(quote) : matchesOrder(order);
      await pollList(t, listing, isIt);
    }
  },
}));

/** Longer than any delay after which a backend would remove ended orders. */
const longAfterMs = 65 * 60_000;

/** Other reads that show an ended order, by party. */
const reads: Partial<Record<CastName, readonly (readonly [GuardedEndpoint, RequirementId])[]>> = {
  sender: [
    ['order.read', 'order.read.returns-that-order'],
    ['order.quotes', 'order.quotes.complete'],
  ],
  sender_custodian: [
    ['order.read', 'order.read.by-sender-custodian'],
    ['order.quotes', 'order.quotes.by-sender-custodian'],
  ],
  maker_a: [['settlement.read', 'settlement.read.returns-that-settlement']],
};

/** 4.2, 4.3, 4.4: nothing falls off a list with time, or cannot be read any more. */
const lookLongAfter = rows
  .filter(({ by }) => by in reads)
  .map<Check>(({ by, maker, looks, requirements }) => ({
    id: `list.long-after.${by}`,
    title: `What ended long ago is on the lists of ${by} still.`,
    requirements: [...requirements, ...(reads[by] ?? []).map(([, requirement]) => requirement)],
    needs: { parties: ['sender', maker, by], waitMs: longAfterMs },
    async run(t) {
      const since = t.target.timeline.now();
      const { order, quote } = await settledOrder(t, { maker });
      const other = await createOrder(t);
      await cancel(t, other);
      // Read at once and again long after: an order that could be read must still be readable.
      for (const instant of [since, since + longAfterMs]) {
        await t.target.timeline.until(instant);
        const read = (endpoint: GuardedEndpoint, of: PlacedOrder) => () =>
          retryWhileRefused(t, () => t.party(by).call(endpoint, { params: paramsOf(of) }));
        const endpoints = (reads[by] ?? []).map(([endpoint]) => endpoint);
        await concurrently(t, [
          ...endpoints.map((endpoint) => read(endpoint, order)),
          ...(endpoints.includes('order.read') ? [read('order.read', other)] : []),
        ]);
        const find = (endpoint: GuardedEndpoint, isIt: (item: Fields) => boolean) => () =>
          pollList(t, { by, endpoint }, isIt);
        await concurrently(
          t,
          looks.flatMap(({ endpoint }) => [
            find(endpoint, endpoint === 'quote.list' ? matchesQuote(quote) : matchesOrder(order)),
            ...(endpoint === 'order.list' ? [find(endpoint, matchesOrder(other))] : []),
          ]),
        );
      }
    },
  }));

export const lateListChecks: readonly Check[] = [...lookAtLast, ...lookLongAfter];
