import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  assertAllowed,
  createOrder,
  findInList,
  matchesOrder,
  quote,
  readOrder,
  retryWhileRefused,
  succeeded,
  targetNow,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import {
  expiryRequirements,
  followToExpiry,
  quoteBeyondExpiry,
  untilNear,
} from '../../shared/order-expiry.ts';
import { followToSettlement, lifeRequirementsOf, type Trade } from '../../shared/order-life.ts';
import { expiryLagMs, needsOf, waits } from '../../shared/waits.ts';
import { tryAccept } from '../../shared/order-calls.ts';
import { rows } from '../../shared/check-table.ts';

/** 3.1: after the order's deadline a quote of longer validity cannot be accepted any more. */
const longQuoted = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.expiry.quote-outlives-it.${by}`,
  title: `${by} cannot accept on an EXPIRED order a quote that is still valid.`,
  requirements: ['order.accept.expired-order-refused', ...expiryRequirements],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_b', by),
  async run(t) {
    const order = await createOrder(t);
    const placed = await quoteBeyondExpiry(t, 'maker_b', order);
    if (!placed) {
      return t.outOfScope('no quote is valid longer than its order (gap quote.beyond_expiry)');
    }
    await followToExpiry(t, order);
    await readOrder(t, order, by);
    await tryAccept(t, order, placed, by);
    await readOrder(t, order);
    return undefined;
  },
}));

/** Asserts that a valid quote can be accepted while its order is open. */
async function assertAcceptable(
  t: CheckContext,
  { order, quote: placed, acceptedBy: by }: Trade,
  deadline: number | undefined,
): Promise<Exchange | undefined> {
  const { clock } = t.target;
  // If there is time, the request is retried: the accepting party's backend may show the quote late (gap `views.lag`).
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

/** 3.1: an order with an accepted quote does not expire: its own deadline has no effect any more. */
const outlives = rows(
  { id: 'sender', by: 'sender', beforeMs: 2_500 },
  { id: 'custodian', by: 'sender_custodian', beforeMs: 2_500 },
  { id: 'early', by: 'sender', beforeMs: undefined },
).map<Check>(({ id, by, beforeMs }) => ({
  id: `order.expiry.accepted-outlives.${id}`,
  title: `An order that ${by} accepted ${beforeMs === undefined ? 'early' : 'shortly before expires_at'} is not ended by that deadline.`,
  requirements: [
    'order.state.accepted-outlives-expires-at',
    'order.expires-at.acceptable-until',
    ...(beforeMs === undefined ? (['order.list.status-filter.complete'] as const) : []),
    ...lifeRequirementsOf(by),
  ],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_a', by),
  async run(t) {
    const order = await createOrder(t);
    const placed =
      (await quoteBeyondExpiry(t, 'maker_a', order)) ?? (await quote(t, 'maker_a', order));
    const deadline = beforeMs === undefined ? undefined : await untilNear(t, order, beforeMs);
    if (placed.validUntil < targetNow(t).latest + 1_000) {
      t.notExercised('no quote is valid long enough here');
    }
    const trade = { order, quote: placed, acceptedBy: by };
    if (!(await assertAcceptable(t, trade, deadline))) return;
    await followToSettlement(t, trade);
    await untilExpired(t, order, expiryLagMs);
    await readOrder(t, order);
    // A filter covers all orders, not only recent changes: this one settled long ago.
    if (deadline !== undefined) return;
    const settled = { query: { status: 'SETTLED' } };
    await findInList(t, t.party('sender'), 'order.list', matchesOrder(order), settled);
  },
}));

/** 3.1: a quote can be accepted until expires_at, however little time is left; the losing maker still gets its event. */
const atLast = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.expiry.accepted-just-before.${by}`,
  title: `${by} accepts a quote a moment before expires_at.`,
  requirements: ['order.expires-at.acceptable-until'],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_a', 'maker_b', by),
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
    await assertAcceptable(t, { order, quote: placed, acceptedBy: by }, deadline);
    return undefined;
  },
}));

export const quoteOutlivesOrderChecks: readonly Check[] = [...longQuoted, ...outlives, ...atLast];
