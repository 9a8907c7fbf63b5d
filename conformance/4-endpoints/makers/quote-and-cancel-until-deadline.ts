import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  answerEvidence,
  assertAllowed,
  createOrder,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  quoteBody,
  readOrder,
  describeExchange,
  succeeded,
  targetNow,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { formatTimestamp, parseTimestamp } from '../../../src/spec/forms.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { untilNear } from '../../shared/order-expiry.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { waits } from '../../shared/waits.ts';

/** A request can be quoted, and its order cancelled, for as long as the order is PENDING: not in its youth only. */

const quoting = 'access.quote.submit.market-maker-allowed';
const cancel = 'order.cancel.pending-with-quotes';

/** Not the very last moment: how long a quote must be valid at least is open. */
const lastQuoteMs = 6_000;
const cancelMs = 2_500;

const submit = (t: CheckContext, maker: CastName, order: PlacedOrder, validForMs?: number) =>
  t.party(maker).call('quote.submit', {
    params: paramsOf(order),
    body: quoteBody(t, order, validForMs === undefined ? {} : { validForMs }),
  });

/** True if the answer came before the quote's and the order's deadlines: calls may have to wait for their turn. */
function isTimely(t: CheckContext, { request, received }: Exchange, expiresAt = Infinity): boolean {
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
    return undefined;
  },
};

export const untilDeadlineChecks: readonly Check[] = [untilTheEnd];
