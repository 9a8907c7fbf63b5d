import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  cancel,
  createOrder,
  type Fields,
  findInList,
  itemsOf,
  answerEvidence,
  type PlacedOrder,
  describeExchange,
  noAnswerReason,
  assertNoServerFault,
  settledOrder,
  succeeded,
  type PageWalk,
} from '../../../src/suite/actions/index.ts';
import type {
  CastName,
  GuardedEndpoint,
  RequirementId,
} from '../../../src/spec/requirements/index.ts';
import { each } from '../../shared/check-table.ts';
import { idOf, type Listing, type ListEndpoint, totalItemsOf, walkOf } from './list-walks.ts';

/**
 * Lists are looked at here once more when most of a run is over, and its orders have ended in every way there is: the
 * rules hold them against all that was seen of those orders.
 */

/** Long after most checks, and within what a run on a system clock usually waits. */
const restMs = 80_000;
/** After most orders of those checks have expired, where orders live longer than that. */
const afterLifeMs = 60_000;
const mostPages = 12;

interface Look {
  readonly endpoint: ListEndpoint;
  /** What it can be filtered by. */
  readonly statuses: readonly string[];
  readonly requirement: RequirementId;
}

const orders = (requirement: RequirementId): readonly Look[] => [
  { endpoint: 'order.list', statuses: ['SETTLED', 'EXPIRED', 'FAILED'], requirement },
];
const ofMaker: readonly Look[] = [
  {
    endpoint: 'quote.list',
    statuses: ['ACCEPTED', 'REJECTED', 'EXPIRED'],
    requirement: 'quote.list.complete',
  },
  { endpoint: 'settlement.list', statuses: [], requirement: 'settlement.list.holds-won' },
];

/** Where pages are not bounded, no more than so many items are asked for. */
const enough = 1_000;

/** Asks for more than a page may hold, or than there are: the rules hold what comes against what it says. */
async function askForTooMany(
  t: CheckContext,
  { by, endpoint }: Listing,
  total: number,
): Promise<void> {
  const { answers } = t.target;
  const size = answers.get('list.page_size_param');
  if (size === undefined) return;
  const most = Number(answers.get('list.max_page_size') ?? total);
  const asked = Math.min(Number.isInteger(most) ? most : total, enough) + 50;
  const exchange = await t.party(by).call(endpoint, { query: { [size]: `${asked}` } });
  assertNoServerFault(t, 'error.refusal-is-4xx', exchange, `a page of ${asked} items`);
}

interface Row {
  readonly by: CastName;
  /** Who quotes the order that must be on the lists. */
  readonly maker: CastName;
  readonly looks: readonly Look[];
}

const rows: readonly Row[] = [
  { by: 'sender', maker: 'maker_a', looks: orders('order.list.complete') },
  {
    by: 'sender_custodian',
    maker: 'maker_a',
    looks: orders('order.list.sender-custodian-included'),
  },
  ...(['maker_a', 'maker_b', 'maker_c'] as const).map((by) => ({ by, maker: by, looks: ofMaker })),
];

/** Waits until the run is mostly over, and what it created has expired where that is not too long. */
async function untilLast(
  t: CheckContext,
  since: number,
  expiresAt: number | undefined,
): Promise<void> {
  const { timeline, clock } = t.target;
  const over = expiresAt === undefined ? 0 : expiresAt - clock.offset.least + afterLifeMs;
  const inReach = over - since <= clock.maxWaitMs;
  const moment = Math.max(since + restMs, inReach ? over : 0);
  t.allowWait(moment - timeline.now(), 'the rest of the run');
  await timeline.until(moment);
}

/** Judges that a list holds what is due on it, wherever it stands. `known`: the list, where it was read before. */
async function assertOnList(
  t: CheckContext,
  listing: Listing,
  { requirement }: Look,
  expectedId: string,
  known?: PageWalk,
): Promise<void> {
  const { by, endpoint } = listing;
  const isDue = (item: Fields): boolean => idOf(listing, item) === expectedId;
  if (known?.items.some(isDue)) {
    t.assert(requirement, true, { message: '', seen: known.pages.slice(-1) });
    return;
  }
  const found = await findInList(t, t.party(by), endpoint, isDue);
  if (found.ended !== 'found' && found.ended !== 'whole') {
    t.inconclusive(requirement, `${endpoint} of ${by} could not be read to its end`);
    return;
  }
  t.assert(requirement, found.item !== undefined, {
    message: `${endpoint} of ${by} left out what had ended some time ago.`,
    expected: expectedId,
    seen: found.pages.slice(-3),
  });
}

const lookAtLast: readonly Check[] = each(rows, ({ by, maker, looks }) =>
  defineCheck({
    id: `list.at-last.${by}`,
    title: `When most of a run is over, the lists of ${by} hold all that must be there, filtered or not.`,
    requirements: [...looks.map(({ requirement }) => requirement), 'error.refusal-is-4xx'],
    needs: { parties: [...new Set<CastName>(['sender', maker, by])], waitMs: restMs },
    async run(t) {
      const since = t.target.timeline.now();
      const { order, quote } = await settledOrder(t, { maker });
      await untilLast(t, since, order.expiresAt);
      for (const look of looks) {
        const { endpoint, statuses } = look;
        const listing: Listing = { by, endpoint };
        const whole = await walkOf(t, listing, { mostPages });
        for (const status of statuses) {
          await walkOf(t, { ...listing, query: { status } }, { mostPages });
        }
        await askForTooMany(t, listing, totalItemsOf(whole) ?? 0);
        const expectedId = (
          endpoint === 'quote.list' ? quote.quoteId : order.intentId
        ).toLowerCase();
        await assertOnList(t, listing, look, expectedId, whole);
      }
    },
  }),
);

/** Beyond any time after which what has ended would be tidied away. */
const longAfterMs = 65 * 60_000;

/** What else shows an order that has ended, to whom. */
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

/** @param settled the order whose quotes and settlement are there to be read as well */
async function assertReads(
  t: CheckContext,
  by: CastName,
  { intentId }: PlacedOrder,
  settled: boolean,
): Promise<void> {
  for (const [endpoint, requirement] of reads[by] ?? []) {
    if (!settled && endpoint !== 'order.read') continue;
    const exchange = await t.party(by).call(endpoint, { params: { intent_id: intentId } });
    const silent = noAnswerReason(exchange);
    // No deadline bears on a read, so this is not `allowed`, which excuses what a deadline may have ended.
    if (silent !== undefined)
      t.inconclusive(requirement, `${describeExchange(exchange)}: ${silent}`);
    else {
      const isThere = endpoint !== 'order.quotes' || itemsOf(exchange).length > 0;
      t.assert(requirement, succeeded(exchange) && isThere, {
        message: `An order that had ended long ago could not be read any more (${endpoint}).`,
        expected: 'a success (2xx) that shows it',
        actual: answerEvidence(exchange),
        seen: [exchange],
      });
    }
  }
}

/** The document lets nothing fall off a list with time. */
const lookLongAfter: readonly Check[] = rows
  .filter(({ by }) => by !== 'maker_b' && by !== 'maker_c')
  .map(({ by, maker, looks }) =>
    defineCheck({
      id: `list.long-after.${by}`,
      title: `What ended long ago is on the lists of ${by} still.`,
      requirements: [
        ...looks.map(({ requirement }) => requirement),
        ...(reads[by] ?? []).map(([, requirement]) => requirement),
      ],
      needs: { parties: [...new Set<CastName>(['sender', maker, by])], waitMs: longAfterMs },
      async run(t) {
        const since = t.target.timeline.now();
        const { order, quote } = await settledOrder(t, { maker });
        const other = await createOrder(t);
        await cancel(t, other);
        await t.target.timeline.until(since + longAfterMs);
        for (const look of looks) {
          const { endpoint } = look;
          const orders = endpoint === 'order.list' ? [order, other] : [order];
          const ids =
            endpoint === 'quote.list' ? [quote.quoteId] : orders.map((one) => one.intentId);
          for (const id of ids) await assertOnList(t, { by, endpoint }, look, id.toLowerCase());
        }
        await assertReads(t, by, order, true);
        await assertReads(t, by, other, false);
      },
    }),
  );

export const lateListChecks: readonly Check[] = [...lookAtLast, ...lookLongAfter];
