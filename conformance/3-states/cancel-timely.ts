import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  type AcceptedOrder,
  acceptedOrder,
  allowed,
  createOrder,
  fieldsOf,
  isRefusal,
  paramsOf,
  quote,
  readOrder,
  textOf,
} from '../../src/conformance/moves/index.ts';
import { endRequirements, judgeEnd } from './cancelled.ts';
import { ownQuotesOf, quoteIn } from './quotes-seen.ts';
import { awaitTold } from './told.ts';
import { cancelling, settlementPatienceMs, stateOf, sweepMs, waits } from './words.ts';

/** What has lapsed binds nobody: its order is PENDING like any other. */
const lapsed = defineCheck({
  id: 'order.cancel.with-lapsed-quote',
  title: 'A PENDING order whose only quote has lapsed is cancelled, and ends unsettled.',
  requirements: ['order.cancel.pending-with-quotes', ...endRequirements],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.quoteExpiry },
  async run(trial) {
    const order = await createOrder(trial);
    const brief = await quote(trial, 'maker_a', order, { validForMs: 1_500 });
    const { timeline, clock } = trial.target;
    await timeline.until(brief.validUntil - clock.offset.least + sweepMs);
    const exchange = await cancelling(trial, order);
    const requirement = 'order.cancel.pending-with-quotes';
    const what = 'a cancel of a PENDING order whose quote had lapsed';
    if (allowed(trial, requirement, exchange, what)) await judgeEnd(trial, order);
  },
});

/** For how long an order was QUOTED, as its sender was told; undefined where that cannot be said. */
async function quotedForMs(trial: Trial): Promise<number | undefined> {
  const { order, acceptance } = await acceptedOrder(trial);
  const begun = await awaitTold(trial, 'sender', order, ['EXECUTING'], settlementPatienceMs);
  return begun && begun.received - acceptance.exchange.received;
}

/** Too short a span to put a request into. */
const shortestMs = 100;
const tooShort = 'orders here are QUOTED too shortly for a cancel to meet them late';
const lagging = 'orders may show QUOTED here when they no longer are (gap views.lag)';

/** Whether what one party did is not at once what all read: then nothing that is read is sure to be so still. */
async function lags(trial: Trial, { order, quote }: AcceptedOrder): Promise<boolean> {
  const { answers, parties } = trial.target;
  const known = answers.get('views.lag');
  if (known !== undefined && known !== 'at-once') return true;
  for (const by of ['sender', 'sender_custodian'] as const) {
    if (!parties[by]) continue;
    const read = await trial.party(by).call('order.read', { params: paramsOf(order) });
    const seen = stateOf(fieldsOf(read));
    if (seen === undefined || seen === 'PENDING') return true;
  }
  const { items } = await ownQuotesOf(trial, order, quote.maker);
  return textOf(quoteIn(items, quote) ?? {}, 'status') !== 'ACCEPTED';
}

/** What part of the time that an order was QUOTED another one is left alone: the first that is not too long counts. */
const shares = [0.9, 0.75, 0.6, 0.45] as const;

/** An order is QUOTED for a while that the document does not tell; all through it a cancel is in time. */
const lateInQuoted = defineCheck({
  id: 'order.cancel.quoted.late',
  title:
    'An order that has been QUOTED for most of the time that orders are here is cancelled, and ends unsettled.',
  requirements: ['order.cancel.quoted', ...endRequirements],
  needs: { parties: ['sender', 'maker_a'], waitMs: 2 * waits.settlement },
  async run(trial) {
    const spanMs = await quotedForMs(trial);
    if (spanMs === undefined || spanMs < shortestMs) return trial.outOfScope(tooShort);
    for (const share of shares) {
      const accepted = await acceptedOrder(trial);
      const { order } = accepted;
      if (await lags(trial, accepted)) return trial.outOfScope(lagging);
      await trial.target.timeline.sleep(share * spanMs);
      const exchange = await cancelling(trial, order);
      // It may have gone on sooner than the one before it: only where it has not, a refusal is wrong.
      if (isRefusal(exchange) && stateOf((await readOrder(trial, order)).data) !== 'QUOTED') {
        continue;
      }
      const what = 'a cancel of an order that was still QUOTED';
      if (allowed(trial, 'order.cancel.quoted', exchange, what)) await judgeEnd(trial, order);
      return undefined;
    }
    return trial.outOfScope(tooShort);
  },
});

export const timelyCancelChecks: readonly Check[] = [lapsed, lateInQuoted];
