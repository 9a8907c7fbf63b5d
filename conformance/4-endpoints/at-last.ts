import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import { settledOrder } from '../../src/conformance/moves/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { each } from '../3-states/words.ts';
import { askForTooMany, judgePastEnd } from './beyond.ts';
import { idsOf, type Listing, type ListEndpoint, totalOf, walkOf } from './walks.ts';

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
  trial: Trial,
  since: number,
  expiresAt: number | undefined,
): Promise<void> {
  const { timeline, clock } = trial.target;
  const over = expiresAt === undefined ? 0 : expiresAt - clock.offset.least + afterLifeMs;
  const inReach = over - since <= clock.maxWaitMs;
  const moment = Math.max(since + restMs, inReach ? over : 0);
  trial.mayWait(moment - timeline.now(), 'the rest of the run');
  await timeline.until(moment);
}

export const lastLooks: readonly Check[] = each(rows, ({ by, maker, looks }) =>
  defineCheck({
    id: `list.at-last.${by}`,
    title: `When most of a run is over, the lists of ${by} hold all that must be there, filtered or not.`,
    requirements: [...looks.map(({ requirement }) => requirement), 'pagination.total-items.counts'],
    needs: { parties: [...new Set<CastName>(['sender', maker, by])], waitMs: restMs },
    async run(trial) {
      const since = trial.target.timeline.now();
      const { order, quote } = await settledOrder(trial, { maker });
      await untilLast(trial, since, order.expiresAt);
      for (const { endpoint, statuses, requirement } of looks) {
        const listing: Listing = { by, endpoint };
        const whole = await walkOf(trial, listing, { mostPages });
        const due = endpoint === 'quote.list' ? quote.quoteId : order.intentId;
        const isThere = idsOf(listing, whole.items).includes(due.toLowerCase());
        // A list of many small pages is not read to its end, and one that moves may hide an item.
        if (!isThere && (whole.ended !== 'whole' || !whole.steady)) continue;
        trial.judge(requirement, isThere, {
          message: `${endpoint} of ${by} left out what had settled some time ago.`,
          expected: due,
          seen: whole.pages.slice(-3),
        });
        for (const status of statuses) {
          await walkOf(trial, { ...listing, query: { status } }, { mostPages });
        }
        const [status] = statuses;
        await judgePastEnd(trial, listing);
        if (status !== undefined) await judgePastEnd(trial, { ...listing, query: { status } });
        await askForTooMany(trial, listing, totalOf(whole) ?? 0);
      }
    },
  }),
);
