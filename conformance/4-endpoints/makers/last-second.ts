import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  fieldsOf,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  readOrder,
  succeeded,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { untilNear } from '../../shared/order-expiry.ts';
import { ownQuotesOf, quotesOf } from '../../shared/listed-quotes.ts';
import { tryCancel } from '../../shared/order-calls.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { expiryLagMs, needsOf, untilViewsAgree, viewLagMs, waits } from '../../shared/waits.ts';

/** Within the last second before a deadline, and early enough to arrive before it. */
const leadMs = 700;

const isInTime = (t: CheckContext, { received }: Exchange, expiresAt: number): boolean =>
  received + t.target.clock.offset.most < expiresAt;

/** State of a cancelled order (gap `cancel.state`); undefined if unknown, or if it is EXPIRED as after an expiry. */
const cancelledState = ({ target }: CheckContext): string | undefined => {
  const known = target.answers.get('cancel.state');
  return known === 'EXPIRED' ? undefined : known;
};

/** 3.1: an order that is cancelled a moment before its deadline was cancelled, and did not expire. */
const cancelAtLast: Check = {
  id: 'order.cancel.last-second',
  title: 'An order is cancelled in the last second of its life, and has not expired then.',
  requirements: [
    'order.cancel.pending-with-quotes',
    'order.state.cancel-ends-order',
    'order.failure-reason.user-cancelled',
  ],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order, { validForMs: 8_000 });
    const expiresAt = await untilNear(t, order, leadMs);
    const cancelled = await t.promptly(() => tryCancel(t, order));
    const what = 'a cancel of a PENDING order in its last second';
    if (!succeeded(cancelled)) return judgeRefusal(t, order, cancelled, expiresAt);
    t.assert('order.cancel.pending-with-quotes', true, { message: what });
    await untilExpired(t, order, expiryLagMs);
    const { data, exchange } = await readOrder(t, order);
    const state = cancelledState(t);
    if (state === undefined || !isInTime(t, cancelled, expiresAt)) return undefined;
    t.warnUnless('order.state.cancel-ends-order', stateOf(data) === state, {
      message: 'an order that was cancelled in its last second did not end as cancelled ones do',
      expected: state,
      actual: stateOf(data),
      seen: [cancelled, exchange],
    });
    return undefined;
  },
};

/**
 * A refusal is wrong if the order is PENDING after it, still in time, and a new order can be cancelled in the same way.
 */
async function judgeRefusal(
  t: CheckContext,
  order: PlacedOrder,
  refused: Exchange,
  expiresAt: number,
): Promise<undefined> {
  const look = await t.promptly(() =>
    t.party('sender').call('order.read', { params: paramsOf(order) }),
  );
  const wasOpen = stateOf(fieldsOf(look)) === 'PENDING' && isInTime(t, look, expiresAt);
  if (!isRefusal(refused) || !wasOpen) return undefined;
  const granted = await tryCancel(t, await createOrder(t));
  if (!succeeded(granted)) return undefined;
  t.assert('order.cancel.pending-with-quotes', false, {
    message: 'a PENDING order could not be cancelled in its last second',
    deviation: 'refused',
    must: { answered: '2xx' },
    actual: refused.response?.status,
    seen: [order.exchange, refused, look, granted],
  });
  return undefined;
}

/** 2.3: a quote that is taken a moment before its order's deadline exists, even if only for a moment. */
const quoteAtLast: Check = {
  id: 'quote.submit.last-second',
  title:
    'A quote that is taken in the last second of a request is listed afterwards, and was announced.',
  requirements: [
    'quote.submit.shown-to-order-side',
    'rfq.quotes.complete',
    'event.quote-received.sent',
  ],
  needs: needsOf(waits.orderExpiry + viewLagMs, 'sender', 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    const expiresAt = await untilNear(t, order, leadMs);
    const submitted = await t.promptly(() =>
      t.party('maker_a').call('quote.submit', {
        params: paramsOf(order),
        body: quoteBody(t, order, { validUntil: expiresAt - 1 }),
      }),
    );
    // The minimum validity of a quote is open: a refusal proves nothing.
    if (!succeeded(submitted)) return t.outOfScope('so short a quote is not taken here');
    await untilExpired(t, order, expiryLagMs);
    await untilViewsAgree(t);
    await quotesOf(t, order);
    await ownQuotesOf(t, order, 'maker_a');
    await readOrder(t, order);
    return undefined;
  },
};

export const lastSecondChecks: readonly Check[] = [cancelAtLast, quoteAtLast];
