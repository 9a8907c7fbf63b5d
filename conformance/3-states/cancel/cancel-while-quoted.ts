import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  type AcceptedOrder,
  acceptedOrder,
  assertAllowed,
  createOrder,
  fieldsOf,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
  succeeded,
  targetNow,
  textOf,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { unsettledStates } from '../../../src/spec/states.ts';
import { cancelRequirements, followCancelled } from './cancelled-order.ts';
import { findQuote, ownQuotesOf } from '../../shared/listed-quotes.ts';
import { awaitUpdate } from '../../shared/order-updates.ts';
import { type Accepter, cancelOrder, tryAccept, tryCancel } from '../../shared/order-calls.ts';
import { needsOf, settlementTimeoutMs, untilBefore, waits } from '../../shared/waits.ts';
import { stateOf, statusIsOneOf } from '../../shared/order-fields.ts';

/** Time from the acceptance to the quote's deadline: its timer is still running at the cancel. */
const leadMs = 500;

interface Tried {
  readonly order: PlacedOrder;
  readonly quote: PlacedQuote;
  readonly exchange: Exchange;
}

/**
 * Accepts and cancels with nothing in between. The time that an order is QUOTED is open, so a refusal counts only if
 * the order is QUOTED even after it; if not, another order is tried. The first attempt has a quote that lapses a moment
 * later, which must not affect an order that was cancelled in time.
 */
async function cancelQuoted(t: CheckContext, by: Accepter): Promise<Tried | undefined> {
  const { clock } = t.target;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const order = await createOrder(t);
    const [maker, rival] =
      attempt === 1 ? (['maker_b', 'maker_a'] as const) : (['maker_a', 'maker_b'] as const);
    const placed = await quote(t, maker, order, attempt === 0 ? { validForMs: 3_000 } : {});
    // A rival that was not selected must not affect the cancel.
    await quote(t, rival, order);
    const { validUntil } = placed;
    // A target may grant a longer validity than requested.
    const brief = attempt === 0 && validUntil < targetNow(t).latest + waits.quoteExpiry;
    if (brief) await untilBefore(t, validUntil, leadMs);
    const [accepted, exchange, after] = await t.inOneMoment(async () => [
      await tryAccept(t, order, placed, by),
      await tryCancel(t, order),
      await readOrder(t, order),
    ]);
    // A cancel may take effect a little later (gap `cancel.response`), and the deadline come before it.
    const inTime = after.exchange.received + clock.offset.most < validUntil;
    if (brief && !(inTime && statusIsOneOf(unsettledStates, after.data))) continue;
    if (!succeeded(accepted)) t.notExercised('the quote could not be accepted', [accepted]);
    if (isRefusal(exchange) && stateOf(after.data) !== 'QUOTED') continue;
    return { order, quote: placed, exchange };
  }
  return undefined;
}

/** 4.2: a QUOTED order can be cancelled. It never settles, and there is no settlement of it. */
const quoted = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.cancel.quoted.${by}`,
  title: `An order whose quote ${by} accepted a moment ago is cancelled, and never settles.`,
  requirements: [
    'order.cancel.quoted',
    'order.cancel.never-settles',
    'settlement.atomic',
    ...cancelRequirements,
  ],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', 'maker_a', 'maker_b', by),
  async run(t) {
    const tried = await cancelQuoted(t, by);
    if (!tried)
      return t.notExercised('orders here are QUOTED too shortly for a cancel to meet them');
    const { order, quote: placed, exchange } = tried;
    const what = 'a cancel of a QUOTED order';
    if (!assertAllowed(t, 'order.cancel.quoted', exchange, what)) return undefined;
    await followCancelled(t, order);
    await t.target.timeline.sleep(9_000);
    await readOrder(t, order);
    await t.party(placed.maker).call('settlement.read', { params: paramsOf(order) });
    return undefined;
  },
}));

/** Time that an order was QUOTED, by the events to its sender, in milliseconds; undefined if unknown. */
async function quotedForMs(t: CheckContext): Promise<number | undefined> {
  const { order, acceptance } = await acceptedOrder(t);
  const begun = await awaitUpdate(t, 'sender', order, ['EXECUTING'], settlementTimeoutMs);
  return begun && begun.received - acceptance.exchange.received;
}

/** Shortest span, in milliseconds, that leaves time for a request. */
const shortestMs = 100;
const tooShort = 'orders here are QUOTED too shortly for a cancel to meet them late';
const lagging = 'orders may show QUOTED here when they no longer are (gap views.lag)';

/** True if an acceptance does not show to all parties at once. Then a state that is read may be outdated already. */
async function viewsLag(t: CheckContext, { order, quote: placed }: AcceptedOrder) {
  const { answers, parties } = t.target;
  const known = answers.get('views.lag');
  if (known !== undefined && known !== 'at-once') return true;
  for (const by of ['sender', 'sender_custodian'] as const) {
    if (!parties[by]) continue;
    const read = await t.party(by).call('order.read', { params: paramsOf(order) });
    const seen = stateOf(fieldsOf(read));
    if (seen === undefined || seen === 'PENDING') return true;
  }
  const { items } = await ownQuotesOf(t, order, placed.maker);
  return textOf(findQuote(items, placed) ?? {}, 'status') !== 'ACCEPTED';
}

/** Moments of the cancel, as parts of the time that an earlier order was QUOTED. The first that is in time counts. */
const shares = [0.9, 0.75, 0.6, 0.45] as const;

/** 4.2: a cancel is in time at any moment while an order is QUOTED. */
const lateInQuoted: Check = {
  id: 'order.cancel.quoted.late',
  title:
    'An order that has been QUOTED for most of the time that orders are here is cancelled, and ends unsettled.',
  requirements: ['order.cancel.quoted', ...cancelRequirements],
  needs: needsOf(2 * waits.settlement, 'sender', 'maker_a'),
  async run(t) {
    const spanMs = await quotedForMs(t);
    if (spanMs === undefined || spanMs < shortestMs) return t.outOfScope(tooShort);
    for (const share of shares) {
      const accepted = await acceptedOrder(t);
      const { order, acceptance } = accepted;
      if (await t.promptly(() => viewsLag(t, accepted))) return t.outOfScope(lagging);
      await t.target.timeline.until(acceptance.exchange.received + share * spanMs);
      const exchange = await t.promptly(() => cancelOrder(t, order));
      // This order may have left QUOTED earlier than the one before. A refusal is wrong only if it has not.
      if (isRefusal(exchange) && stateOf((await readOrder(t, order)).data) !== 'QUOTED') continue;
      const what = 'a cancel of an order that was still QUOTED';
      if (assertAllowed(t, 'order.cancel.quoted', exchange, what)) await followCancelled(t, order);
      return undefined;
    }
    return t.outOfScope(tooShort);
  },
};

export const cancelWhileQuotedChecks: readonly Check[] = [...quoted, lateInQuoted];
