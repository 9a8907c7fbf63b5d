import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  type AcceptedOrder,
  acceptedOrder,
  assertAllowed,
  createOrder,
  fieldsOf,
  isRefusal,
  paramsOf,
  quote,
  readOrder,
  textOf,
} from '../../../src/suite/actions/index.ts';
import { cancelRequirements, assertCancelledForGood } from './cancelled-order.ts';
import { ownQuotesOf, findQuote } from '../../shared/listed-quotes.ts';
import { awaitUpdate } from '../../shared/order-updates.ts';
import {
  cancelOrder,
  settlementTimeoutMs,
  stateOf,
  expiryLagMs,
  waits,
} from '../../shared/order-calls.ts';

/** What has lapsed binds nobody: its order is PENDING like any other. */
const lapsed = defineCheck({
  id: 'order.cancel.with-lapsed-quote',
  title: 'A PENDING order whose only quote has lapsed is cancelled, and ends unsettled.',
  requirements: ['order.cancel.pending-with-quotes', ...cancelRequirements],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.quoteExpiry },
  async run(t) {
    const order = await createOrder(t);
    const brief = await quote(t, 'maker_a', order, { validForMs: 1_500 });
    const { timeline, clock } = t.target;
    await timeline.until(brief.validUntil - clock.offset.least + expiryLagMs);
    const exchange = await cancelOrder(t, order);
    const requirement = 'order.cancel.pending-with-quotes';
    const what = 'a cancel of a PENDING order whose quote had lapsed';
    if (assertAllowed(t, requirement, exchange, what)) await assertCancelledForGood(t, order);
  },
});

/** For how long an order was QUOTED, as its sender was told; undefined where that cannot be said. */
async function quotedForMs(t: CheckContext): Promise<number | undefined> {
  const { order, acceptance } = await acceptedOrder(t);
  const begun = await awaitUpdate(t, 'sender', order, ['EXECUTING'], settlementTimeoutMs);
  return begun && begun.received - acceptance.exchange.received;
}

/** Too short a span to put a request into. */
const shortestMs = 100;
const tooShort = 'orders here are QUOTED too shortly for a cancel to meet them late';
const lagging = 'orders may show QUOTED here when they no longer are (gap views.lag)';

/** Whether what one party did is not at once what all read: then nothing that is read is sure to be so still. */
async function lags(t: CheckContext, { order, quote }: AcceptedOrder): Promise<boolean> {
  const { answers, parties } = t.target;
  const known = answers.get('views.lag');
  if (known !== undefined && known !== 'at-once') return true;
  for (const by of ['sender', 'sender_custodian'] as const) {
    if (!parties[by]) continue;
    const read = await t.party(by).call('order.read', { params: paramsOf(order) });
    const seen = stateOf(fieldsOf(read));
    if (seen === undefined || seen === 'PENDING') return true;
  }
  const { items } = await ownQuotesOf(t, order, quote.maker);
  return textOf(findQuote(items, quote) ?? {}, 'status') !== 'ACCEPTED';
}

/** What part of the time that an order was QUOTED another one is left alone: the first that is not too long counts. */
const shares = [0.9, 0.75, 0.6, 0.45] as const;

/** An order is QUOTED for a while that the document does not tell; all through it a cancel is in time. */
const lateInQuoted = defineCheck({
  id: 'order.cancel.quoted.late',
  title:
    'An order that has been QUOTED for most of the time that orders are here is cancelled, and ends unsettled.',
  requirements: ['order.cancel.quoted', ...cancelRequirements],
  needs: { parties: ['sender', 'maker_a'], waitMs: 2 * waits.settlement },
  async run(t) {
    const spanMs = await quotedForMs(t);
    if (spanMs === undefined || spanMs < shortestMs) return t.outOfScope(tooShort);
    for (const share of shares) {
      const accepted = await acceptedOrder(t);
      const { order } = accepted;
      if (await lags(t, accepted)) return t.outOfScope(lagging);
      await t.target.timeline.sleep(share * spanMs);
      const exchange = await cancelOrder(t, order);
      // It may have gone on sooner than the one before it: only where it has not, a refusal is wrong.
      if (isRefusal(exchange) && stateOf((await readOrder(t, order)).data) !== 'QUOTED') {
        continue;
      }
      const what = 'a cancel of an order that was still QUOTED';
      if (assertAllowed(t, 'order.cancel.quoted', exchange, what))
        await assertCancelledForGood(t, order);
      return undefined;
    }
    return t.outOfScope(tooShort);
  },
});

export const cancelWhileQuotedChecks: readonly Check[] = [lapsed, lateInQuoted];
