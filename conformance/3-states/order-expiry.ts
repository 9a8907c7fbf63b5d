import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  type PlacedOrder,
  readOrder,
  untilExpired,
  remainingMs,
} from '../../src/suite/actions/orders.ts';
import { type PlacedQuote, quote } from '../../src/suite/actions/quotes.ts';
import { targetNow, retryWhileRefused, concurrently } from '../../src/suite/actions/context.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import { matchesOrder, succeeded } from '../../src/protocol/answers.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import {
  expiryRequirements,
  followToExpiry,
  untilNear,
  acceptQuote,
  lifeRequirementsOf,
  wholeLife,
  tryAccept,
  tryCancel,
  quoteBeyondExpiry,
  type Accepter,
  followToSettlement,
  type Trade,
  acceptAndSettle,
  quotesOnceListed,
  cancelOrder,
  tryQuote,
} from '../shared/order-life.ts';
import { acceptProposal } from './custodians.ts';
import { assertState, assertStillPending } from '../shared/order-states.ts';
import {
  needsOf,
  waits,
  rows,
  expiryLagMs,
  untilBefore,
  untilViewsAgree,
} from '../shared/waits.ts';
import type { Exchange } from '../../src/history/records.ts';

/** A maker that has quoted may still see an expired order, but no quote is taken on it. */
async function quoteTooLate(t: CheckContext, order: PlacedOrder, maker: CastName): Promise<void> {
  // Valid for as long as a quote may be here: any time from now on lies beyond the order's deadline.
  await tryQuote(t, maker, { ...order, expiresAt: undefined });
}

const expiries = (
  [
    { id: 'unquoted', makers: [] },
    { id: 'one-quote', makers: ['maker_a'] },
    { id: 'three-quotes', makers: ['maker_c', 'maker_a', 'maker_b'] },
  ] as const satisfies readonly { id: string; makers: readonly CastName[] }[]
).map<Check>(({ id, makers }) => ({
  id: `order.expiry.${id}`,
  title: `An order with ${makers.length} quotes, none of them accepted, expires at its deadline and takes nothing after it.`,
  requirements: [
    ...expiryRequirements,
    'order.cancel.expired-stays',
    ...(makers.length === 0
      ? (['order.failure-reason.no-quote'] as const)
      : ([
          'order.state.pending-to-expired.though-quoted',
          'order.accept.expired-order-refused',
          'quote.submit.expired-request-refused',
        ] as const)),
  ],
  needs: { parties: ['sender', ...makers], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    const placed: PlacedQuote[] = [];
    for (const maker of makers) placed.push(await quote(t, maker, order));
    await followToExpiry(t, order);
    for (const one of placed) {
      await tryAccept(t, order, one);
      await quoteTooLate(t, order, one.maker);
    }
    if (t.target.parties.receiver_custodian) await readOrder(t, order, 'receiver_custodian');
    await tryCancel(t, order);
    const stays = 'order.cancel.expired-stays';
    const when = 'after a cancel that came too late';
    assertState(t, stays, await readOrder(t, order), ['EXPIRED'], when);
  },
}));

/** 2.2: SLIPPAGE is about quotes above the maximum. A reason for an expiry is open (gap `expiry.reason`). */
const onlyTooDear: Check = {
  id: 'order.expiry.only-above-the-maximum',
  title:
    'An order whose only quote is above its maximum expires, with no reason that speaks of another end.',
  requirements: ['order.failure-reason.slippage', ...expiryRequirements],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_c'),
  async run(t) {
    const order = await createOrder(t, { target_amount: '1000.00', source_amount_max: '250.00' });
    await tryQuote(t, 'maker_c', order);
    await followToExpiry(t, order);
  },
};

const nextOrder: Check = {
  id: 'order.expiry.next-order',
  title:
    'An order that is created while another expires, is not ended with it; the next one settles.',
  requirements: [
    ...expiryRequirements,
    'order.state.other-orders-untouched',
    ...lifeRequirementsOf(),
  ],
  needs: needsOf(waits.orderExpiry + waits.settlement, 'sender', 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    await untilNear(t, order, 8_000);
    const younger = await createOrder(t);
    const placed = await quote(t, 'maker_a', younger);
    await followToExpiry(t, order);
    const now = await readOrder(t, younger);
    const [first = 0, second = 0] = [order.expiresAt, younger.expiresAt];
    if (second > first + 6_000) {
      const requirement = 'order.state.other-orders-untouched';
      assertStillPending(t, requirement, younger, now, 'after an older order had expired');
    }
    if (placed.validUntil < targetNow(t).latest + 1_000) return;
    await acceptQuote(t, { order: younger, quote: placed, acceptedBy: 'sender' });
    await wholeLife(t);
  },
};

/** Longer than a deadline may take to have its effect, so that one which was moved by as much is seen to be late. */
const laterMs = 8_000;

const touched = rows(
  { id: 'not-extended-by-quote', what: 'quoted', by: 'maker_b' },
  { id: 'not-extended-by-proposal', what: 'whose proposal is accepted', by: 'sender_custodian' },
).map<Check>(({ id, what, by }) => ({
  id: `order.expiry.${id}`,
  title: `An order ${what} ${laterMs / 1000} s after its creation expires when it said at first.`,
  requirements: [
    ...expiryRequirements,
    ...(by === 'maker_b' ? (['order.state.pending-to-expired.though-quoted'] as const) : []),
  ],
  needs: { parties: ['sender', by], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    await t.target.timeline.sleep(laterMs);
    if (by === 'maker_b') await quote(t, by, order);
    // The effect of a proposal's acceptance is open, and a refusal is admissible.
    else await acceptProposal(t, order);
    await followToExpiry(t, order);
  },
}));

export const orderExpiryChecks: readonly Check[] = [
  ...expiries,
  onlyTooDear,
  nextOrder,
  ...touched,
];

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

/** Accepts a quote a moment before `expires_at`: one that ends with its order, or one that outlives it if admissible. */
async function acceptAtLast(
  t: CheckContext,
  by: Accepter,
  validity: 'with-order' | 'beyond',
): Promise<void> {
  const order = await createOrder(t);
  // Quotes may live for less long than orders, and may have to end before them (gap `quote.beyond_expiry`).
  const validUntil = (await untilNear(t, order, 8_000)) - 1;
  const longer = validity === 'beyond' ? await quoteBeyondExpiry(t, 'maker_a', order) : undefined;
  const placed = longer ?? (await quote(t, 'maker_a', order, { validUntil }));
  await quote(t, 'maker_b', order, { validUntil });
  const deadline = await untilNear(t, order, 60);
  await assertAcceptable(t, { order, quote: placed, acceptedBy: by }, deadline);
}

const atLast = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.expiry.accepted-just-before.${by}`,
  title: `${by} accepts a quote a moment before expires_at, be it valid for longer or not.`,
  requirements: ['order.expires-at.acceptable-until'],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_a', 'maker_b', by),
  async run(t) {
    if (t.target.timeline.kind === 'system') {
      return t.outOfScope('on a clock that runs by itself an answer may come too late');
    }
    await t.target.timeline.together(
      (['with-order', 'beyond'] as const).map((validity) => [
        validity,
        () => acceptAtLast(t, by, validity),
      ]),
    );
  },
}));

export const quoteOutlivesOrderChecks: readonly Check[] = [...longQuoted, ...outlives, ...atLast];

const dayMs = 24 * 3_600_000;
const eveningMs = 20_000;
/** An order that lives no longer has ended before the day has. */
const nightMs = eveningMs + 8_000;

/** The end of the day on the target's clock, in UTC. */
const midnightOf = (t: CheckContext): number =>
  Math.ceil((targetNow(t).latest + eveningMs + 1) / dayMs) * dayMs;

async function untilEvening(t: CheckContext): Promise<number> {
  const midnight = midnightOf(t);
  t.allowWait(midnight - targetNow(t).latest + waits.orderExpiry, 'the rest of the day');
  await untilBefore(t, midnight, eveningMs);
  return midnight;
}

/** True if an order certainly lives on into the next day. */
const livesOn = (t: CheckContext, order: PlacedOrder): boolean =>
  (remainingMs(t, order) ?? 0) > nightMs;

const overMidnight: Check = {
  id: 'order.expiry.over-midnight',
  title:
    'Orders that are open, quoted or being settled when a day ends (UTC) are there on the next one, and go on.',
  requirements: [
    'order.expires-at.after-creation',
    'order.list.complete',
    'rfq.list.holds-new-request',
    'order.state.executing-to-settled',
    'order.settled-at.at-settlement',
    'quote.state.usable-until-deadline',
    'quote.state.pending-to-expired.not-early',
    'service.sender-accepts',
    'order.state.pending-to-expired',
  ],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: waits.orderExpiry },
  async run(t) {
    const midnight = await untilEvening(t);
    const create = (): Promise<PlacedOrder> => createOrder(t);
    const [open, quoted, left, traded] = await concurrently(t, [create, create, create, create]);
    if (!livesOn(t, left)) return t.outOfScope("this target's orders do not live for so long");
    const [offer, bid] = await concurrently(t, [
      () => quote(t, 'maker_b', quoted),
      () => quote(t, 'maker_a', traded),
    ]);
    const trade = { order: traded, quote: bid, acceptedBy: 'sender' } as const;
    await untilBefore(t, midnight, 1_500);
    await acceptQuote(t, trade);
    await untilBefore(t, midnight, 0);
    await untilViewsAgree(t);
    const listed = (order: PlacedOrder) => () =>
      findInList(t, t.party('sender'), 'order.list', matchesOrder(order));
    await concurrently(t, [
      ...[open, traded].map(listed),
      () => findInList(t, t.party('maker_a'), 'rfq.list', matchesOrder(open)),
      () => quotesOnceListed(t, quoted, [offer]),
    ]);
    await concurrently(t, [
      () => followToSettlement(t, trade),
      () => acceptAndSettle(t, { order: quoted, quote: offer, acceptedBy: 'sender' }),
      async () => {
        await cancelOrder(t, open);
        await readOrder(t, open);
      },
      () => followToExpiry(t, left),
    ]);
  },
};

export const turnOfDayChecks: readonly Check[] = [overMidnight];
