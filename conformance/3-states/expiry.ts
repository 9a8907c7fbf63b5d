import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  createOrder,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  readOrder,
  refused,
  succeeded,
  textOf,
  fieldsOf,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { judgeAcceptance, judgeSettlement, lifeRequirementsOf, live } from './flow.ts';
import {
  acceptanceFields,
  acceptCall,
  type Accepter,
  cancelCall,
  each,
  isSet,
  judgeReason,
  judgeState,
  mustReach,
  stateOf,
  sweepMs,
  waits,
} from './words.ts';

/** Waits until so long before an order's own deadline; out of scope where that is longer than may be waited. */
async function untilNear(trial: Trial, order: PlacedOrder, beforeMs: number): Promise<number> {
  const { expiresAt } = order;
  if (expiresAt === undefined) return trial.giveUp('the order carries no deadline');
  const { timeline, clock } = trial.target;
  const moment = expiresAt - clock.offset.most - beforeMs;
  trial.mayWait(moment - timeline.now() + beforeMs, "this target's orders' life");
  await timeline.until(moment);
  return expiresAt;
}

/** An order just before its deadline is what it was; a little after, it is EXPIRED for good. */
async function judgeExpiry(
  trial: Trial,
  order: PlacedOrder,
  more: readonly RequirementId[] = [],
): Promise<void> {
  const { timeline, clock } = trial.target;
  const deadline = await untilNear(trial, order, 600);
  const before = await readOrder(trial, order);
  if (before.exchange.received + clock.offset.most < deadline - 25) {
    const early = 'order.state.pending-to-expired.not-early';
    judgeState(trial, early, before, ['PENDING'], 'before its expires_at');
  }
  await untilExpired(trial, order);
  const when = 'well after its expires_at';
  for (const requirement of ['order.state.pending-to-expired', ...more] as const) {
    await mustReach(trial, requirement, order, ['EXPIRED'], sweepMs, when);
  }
  const ended = await readOrder(trial, order);
  const set = [...acceptanceFields, 'settled_at'].filter((name) => isSet(ended.data, name));
  trial.judge('order.quote-id.not-before-acceptance', !set.includes('quote_id'), {
    message: `An order that expired without an accepted quote showed ${set.join(', ')}.`,
    seen: [ended.exchange],
  });
  await timeline.sleep(1_000);
  const later = await readOrder(trial, order);
  if (stateOf(ended.data) === 'EXPIRED') {
    judgeState(trial, 'order.state.expired-absorbs', later, ['EXPIRED'], 'after it had expired');
  }
}

const expiryRequirements = [
  'order.state.pending-to-expired',
  'order.state.pending-to-expired.not-early',
  'order.state.expired-absorbs',
  'order.quote-id.not-before-acceptance',
] as const satisfies readonly RequirementId[];

const expiries = each(
  [
    { id: 'unquoted', quotes: [] },
    { id: 'one-quote', quotes: ['maker_a'] },
    { id: 'three-quotes', quotes: ['maker_c', 'maker_a', 'maker_b'] },
  ] as const satisfies readonly { id: string; quotes: readonly CastName[] }[],
  ({ id, quotes }) =>
    defineCheck({
      id: `order.expiry.${id}`,
      title: `An order with ${quotes.length} quotes, none of them accepted, expires at its deadline and takes nothing after it.`,
      requirements: [
        ...expiryRequirements,
        'order.state.pending-to-expired.though-quoted',
        'order.failure-reason.no-quote',
        'order.cancel.expired-stays',
        'order.accept.expired-order-refused',
      ],
      needs: { parties: ['sender', ...quotes], waitMs: waits.orderExpiry },
      async run(trial) {
        const order = await createOrder(trial);
        const placed: PlacedQuote[] = [];
        for (const maker of quotes) placed.push(await quote(trial, maker, order));
        const quoted = 'order.state.pending-to-expired.though-quoted';
        await judgeExpiry(trial, order, placed.length > 0 ? [quoted] : []);
        const ended = await readOrder(trial, order);
        if (stateOf(ended.data) !== 'EXPIRED') return;
        if (placed.length === 0) {
          judgeReason(trial, 'order.failure-reason.no-quote', ended, ['NO_QUOTE']);
        }
        for (const one of placed) {
          const no = await acceptCall(trial, order, one);
          const what = 'an acceptance on an EXPIRED order';
          refused(trial, 'order.accept.expired-order-refused', no, what);
        }
        await cancelCall(trial, order);
        const after = await readOrder(trial, order);
        const stays = 'order.cancel.expired-stays';
        judgeState(trial, stays, after, ['EXPIRED'], 'after a cancel that came too late');
      },
    }),
);

/** A quote valid beyond its order's deadline where a target takes one (gap `quote.beyond_expiry`). */
async function longQuote(
  trial: Trial,
  maker: CastName,
  order: PlacedOrder,
): Promise<PlacedQuote | undefined> {
  const { expiresAt } = order;
  if (expiresAt === undefined) return undefined;
  const validUntil = expiresAt + 20_000;
  const body = quoteBody(trial, order, { validUntil });
  const exchange = await trial.party(maker).call('quote.submit', { params: paramsOf(order), body });
  const data = fieldsOf(exchange);
  const quoteId = textOf(data, 'quote_id');
  if (quoteId === undefined) return undefined;
  return { quoteId, maker, sent: body, data, exchange, validUntil };
}

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
      if (!placed) return trial.giveUp('no quote may be valid longer than its order here');
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
        if (placed.validUntil < trial.target.timeline.now() + 1_000) {
          trial.giveUp('no quote is valid long enough here');
        }
        await acceptLate(trial, order, placed, by, deadline);
      },
    }),
);

async function acceptLate(
  trial: Trial,
  order: PlacedOrder,
  placed: PlacedQuote,
  by: 'sender' | 'sender_custodian',
  deadline: number | undefined,
): Promise<void> {
  const { clock } = trial.target;
  const deal = { order, quote: placed, acceptedBy: by };
  const acceptance = await acceptCall(trial, order, placed, by);
  const inTime = deadline === undefined || acceptance.received + clock.offset.most < deadline;
  if (!succeeded(acceptance) && !inTime) trial.giveUp('the acceptance came too late', [acceptance]);
  const what = 'the acceptance of a valid quote before expires_at';
  if (!allowed(trial, 'order.expires-at.acceptable-until', acceptance, what)) return;
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
}

const others: readonly Check[] = [
  defineCheck({
    id: 'order.expiry.next-order',
    title:
      'An order that is created while another expires, is not ended with it; the next settles.',
    requirements: [
      ...expiryRequirements,
      'order.state.other-orders-untouched',
      ...lifeRequirementsOf(),
    ],
    needs: { parties: ['sender', 'maker_a'], waitMs: waits.orderExpiry + waits.settlement },
    async run(trial) {
      const order = await createOrder(trial);
      await untilNear(trial, order, 8_000);
      const younger = await createOrder(trial);
      const placed = await quote(trial, 'maker_a', younger);
      await judgeExpiry(trial, order);
      const now = await readOrder(trial, younger);
      if (
        younger.expiresAt !== undefined &&
        order.expiresAt !== undefined &&
        younger.expiresAt > order.expiresAt + 6_000
      ) {
        const requirement = 'order.state.other-orders-untouched';
        judgeState(trial, requirement, now, ['PENDING'], 'after an older order had expired');
      }
      const deal = { order: younger, quote: placed, acceptedBy: 'sender' } as const;
      if (placed.validUntil < trial.target.timeline.now() + 1_000) return;
      if (!(await judgeAcceptance(trial, deal))) return;
      await live(trial);
    },
  }),
];

export const expiryChecks: readonly Check[] = [...expiries, ...longQuoted, ...outlives, ...others];
