import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  answerEvidence,
  describeExchange,
  isRefusal,
  succeeded,
} from '../../src/protocol/answers.ts';
import { retryWhileRefused } from '../../src/suite/actions/context.ts';
import { createOrder, type PlacedOrder } from '../../src/suite/actions/orders.ts';
import { placedQuote } from '../../src/suite/actions/quotes.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import type { Exchange } from '../../src/history/records.ts';
import { tryAccept, tryQuote, untilNear } from '../shared/order-life.ts';
import { needsOf, untilBefore, waits } from '../shared/waits.ts';
import { isTimely } from './until-deadline.ts';

const quoting = 'access.quote.submit.market-maker-allowed';
const accepting = 'order.expires-at.acceptable-until';

const quoteMs = 8_000;
/** On a clock that runs by itself an answer takes time to arrive. */
const acceptMs = { system: 2_500, driven: 60 } as const;

/** One attempt of maker_a to submit a quote whose `valid_until` is `expires_at` of its order, or so much later. */
const submit = (t: CheckContext, order: PlacedOrder, expiresAt: number, laterMs = 0) =>
  tryQuote(t, 'maker_a', order, { validUntil: expiresAt + laterMs });

/**
 * Judges a refused quote by two controls. No bound of a quote's validity is shown (gaps `quote.beyond_expiry`,
 * `quote.max_validity`), so a quote may have to end before its order, if only by a millisecond. But no bound takes a
 * quote that ends later and one that ends earlier, and refuses the one between them.
 * @param other created after the order, so that it does not expire before it
 */
async function judgeRefusal(
  t: CheckContext,
  order: PlacedOrder,
  other: PlacedOrder,
  first: Exchange,
): Promise<void> {
  const [expiresAt, otherExpiresAt] = [order.expiresAt ?? 0, other.expiresAt ?? 0];
  // In this sequence each quote is valid for less time than the one before, and each order takes one: whether a maker
  // may quote twice is open (gap `quote.twice`). No limit explains refused, taken, refused and taken in turn.
  const later = await submit(t, other, otherExpiresAt, 1);
  const exact = await submit(t, order, expiresAt);
  if (succeeded(exact)) return void assertAllowed(t, quoting, exact);
  const earlier = await submit(t, order, expiresAt, -1);
  const isBetween = otherExpiresAt >= expiresAt && succeeded(later) && succeeded(earlier);
  if (!isRefusal(exact) || !isTimely(t, exact)) t.notExercised('the quote came too late', [exact]);
  if (!isBetween) {
    const gaps = 'gaps quote.beyond_expiry, quote.max_validity';
    t.outOfScope(`a quote may have to end before its order here (${gaps})`);
  }
  t.assert(quoting, false, {
    message: `${describeExchange(exact)} to a quote that ends with its order, while one that ends a millisecond later and one that ends a millisecond earlier were taken.`,
    deviation: 'refused',
    must: { answered: '2xx' },
    actual: answerEvidence(exact),
    fields: ['valid_until'],
    seen: [order.exchange, first, other.exchange, later, exact, earlier],
  });
}

export const endsWithOrderChecks = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `quote.submit.ends-with-order.${by}`,
  title: `A quote whose valid_until is expires_at of its order is taken if a later and an earlier one are, and ${by} accepts it shortly before.`,
  requirements: [quoting, accepting],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_a', by),
  async run(t) {
    // The same terms for both orders: a bound may depend on them.
    const order = await createOrder(t, {}, { terms: 'round' });
    const other = await createOrder(t, {}, { terms: 'round' });
    const expiresAt = await untilNear(t, order, quoteMs);
    const submitted = await retryWhileRefused(t, () => submit(t, order, expiresAt));
    if (isRefusal(submitted)) return judgeRefusal(t, order, other, submitted);
    const placed = placedQuote('maker_a', submitted);
    if (!placed) return t.notExercised('the quote was neither taken nor refused', [submitted]);
    assertAllowed(t, quoting, submitted);
    const { clock, timeline } = t.target;
    // The target may have cut the quote (gap `quote.beyond_expiry`).
    const { validUntil } = placed;
    await untilBefore(t, validUntil, acceptMs[timeline.kind === 'system' ? 'system' : 'driven']);
    const accepted = await t.promptly(() => tryAccept(t, order, placed, by));
    if (!succeeded(accepted) && accepted.received + clock.offset.most >= validUntil)
      return t.notExercised('the acceptance came too late', [accepted]);
    const what = 'the acceptance of a quote that ends with its order, shortly before that';
    assertAllowed(t, accepting, accepted, what);
  },
}));
