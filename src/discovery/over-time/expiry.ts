import { paramsOf, type PlacedOrder, targetNow } from '../../suite/actions/index.ts';
import { openOrder } from '../probe/quotes.ts';
import { type ProbeContext, submitQuote } from '../probe/probe-context.ts';
import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { fieldsOf } from '../../protocol/answers.ts';
import { type ProbeOverTime, soonMs } from './answer.ts';

/** Amounts that a quote at the rate "1" is above the maximum of, whichever way rates are written. */
const tooDear = { target_amount: '100.00', source_amount_max: '50.00' };

async function untilExpired(t: ProbeContext, { expiresAt }: PlacedOrder): Promise<void> {
  if (expiresAt === undefined) return t.notExercised('an order shows no deadline');
  if (expiresAt - targetNow(t).latest > t.target.clock.maxWaitMs) {
    return t.notExercised('orders live longer than may be waited');
  }
  await t.target.timeline.until(expiresAt - t.target.clock.offset.least + soonMs);
}

/** Lets three orders expire: one that nobody quoted, one with a quote, one with a quote above its maximum. */
export const expiryProbe: ProbeOverTime = {
  name: 'expiry',
  gaps: ['expiry.reason', 'slippage.meaning'],
  async run(t) {
    const bare = await openOrder(t);
    const quoted = await openOrder(t);
    await submitQuote(t, quoted);
    const dear = await openOrder(t, tooDear);
    const { id: taken } = await submitQuote(t, dear);
    await untilExpired(t, dear);
    const reasonOf = async (order: PlacedOrder): Promise<string | undefined> =>
      failureReasonIn(
        fieldsOf(await t.party('sender').call('order.read', { params: paramsOf(order) })),
      );
    // The observers tell `expiry.reason` from these answers.
    await reasonOf(bare);
    await reasonOf(quoted);
    const reason = await reasonOf(dear);
    return taken !== undefined && reason === 'SLIPPAGE'
      ? [['slippage.meaning', 'above-maximum']]
      : [];
  },
};
