import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  createOrder,
  insist,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
  refused,
  succeeded,
  targetNow,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { judgeUnder } from '../4-endpoints/filtered.ts';
import { expiryRequirements, judgeExpiry, longQuote, untilNear } from './expiring.ts';
import { judgeSettlement } from './settle.ts';
import { judgeState } from './verdicts.ts';
import { acceptCall, type Accepter, each, stateOf, sweepMs, waits } from './words.ts';
import { lifeRequirementsOf } from './flow.ts';

/** The order's deadline ends what a quote of longer validity could still do. */
const longQuoted = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.expiry.quote-outlives-it.${by}`,
    title: `${by} cannot accept on an EXPIRED order a quote that is still valid.`,
    requirements: ['order.accept.expired-order-refused', ...expiryRequirements],
    needs: { parties: [...new Set(['sender', 'maker_b', by] as const)], waitMs: waits.orderExpiry },
    async run(trial) {
      const order = await createOrder(trial);
      const placed = await longQuote(trial, 'maker_b', order);
      if (!placed) {
        return trial.outOfScope(
          'no quote is valid longer than its order (gap quote.beyond_expiry)',
        );
      }
      await judgeExpiry(trial, order);
      const ended = await readOrder(trial, order, by);
      if (stateOf(ended.data) !== 'EXPIRED') return undefined;
      const no = await acceptCall(trial, order, placed, by);
      refused(trial, 'order.accept.expired-order-refused', no, 'an acceptance on an EXPIRED order');
      const after = await readOrder(trial, order);
      judgeState(
        trial,
        'order.state.expired-absorbs',
        after,
        ['EXPIRED'],
        'after a late acceptance',
      );
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
      async run(trial) {
        const order = await createOrder(trial);
        const placed =
          (await longQuote(trial, 'maker_a', order)) ?? (await quote(trial, 'maker_a', order));
        const deadline =
          beforeMs === undefined ? undefined : await untilNear(trial, order, beforeMs);
        if (placed.validUntil < targetNow(trial).latest + 1_000) {
          trial.giveUp('no quote is valid long enough here');
        }
        await acceptLate(trial, order, placed, by, deadline);
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
    async run(trial) {
      if (trial.target.timeline.kind === 'system') {
        return trial.outOfScope('on a clock that runs by itself an answer may come too late');
      }
      const order = await createOrder(trial);
      // Quotes may live for less long than orders, and may have to end before them (gap `quote.beyond_expiry`).
      const validUntil = (await untilNear(trial, order, 8_000)) - 1;
      const placed = await quote(trial, 'maker_a', order, { validUntil });
      await quote(trial, 'maker_b', order, { validUntil });
      const deadline = await untilNear(trial, order, 60);
      await acceptInTime(trial, order, placed, by, deadline);
      return undefined;
    },
  }),
);

/** Judges that a valid quote can be accepted while its order is open; undefined where it was not. */
async function acceptInTime(
  trial: Trial,
  order: PlacedOrder,
  placed: PlacedQuote,
  by: 'sender' | 'sender_custodian',
  deadline: number | undefined,
): Promise<Exchange | undefined> {
  const { clock } = trial.target;
  // Where there is time, the backend of who accepts may learn of the quote a little later (gap `views.lag`).
  const accepting = () => acceptCall(trial, order, placed, by);
  const acceptance = await (deadline === undefined ? insist(trial, accepting) : accepting());
  const last = Math.min(deadline ?? order.expiresAt ?? Number.POSITIVE_INFINITY, placed.validUntil);
  const inTime = acceptance.received + clock.offset.most < last;
  if (!succeeded(acceptance) && !inTime) trial.giveUp('the acceptance came too late', [acceptance]);
  const what = 'the acceptance of a valid quote before expires_at';
  return allowed(trial, 'order.expires-at.acceptable-until', acceptance, what)
    ? acceptance
    : undefined;
}

/** Accepts a quote that is valid beyond its order's deadline, early or shortly before that, and judges that it settles. */
async function acceptLate(
  trial: Trial,
  order: PlacedOrder,
  placed: PlacedQuote,
  by: 'sender' | 'sender_custodian',
  deadline: number | undefined,
): Promise<void> {
  const acceptance = await acceptInTime(trial, order, placed, by, deadline);
  if (!acceptance) return;
  const deal = { order, quote: placed, acceptedBy: by };
  // A quote that lapses meanwhile may end the order (gaps `settlement.beyond_validity`, `order.quoted_expiry`).
  const beyond = order.expiresAt !== undefined && placed.validUntil > order.expiresAt + 10_000;
  if (deadline !== undefined && !beyond) return;
  if (deadline !== undefined) await judgeSettlement(trial, deal, acceptance);
  await untilExpired(trial, order, sweepMs);
  const requirement = 'order.state.accepted-outlives-expires-at';
  const after = await readOrder(trial, order);
  judgeState(
    trial,
    requirement,
    after,
    ['SETTLED'],
    'after its own deadline, though accepted before',
  );
  // A filter is over all orders, not over what happened lately: this one settled when it was accepted, long ago.
  if (deadline === undefined)
    await judgeUnder(trial, 'sender', order, 'order.list.status-filter.complete');
}

export const outlivingChecks: readonly Check[] = [...longQuoted, ...outlives, ...atLast];
