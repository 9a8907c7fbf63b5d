import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import {
  createOrder,
  type PlacedOrder,
  readOrder,
  remainingMs,
  paramsOf,
} from '../../src/suite/actions/orders.ts';
import {
  describeExchange,
  isRefusal,
  succeeded,
  matchesOrder,
} from '../../src/protocol/answers.ts';
import { type PlacedQuote, placedQuote, quote, quoteBody } from '../../src/suite/actions/quotes.ts';
import { targetNow, concurrently, retryWhileRefused } from '../../src/suite/actions/context.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import type { Exchange } from '../../src/history/records.ts';
import { tolerance } from '../../src/protocol/tolerances.ts';
import {
  distancesOf,
  inWords,
  knowsMillisecond,
  needsOf,
  untilBefore,
  waits,
} from '../shared/waits.ts';
import {
  ownQuotesOf,
  quotesOf,
  cancelOrder,
  tryAccept,
  tryQuote,
  acceptAndSettle,
  lifeRequirementsOf,
  quotesOnceListed,
} from '../shared/order-life.ts';
import { assertState, openSecondStream, requireStreamLasted } from '../shared/order-states.ts';

/** Deadlines of orders and quotes, with an action at each of `distancesMs` before and after them. */

const minuteMs = 60_000;

const accepters = ['sender', 'sender_custodian'] as const;
const makers = ['maker_a', 'maker_b'] as const;

/** Drawn, so that a deadline lies anywhere within a second. */
const partOfSecond = ({ random }: CheckContext): number => random.below(1_000);

/**
 * The next whole second or minute. Many people set such deadlines: every other quote ends on one. To wait for a minute
 * costs nothing where the suite drives the clock.
 */
const roundedUp = (instant: number, unitMs = 1_000): number => Math.ceil(instant / unitMs) * unitMs;

/** Runs each distance in each of some circumstances as a separate actor. */
const atEach = async <Given extends string>(
  t: CheckContext,
  circumstances: readonly Given[],
  body: (distanceMs: number, given: Given, index: number) => Promise<void>,
): Promise<void> => {
  const bodies = distancesOf(t).flatMap((ms, index) =>
    circumstances.map((given) => {
      return [`${given} ${inWords(ms)}`, () => body(ms, given, index)] as const;
    }),
  );
  await t.target.timeline.together(bodies);
};

/** Tries an acceptance that must be refused as each party that may accept, one or the other of them first. */
async function tryAsBoth(
  t: CheckContext,
  order: PlacedOrder,
  offer: PlacedQuote,
  index: number,
): Promise<readonly Exchange[]> {
  const inTurn = index % 2 === 0 ? accepters : accepters.toReversed();
  return t.promptly(async () => {
    const tries: Exchange[] = [];
    for (const by of inTurn) tries.push(await tryAccept(t, order, offer, by));
    return tries;
  });
}

const isInTime = ({ target }: CheckContext, { received }: Exchange, deadline: number): boolean =>
  received + target.clock.offset.most < deadline;

/** Reads the order and its quotes after the settlement: the rules compare both with the earlier answers. */
const lookAfterwards = async (t: CheckContext, order: PlacedOrder): Promise<void> => {
  await t.target.timeline.sleep(tolerance.settlement);
  await readOrder(t, order);
  await quotesOf(t, order);
};

const acceptBefore: Check = {
  id: 'order.accept.distances.before',
  title: 'A quote is accepted a millisecond before its deadline as it is minutes before.',
  requirements: ['quote.state.usable-until-deadline', 'quote.state.pending-to-expired.not-early'],
  needs: needsOf(waits.orderExpiry, 'sender', 'sender_custodian', ...makers),
  async run(t) {
    await atEach(t, accepters, async (distanceMs, by, index) => {
      const order = await createOrder(t);
      const drawn = targetNow(t).latest + distanceMs + 1_500 + partOfSecond(t);
      const isWhole = (index + accepters.indexOf(by)) % 2 === 0;
      const validUntil = isWhole ? roundedUp(drawn) : drawn;
      const leftMs = remainingMs(t, order) ?? Number.POSITIVE_INFINITY;
      // Orders of this target may not live for so long.
      if (leftMs < distanceMs + 4_000) return;
      t.allowWait(distanceMs + waits.settlement, 'the validity of a quote');
      const maker = makers[index % 2] ?? 'maker_a';
      const offer = placedQuote(maker, await tryQuote(t, maker, order, { validUntil }));
      // The maximum validity of a quote is open.
      if (!offer) return;
      await untilBefore(t, offer.validUntil, distanceMs);
      const yes = await t.promptly(() => tryAccept(t, order, offer, by));
      if (isInTime(t, yes, offer.validUntil) || succeeded(yes)) {
        const what = `the acceptance of a quote ${inWords(distanceMs)} before its deadline`;
        assertAllowed(t, 'quote.state.usable-until-deadline', yes, what);
      }
      await lookAfterwards(t, order);
    });
  },
};

const acceptAfter: Check = {
  id: 'order.accept.distances.after',
  title: 'A quote is not accepted a millisecond after its deadline, nor minutes after.',
  requirements: ['order.accept.expired-quote-refused', 'error.refusal-changes-nothing'],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', 'sender_custodian', ...makers),
  async run(t) {
    await atEach(t, ['both'], async (distanceMs, _, index) => {
      const maker = makers[index % 2] ?? 'maker_a';
      const order = await createOrder(t);
      const { latest } = targetNow(t);
      const drawn = latest + 2_000 + partOfSecond(t);
      const unitMs = index % 4 === 0 && knowsMillisecond(t) ? minuteMs : 1_000;
      const deadline = index % 2 === 0 ? roundedUp(drawn, unitMs) : drawn;
      const brief = await quote(t, maker, order, { validForMs: deadline - latest });
      t.allowWait(distanceMs, 'what comes after the deadline of a quote');
      await untilPastBy(t, brief.validUntil, distanceMs);
      const late = await tryAsBoth(t, order, brief, index);
      if (knowsMillisecond(t)) assertTooLate(t, brief, late, distanceMs);
      await lookAfterwards(t, order);
    });
  },
};

const untilPastBy = ({ target }: CheckContext, deadline: number, ms: number): Promise<void> =>
  target.timeline.until(deadline - target.clock.offset.least + ms);

/** Closer to the deadline than rules look, which do not know how the clock is driven. */
function assertTooLate(
  t: CheckContext,
  { exchange }: PlacedQuote,
  tries: readonly Exchange[],
  distanceMs: number,
): void {
  for (const late of tries) {
    if (!succeeded(late) && !isRefusal(late)) continue;
    t.assert('order.accept.expired-quote-refused', isRefusal(late), {
      message: `${describeExchange(late)} to the acceptance of a quote ${inWords(distanceMs)} after its deadline.`,
      deviation: 'let through',
      must: { refused: '4xx' },
      actual: late.response?.status,
      seen: [exchange, late],
    });
  }
}

/** The order's own deadline if it is within the admissible wait; undefined if it is too soon for the distance. */
function ownDeadline(t: CheckContext, order: PlacedOrder, distanceMs: number): number | undefined {
  const leftMs = remainingMs(t, order);
  if (order.expiresAt === undefined || leftMs === undefined || leftMs < distanceMs)
    return undefined;
  t.allowWait(leftMs + distanceMs + waits.settlement, "this target's orders' life");
  return order.expiresAt;
}

const orderBefore: Check = {
  id: 'order.expiry.distances.before',
  title:
    'An order is PENDING a millisecond before its deadline as it is minutes before, and can be cancelled.',
  requirements: [
    'order.state.pending-to-expired.not-early',
    'order.cancel.pending',
    'order.cancel.pending-with-quotes',
  ],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_a'),
  async run(t) {
    await atEach(t, ['bare', 'quoted'], async (distanceMs, given) => {
      const order = await createOrder(t);
      const deadline = ownDeadline(t, order, distanceMs);
      if (deadline === undefined) return;
      if (given === 'quoted') await quote(t, 'maker_a', order);
      await untilBefore(t, deadline, distanceMs);
      const { look, cancelled } = await t.promptly(async () => ({
        look: await readOrder(t, order),
        cancelled: await cancelOrder(t, order),
      }));
      if (isInTime(t, cancelled, deadline)) {
        const when = `${inWords(distanceMs)} before its deadline`;
        assertState(t, 'order.state.pending-to-expired.not-early', look, ['PENDING'], when);
        assertAllowed(
          t,
          given === 'quoted' ? 'order.cancel.pending-with-quotes' : 'order.cancel.pending',
          cancelled,
          `the cancel of a PENDING order ${when}`,
        );
      }
      await lookAfterwards(t, order);
    });
  },
};

const orderAfter: Check = {
  id: 'order.expiry.distances.after',
  title: 'Seconds and minutes after its deadline an order is neither quoted nor accepted.',
  requirements: [
    'order.state.pending-to-expired',
    'order.state.expired-absorbs',
    'order.accept.expired-order-refused',
    'quote.submit.expired-request-refused',
  ],
  needs: needsOf(waits.orderExpiry, 'sender', 'sender_custodian', ...makers),
  async run(t) {
    await atEach(t, ['both'], async (distanceMs, _, index) => {
      const order = await createOrder(t);
      const deadline = ownDeadline(t, order, 0);
      if (deadline === undefined) return;
      t.allowWait(distanceMs, 'what comes after the deadline of an order');
      const validForMs = deadline - targetNow(t).latest - 1;
      const offer = await quote(t, 'maker_a', order, { validForMs });
      await untilPastBy(t, deadline, distanceMs);
      // The rules know the admissible delay of a deadline, and the consequences of an acceptance.
      await tryAsBoth(t, order, offer, index);
      await tryQuote(t, 'maker_b', order, { validUntil: targetNow(t).latest + 20_000 });
      await lookAfterwards(t, order);
    });
  },
};

/** 2.3: a quote is usable until its valid_until; may one be submitted that is not usable at all (gap `quote.past_validity`)? */
const past: Check = {
  id: 'quote.submit.distances.past',
  title:
    'A quote whose deadline has passed when it is submitted, and that is taken all the same, is not accepted.',
  requirements: [
    'order.accept.expired-quote-refused',
    'quote.state.listed-transitions-only',
    'error.refusal-changes-nothing',
  ],
  needs: needsOf(waits.settlement, 'sender', 'sender_custodian', ...makers),
  async run(t) {
    let order: PlacedOrder | undefined;
    for (const [index, distanceMs] of distancesOf(t).entries()) {
      const maker = makers[index % 2] ?? 'maker_a';
      order ??= await createOrder(t);
      const validUntil = Math.floor(targetNow(t).earliest) - distanceMs;
      const submitted = await tryQuote(t, maker, order, { validUntil });
      const offer = placedQuote(maker, submitted);
      if (!offer) continue;
      t.allowWait(tolerance.settlement, 'what becomes of a quote that had lapsed');
      await ownQuotesOf(t, order, maker);
      await quotesOf(t, order);
      const late = await tryAsBoth(t, order, offer, index);
      if (knowsMillisecond(t) && offer.validUntil === validUntil)
        assertTooLate(t, offer, late, distanceMs);
      await lookAfterwards(t, order);
      await ownQuotesOf(t, order, maker);
      order = undefined;
    }
  },
};

export const distanceChecks: readonly Check[] = [
  acceptBefore,
  acceptAfter,
  orderBefore,
  orderAfter,
  past,
];

/** Beyond caches of some minutes, sessions of ten, and tokens of an hour. */
const longAfterMs = [4 * minuteMs, 11 * minuteMs, 61 * minuteMs] as const;

/** For a target with short-lived orders: the last moment that leaves time for the calls of the check. */
const spareMs = 15_000;
const mostMs = 50_000;

/** Moments after the creation at which open orders are used, in milliseconds. */
function momentsOf({ target: { clock } }: CheckContext, livesMs: number): readonly number[] {
  const longest = Math.min(livesMs - spareMs, clock.maxWaitMs - waits.settlement);
  const reached = longAfterMs.filter((ms) => ms <= longest);
  return reached.length > 0 ? reached : [Math.max(0, Math.min(longest, mostMs))];
}

/** Three orders for one moment: one with a quote that is valid until after it, two without. */
interface Kept {
  readonly afterMs: number;
  readonly quoted: PlacedOrder;
  /** Absent if no quote may be valid for that long. */
  readonly offer: PlacedQuote | undefined;
  readonly bare: PlacedOrder;
  readonly other: PlacedOrder;
}

async function keep(t: CheckContext, afterMs: number): Promise<Kept> {
  const create = (): Promise<PlacedOrder> => createOrder(t);
  const [quoted, bare, other] = await concurrently(t, [create, create, create]);
  const body = quoteBody(t, quoted, { validForMs: afterMs + spareMs });
  const submitted = await retryWhileRefused(t, () =>
    t.party('maker_a').call('quote.submit', { params: paramsOf(quoted), body }),
  );
  return { afterMs, quoted, offer: placedQuote('maker_a', submitted), bare, other };
}

/** Uses open orders in every way, as if they were new. */
async function use(
  t: CheckContext,
  { quoted, offer, bare, other }: Kept,
  acceptedBy: 'sender' | 'sender_custodian',
): Promise<void> {
  await concurrently(t, [
    () => readOrder(t, quoted, acceptedBy),
    () => findInList(t, t.party(acceptedBy), 'order.list', matchesOrder(quoted)),
    () => findInList(t, t.party('maker_b'), 'rfq.list', matchesOrder(bare)),
    () => quotesOnceListed(t, quoted, offer ? [offer] : []),
  ]);
  const late = await quote(t, 'maker_b', bare);
  const first = offer ?? (await quote(t, 'maker_a', quoted));
  await concurrently(t, [
    () => acceptAndSettle(t, { order: quoted, quote: first, acceptedBy }),
    () => acceptAndSettle(t, { order: bare, quote: late, acceptedBy }),
    () => cancelOrder(t, other),
  ]);
  await readOrder(t, other);
}

export const oldOrderChecks = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.life.open-for-long.${by}`,
  title: `Orders, quotes and a stream of the first minute are used 4, 11 and 61 minutes later, or as late as orders live here; ${by} accepts.`,
  requirements: [
    ...lifeRequirementsOf(by),
    'quote.state.pending-to-expired.not-early',
    'quote.state.usable-until-deadline',
    'order.state.pending-to-expired.not-early',
    'order.list.complete',
    'order.cancel.pending',
  ],
  needs: needsOf(waits.orderExpiry, 'sender', by, 'maker_a', 'maker_b'),
  async run(t) {
    const since = t.target.timeline.now();
    const first = await createOrder(t);
    const left = remainingMs(t, first);
    if (left === undefined) return t.notExercised('the order carries no deadline');
    const moments = momentsOf(t, left);
    t.allowWait((moments.at(-1) ?? 0) + waits.settlement, 'what is done with old orders');
    const kept: Kept[] = [];
    for (const afterMs of moments) kept.push(await keep(t, afterMs));
    const stream = await openSecondStream(t, by, { intentId: first.intentId });
    for (const one of kept) {
      await t.target.timeline.until(since + one.afterMs);
      await use(t, one, by);
    }
    await cancelOrder(t, first);
    await readOrder(t, first);
    requireStreamLasted(t, stream);
  },
}));
