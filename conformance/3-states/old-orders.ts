import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  concurrently,
  createOrder,
  findInList,
  matchesOrder,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quote,
  quoteBody,
  readOrder,
  remainingMs,
  retryWhileRefused,
} from '../../src/suite/actions/index.ts';
import {
  cancelOrder,
  acceptAndSettle,
  lifeRequirementsOf,
  quotesOnceListed,
} from '../shared/order-life.ts';
import { needsOf, waits } from '../shared/waits.ts';
import { openSecondStream, requireStreamLasted } from '../shared/streams.ts';

const minuteMs = 60_000;

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

/** 2.2, 3.1: an order is as good in its last hour as in its first minute. */
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
