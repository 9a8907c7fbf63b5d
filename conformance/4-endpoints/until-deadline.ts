import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  answerEvidence,
  isRefusal,
  describeExchange,
  succeeded,
  fieldsOf,
} from '../../src/protocol/answers.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import {
  createOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { targetNow } from '../../src/suite/actions/context.ts';
import { quote } from '../../src/suite/actions/quotes.ts';
import type { Exchange } from '../../src/history/records.ts';
import { formatTimestamp, parseTimestamp } from '../../src/spec/forms.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import {
  untilNear,
  cancelOrder,
  ownQuotesOf,
  quotesOf,
  tryCancel,
  tryQuote,
} from '../shared/order-life.ts';
import { stateOf } from '../shared/order-states.ts';
import { waits, expiryLagMs, needsOf, untilViewsAgree, viewLagMs } from '../shared/waits.ts';

/** A request can be quoted, and its order cancelled, for as long as the order is PENDING: not in its youth only. */

const quoting = 'access.quote.submit.market-maker-allowed';
const cancel = 'order.cancel.pending-with-quotes';

/** Not the very last moment: how long a quote must be valid at least is open. */
const lastQuoteMs = 6_000;
const cancelMs = 2_500;

const submit = (t: CheckContext, maker: CastName, order: PlacedOrder, validForMs?: number) =>
  tryQuote(t, maker, order, validForMs === undefined ? {} : { validForMs });

/** True if the answer came before the quote's and the order's deadlines: calls may have to wait for their turn. */
export function isTimely(
  t: CheckContext,
  { request, received }: Exchange,
  expiresAt = Infinity,
): boolean {
  const { valid_until } = request.body as { readonly valid_until?: unknown };
  const last = Math.min(parseTimestamp(valid_until) ?? -Infinity, expiresAt);
  return received + t.target.clock.offset.most < last;
}

/** Judges that a quote is taken `beforeMs` before its order's deadline if a like quote is taken on a new order. */
async function assertQuoting(
  t: CheckContext,
  maker: CastName,
  order: PlacedOrder,
  beforeMs: number,
): Promise<void> {
  const expiresAt = await untilNear(t, order, beforeMs);
  const late = await submit(t, maker, order);
  const what = `a quote on a request ${Math.round(beforeMs / 1_000)} s before it expires`;
  if (succeeded(late)) return void assertAllowed(t, quoting, late, what);
  if (!isRefusal(late) || !isTimely(t, late, expiresAt)) return;
  const early = await submitEarly(t, maker, late);
  if (!succeeded(early)) {
    if (isTimely(t, early))
      t.inconclusive(quoting, `a quote as short on a new request: ${describeExchange(early)}`);
    return;
  }
  const again = await submit(t, maker, order);
  const isRefusedAgain = isRefusal(again) && isTimely(t, again, expiresAt);
  const isTakenAgain = isRefusedAgain && succeeded(await submitEarly(t, maker, again));
  // Refused, taken, refused and taken in turn: no number of quotes that may be open at once explains that.
  if (isTakenAgain)
    t.assert(quoting, false, {
      message: `${describeExchange(again)} to ${what}, while one as short was taken on a new request.`,
      deviation: 'refused',
      must: { answered: '2xx' },
      actual: answerEvidence(again),
      seen: [late, early, again],
    });
  else assertAllowed(t, quoting, late, what);
}

/** A quote of the same maker on a new request, with the validity of the refused one. */
async function submitEarly(t: CheckContext, maker: CastName, late: Exchange): Promise<Exchange> {
  const { valid_until } = late.request.body as { readonly valid_until?: unknown };
  const validForMs = (parseTimestamp(valid_until) ?? 0) - late.sent;
  return submit(t, maker, await createOrder(t), validForMs);
}

const untilTheEnd: Check = {
  id: 'quote.submit.until-the-end',
  title:
    'An order is quoted in the second half of its life and shortly before its end, then cancelled.',
  requirements: [quoting, cancel],
  needs: { parties: ['sender', 'maker_a', 'maker_b', 'maker_c'], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    const { expiresAt } = order;
    if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
    const lifeMs = expiresAt - targetNow(t).latest;
    const stages = [
      ['maker_a', lifeMs * 0.45],
      ['maker_b', lifeMs * 0.2],
      ['maker_c', lastQuoteMs],
    ] as const;
    for (const [maker, beforeMs] of stages) {
      if (beforeMs >= lastQuoteMs) await assertQuoting(t, maker, order, beforeMs);
    }
    await untilNear(t, order, cancelMs);
    const { data } = await readOrder(t, order);
    const cancelled = await cancelOrder(t, order);
    const isInTime = cancelled.received + t.target.clock.offset.most < expiresAt;
    if (stateOf(data) !== 'PENDING' || !(succeeded(cancelled) || isInTime)) return undefined;
    const what = `a cancel of a PENDING order shortly before it expires at ${formatTimestamp(expiresAt)}`;
    assertAllowed(t, cancel, cancelled, what);
  },
};

export const untilDeadlineChecks: readonly Check[] = [untilTheEnd];

/** Within the last second before a deadline, and early enough to arrive before it. */
const leadMs = 700;

const isInTime = (t: CheckContext, { received }: Exchange, expiresAt: number): boolean =>
  received + t.target.clock.offset.most < expiresAt;

/** State of a cancelled order (gap `cancel.state`); undefined if unknown, or if it is EXPIRED as after an expiry. */
const cancelledState = ({ target }: CheckContext): string | undefined => {
  const known = target.answers.get('cancel.state');
  return known === 'EXPIRED' ? undefined : known;
};

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
      tryQuote(t, 'maker_a', order, { validUntil: expiresAt - 1 }),
    );
    // The minimum validity of a quote is open: a refusal proves nothing.
    if (!succeeded(submitted)) return t.outOfScope('so short a quote is not taken here');
    await untilExpired(t, order, expiryLagMs);
    await untilViewsAgree(t);
    await quotesOf(t, order);
    await ownQuotesOf(t, order, 'maker_a');
    await readOrder(t, order);
  },
};

export const lastSecondChecks: readonly Check[] = [cancelAtLast, quoteAtLast];
