import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  assertAllowed,
  createOrder,
  retryWhileRefused,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
  assertRefused,
  succeeded,
  targetNow,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { findUnderFilter } from '../../4-endpoints/lists/status-filters.ts';
import {
  expiryRequirements,
  assertExpires,
  quoteBeyondExpiry,
  untilNear,
} from '../../shared/order-expiry.ts';
import { assertSettlement } from '../../shared/settlement-assertions.ts';
import { assertState } from '../../shared/order-assertions.ts';
import {
  tryAccept,
  type Accepter,
  each,
  stateOf,
  expiryLagMs,
  waits,
} from '../../shared/order-calls.ts';
import { lifeRequirementsOf } from '../../shared/order-life.ts';

/** The order's deadline ends what a quote of longer validity could still do. */
const longQuoted = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.expiry.quote-outlives-it.${by}`,
    title: `${by} cannot accept on an EXPIRED order a quote that is still valid.`,
    requirements: ['order.accept.expired-order-refused', ...expiryRequirements],
    needs: { parties: [...new Set(['sender', 'maker_b', by] as const)], waitMs: waits.orderExpiry },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quoteBeyondExpiry(t, 'maker_b', order);
      if (!placed) {
        return t.outOfScope('no quote is valid longer than its order (gap quote.beyond_expiry)');
      }
      await assertExpires(t, order);
      const ended = await readOrder(t, order, by);
      if (stateOf(ended.data) !== 'EXPIRED') return undefined;
      const no = await tryAccept(t, order, placed, by);
      assertRefused(
        t,
        'order.accept.expired-order-refused',
        no,
        'an acceptance on an EXPIRED order',
      );
      const after = await readOrder(t, order);
      assertState(t, 'order.state.expired-absorbs', after, ['EXPIRED'], 'after a late acceptance');
      return undefined;
    },
  }),
);

/** Once accepted, an order's own deadline is nothing to it. */
const outlives = each(
  [
    { id: 'sender', by: 'sender', beforeMs: 2_500 },
    { id: 'custodian', by: 'sender_custodian', beforeMs: 2_500 },
    { id: 'early', by: 'sender', beforeMs: undefined },
  ] as const,
  ({ id, by, beforeMs }) =>
    defineCheck({
      id: `order.expiry.accepted-outlives.${id}`,
      title: `An order that ${by} accepted ${beforeMs === undefined ? 'early' : 'shortly before expires_at'} is not ended by that deadline.`,
      requirements: [
        'order.state.accepted-outlives-expires-at',
        'order.expires-at.acceptable-until',
        ...(beforeMs === undefined ? (['order.list.status-filter.complete'] as const) : []),
        ...lifeRequirementsOf(by),
      ],
      needs: {
        parties: [...new Set(['sender', 'maker_a', by] as const)],
        waitMs: waits.orderExpiry,
      },
      async run(t) {
        const order = await createOrder(t);
        const placed =
          (await quoteBeyondExpiry(t, 'maker_a', order)) ?? (await quote(t, 'maker_a', order));
        const deadline = beforeMs === undefined ? undefined : await untilNear(t, order, beforeMs);
        if (placed.validUntil < targetNow(t).latest + 1_000) {
          t.notExercised('no quote is valid long enough here');
        }
        await acceptLate(t, order, placed, by, deadline);
      },
    }),
);

/** An order's deadline is its last moment, not a moment before that; who loses is told, however little is left. */
const atLast = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `order.expiry.accepted-at-last.${by}`,
    title: `${by} accepts a quote a moment before expires_at.`,
    requirements: ['order.expires-at.acceptable-until'],
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
      waitMs: waits.orderExpiry,
    },
    async run(t) {
      if (t.target.timeline.kind === 'system') {
        return t.outOfScope('on a clock that runs by itself an answer may come too late');
      }
      const order = await createOrder(t);
      // Quotes may live for less long than orders, and may have to end before them (gap `quote.beyond_expiry`).
      const validUntil = (await untilNear(t, order, 8_000)) - 1;
      const placed = await quote(t, 'maker_a', order, { validUntil });
      await quote(t, 'maker_b', order, { validUntil });
      const deadline = await untilNear(t, order, 60);
      await acceptInTime(t, order, placed, by, deadline);
      return undefined;
    },
  }),
);

/** Judges that a valid quote can be accepted while its order is open; undefined where it was not. */
async function acceptInTime(
  t: CheckContext,
  order: PlacedOrder,
  placed: PlacedQuote,
  by: 'sender' | 'sender_custodian',
  deadline: number | undefined,
): Promise<Exchange | undefined> {
  const { clock } = t.target;
  // Where there is time, the backend of who accepts may learn of the quote a little later (gap `views.lag`).
  const accepting = () => tryAccept(t, order, placed, by);
  const acceptance = await (deadline === undefined ? retryWhileRefused(t, accepting) : accepting());
  const last = Math.min(deadline ?? order.expiresAt ?? Number.POSITIVE_INFINITY, placed.validUntil);
  const inTime = acceptance.received + clock.offset.most < last;
  if (!succeeded(acceptance) && !inTime)
    t.notExercised('the acceptance came too late', [acceptance]);
  const what = 'the acceptance of a valid quote before expires_at';
  return assertAllowed(t, 'order.expires-at.acceptable-until', acceptance, what)
    ? acceptance
    : undefined;
}

/** Accepts a quote that is valid beyond its order's deadline, early or shortly before that, and judges that it settles. */
async function acceptLate(
  t: CheckContext,
  order: PlacedOrder,
  placed: PlacedQuote,
  by: 'sender' | 'sender_custodian',
  deadline: number | undefined,
): Promise<void> {
  const acceptance = await acceptInTime(t, order, placed, by, deadline);
  if (!acceptance) return;
  const deal = { order, quote: placed, acceptedBy: by };
  // A quote that lapses meanwhile may end the order (gaps `settlement.beyond_validity`, `order.quoted_expiry`).
  const beyond = order.expiresAt !== undefined && placed.validUntil > order.expiresAt + 10_000;
  if (deadline !== undefined && !beyond) return;
  if (deadline !== undefined) await assertSettlement(t, deal, acceptance);
  await untilExpired(t, order, expiryLagMs);
  const requirement = 'order.state.accepted-outlives-expires-at';
  const after = await readOrder(t, order);
  assertState(t, requirement, after, ['SETTLED'], 'after its own deadline, though accepted before');
  // A filter is over all orders, not over what happened lately: this one settled when it was accepted, long ago.
  if (deadline === undefined) await findUnderFilter(t, 'sender', order);
}

export const quoteOutlivesOrderChecks: readonly Check[] = [...longQuoted, ...outlives, ...atLast];
