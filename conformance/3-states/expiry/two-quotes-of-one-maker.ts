import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  describeExchange,
  isRefusal,
  modestValidityMs,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quote,
  quoteBody,
  targetNow,
  textOf,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import {
  acceptAndSettle,
  acceptQuote,
  followToSettlement,
  lifeRequirementsOf,
} from '../../shared/order-life.ts';
import { findQuote, ownQuotesOf, quotesOf } from '../../shared/listed-quotes.ts';
import { expiryLagMs, needsOf, untilLapsed, viewLagMs, waits } from '../../shared/waits.ts';
import { tryAccept } from '../../shared/order-calls.ts';
import { rows } from '../../shared/check-table.ts';

const once = 'a maker has one quote at a time here (gap quote.twice)';
const briefMs = 1_500;

function mayQuoteTwice(t: CheckContext): void {
  const known = t.target.answers.get('quote.twice');
  if (known !== undefined && known !== 'allow') t.outOfScope(once);
}

/** A second quote of a maker with this validity. Ends the check if it is refused or replaces the first. */
async function second(t: CheckContext, order: PlacedOrder, first: PlacedQuote, validForMs: number) {
  const { maker } = first;
  const submit = (ms: number) => {
    const body = quoteBody(t, order, { validForMs: ms });
    return t.party(maker).call('quote.submit', { params: paramsOf(order), body });
  };
  let exchange = await submit(validForMs);
  // The refusal may also be about its short validity.
  if (isRefusal(exchange) && validForMs < modestValidityMs) {
    exchange = await submit(modestValidityMs);
  }
  if (isRefusal(exchange)) t.outOfScope(once);
  const placed = placedQuote(maker, exchange);
  if (!placed)
    return t.notExercised(`no second quote was taken: ${describeExchange(exchange)}`, [exchange]);
  const { items } = await ownQuotesOf(t, order, maker);
  const stands = textOf(findQuote(items, first), 'status') === 'PENDING';
  if (placed.quoteId === first.quoteId || !stands) t.outOfScope(once);
  return placed;
}

/**
 * A long quote and a brief one of the same maker, in either order. Ends the check if the long one does not outlast the
 * other.
 */
async function pairOf(
  t: CheckContext,
  order: PlacedOrder,
  maker: CastName,
  older: 'brief' | 'long',
): Promise<{ readonly brief: PlacedQuote; readonly long: PlacedQuote }> {
  mayQuoteTwice(t);
  // The quote that is taken as a long one shows how long a quote may be valid here (gap `quote.max_validity`).
  const tried = await quote(t, maker, await createOrder(t));
  const longMs = tried.validUntil - targetNow(t).latest;
  const [firstMs, secondMs] = older === 'brief' ? [briefMs, longMs] : [longMs, briefMs];
  const first = await quote(t, maker, order, { validForMs: firstMs });
  const other = await second(t, order, first, secondMs);
  const [brief, long] = older === 'brief' ? [first, other] : [other, first];
  const room = expiryLagMs + viewLagMs;
  if (Math.min(long.validUntil, order.expiresAt ?? 0) < brief.validUntil + room)
    t.notExercised('no quote outlasted another of its maker by enough');
  return { brief, long };
}

/** 3.2: each quote has its own deadline, also two of one maker. A second quote may be refused (gap `quote.twice`). */
const deadlines = rows(
  { older: 'brief', maker: 'maker_a', by: 'sender' },
  { older: 'long', maker: 'maker_b', by: 'sender_custodian' },
).map<Check>(({ older, maker, by }) => ({
  id: `quote.expiry.two-of-one-maker.${older}-first`,
  title: `Of two quotes of ${maker}, the ${older} one first, the brief one lapses at its deadline and the long one stands on, and ${by} can accept that one alone.`,
  requirements: [
    'quote.state.pending-to-expired',
    'quote.state.pending-to-expired.not-early',
    'order.accept.expired-quote-refused',
    ...lifeRequirementsOf(by),
  ],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', maker, by),
  async run(t) {
    const order = await createOrder(t);
    const { brief, long } = await pairOf(t, order, maker, older);
    await untilLapsed(t, brief);
    await quotesOf(t, order);
    await ownQuotesOf(t, order, maker);
    const late = await tryAccept(t, order, brief, by);
    if (isRefusal(late)) await acceptAndSettle(t, { order, quote: long, acceptedBy: by });
  },
}));

/** 3.1: an order takes one acceptance: to have been selected with one quote opens nothing to another. */
const afterSelection = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.accept.second-quote.of-the-winner.${by}`,
  title: `Once one of two quotes of maker_a was accepted, ${by} cannot accept the other.`,
  requirements: ['order.accept.second-quote-refused', ...lifeRequirementsOf('sender')],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', by),
  async run(t) {
    mayQuoteTwice(t);
    const order = await createOrder(t);
    const chosen = await quote(t, 'maker_a', order);
    const left = chosen.validUntil - targetNow(t).latest;
    const other = await second(t, order, chosen, left);
    const trade = { order, quote: chosen, acceptedBy: 'sender' } as const;
    await acceptQuote(t, trade);
    await tryAccept(t, order, other, by);
    await followToSettlement(t, trade);
  },
}));

export const twoOfOneMakerChecks: readonly Check[] = [...deadlines, ...afterSelection];
