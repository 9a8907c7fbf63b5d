import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { createOrder, type PlacedOrder } from '../../src/suite/actions/orders.ts';
import {
  type PlacedQuote,
  quote,
  quotedOrder,
  modestValidityMs,
  placedQuote,
} from '../../src/suite/actions/quotes.ts';
import { describeExchange, isRefusal, textOf } from '../../src/protocol/answers.ts';
import { targetNow } from '../../src/suite/actions/context.ts';
import {
  acceptAndSettle,
  acceptQuote,
  followToSettled,
  followToSettlement,
  readSettlement,
  lifeRequirementsOf,
  type Trade,
  ownQuotesOf,
  quotesOf,
  cancelOrder,
  tryAccept,
  findQuote,
  tryQuote,
} from '../shared/order-life.ts';
import { assertUntouched } from '../shared/order-states.ts';
import {
  needsOf,
  untilBefore,
  untilLapsed,
  untilViewsAgree,
  viewLagMs,
  waits,
  rows,
  expiryLagMs,
  makers,
} from '../shared/waits.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';

/** Rates chosen so that neither the best nor the last quote is the selected one. */
const rates = ['1', '1.01', '0.99'] as const;

/** Quotes of some makers on one order, in their order. */
async function rivalQuotes(
  t: CheckContext,
  order: PlacedOrder,
  by: readonly (typeof makers)[number][] = makers,
): Promise<readonly PlacedQuote[]> {
  const placed: PlacedQuote[] = [];
  for (const [index, maker] of by.entries()) {
    placed.push(await quote(t, maker, order, { rate: rates[index] ?? '1' }));
  }
  return placed;
}

/** Both of the order side and all makers list their quotes on an order. */
async function listAll(
  t: CheckContext,
  { order, acceptedBy }: Trade,
  placed: readonly PlacedQuote[],
): Promise<void> {
  for (const by of new Set([order.by, acceptedBy])) await quotesOf(t, order, by);
  for (const { maker } of placed) await ownQuotesOf(t, order, maker);
}

const selections = rows(
  { id: 'first', chosen: 0, by: 'sender' },
  { id: 'second', chosen: 1, by: 'sender' },
  { id: 'third', chosen: 2, by: 'sender' },
  { id: 'first-by-custodian', chosen: 0, by: 'sender_custodian' },
  { id: 'second-by-custodian', chosen: 1, by: 'sender_custodian' },
  { id: 'third-by-custodian', chosen: 2, by: 'sender_custodian' },
).map<Check>(({ id, chosen, by }) => ({
  id: `quote.select.${id}`,
  title: `Of three makers' quotes ${by} selects the ${id.split('-')[0]}: that one wins, the others are rejected for good.`,
  requirements: [
    'service.several-makers-quote',
    'quote.accept.selects-named-quote',
    'quote.state.pending-to-accepted',
    'quote.state.pending-to-rejected',
    'quote.state.pending-to-rejected.every-rival',
    'quote.state.pending-to-rejected.by-custodian',
    'quote.state.rejected-absorbs',
    ...lifeRequirementsOf(by),
  ],
  needs: needsOf(waits.settlement, 'sender', ...makers, by),
  async run(t) {
    const order = await createOrder(t);
    const placed = await rivalQuotes(t, order);
    t.assert('service.several-makers-quote', true, { message: '' });
    const winner = placed[chosen];
    if (!winner) return;
    const trade = { order, quote: winner, acceptedBy: by };
    await acceptQuote(t, trade);
    await untilViewsAgree(t);
    await listAll(t, trade, placed);
    await followToSettled(t, trade);
    await readSettlement(t, trade);
    await listAll(t, trade, placed);
  },
}));

const briefRival = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `quote.select.brief-rival.${by}`,
  title: `When ${by} selects a quote a moment before its rival lapses, the rival is rejected and the order settles.`,
  requirements: ['quote.state.pending-to-rejected', ...lifeRequirementsOf(by)],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', 'maker_b', 'maker_c', by),
  async run(t) {
    const order = await createOrder(t);
    const lapsed = await quote(t, 'maker_c', order, { validForMs: 1_500 });
    const winner = await quote(t, 'maker_a', order);
    const { timeline } = t.target;
    await untilLapsed(t, lapsed);
    const brief = await quote(t, 'maker_b', order, { validForMs: 2 * viewLagMs });
    // A maker that has a lapsed quote as well gets its event like any other: the rules look for that.
    if (t.target.answers.get('quote.twice') !== 'refuse') {
      await tryQuote(t, 'maker_c', order);
    }
    // Long enough to reject the rival, and short enough that the rival lapses before the order settles.
    const leadMs = viewLagMs + (timeline.kind === 'system' ? 900 : 200);
    await untilBefore(t, brief.validUntil, leadMs);
    await acceptAndSettle(t, { order, quote: winner, acceptedBy: by });
    await ownQuotesOf(t, order, brief.maker);
  },
}));

/**
 * 3.1: the time that a selected order stays QUOTED is open. A rival that lapses meanwhile does not affect the order.
 */
const lapsingRival = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `quote.select.rival-lapses.${by}`,
  title: `A rival's deadline just after ${by} selected a quote is nothing to the order: it settles.`,
  requirements: lifeRequirementsOf(by),
  needs: needsOf(waits.settlement, 'sender', 'maker_a', 'maker_b', by),
  async run(t) {
    const quoted = await quotedOrder(t);
    const { validUntil } = await quote(t, 'maker_b', quoted.order, { validForMs: 1_500 });
    const { timeline, clock } = t.target;
    // On a slow target it may lapse before the acceptance: that makes no difference.
    await timeline.until(validUntil - clock.offset.least - 200);
    await acceptAndSettle(t, { ...quoted, acceptedBy: by });
  },
}));

/** 3: actions on one order do not affect another order with the same makers, which lives on. */
const neighbours: readonly Check[] = [
  ...(['sender', 'sender_custodian'] as const).map<Check>((by) => ({
    id: `order.neighbour.accepted-by.${by}`,
    title: `When ${by} accepts a quote on one order, the other's quotes stay PENDING and it settles in its turn.`,
    requirements: [
      'quote.state.other-orders-untouched',
      'order.state.other-orders-untouched',
      ...lifeRequirementsOf(by),
    ],
    needs: needsOf(2 * waits.settlement, 'sender', 'maker_a', 'maker_b', by),
    async run(t) {
      const [one, other] = [await createOrder(t), await createOrder(t)];
      const pair = ['maker_a', 'maker_b'] as const;
      const [winner] = await rivalQuotes(t, one, pair);
      const kept = await rivalQuotes(t, other, pair);
      const [, second] = kept;
      if (!winner || !second) return;
      const trade = { order: one, quote: winner, acceptedBy: by };
      await acceptQuote(t, trade);
      const after = 'after a quote on another order was accepted';
      await assertUntouched(t, 'order.state.other-orders-untouched', other, after);
      const next = { order: other, quote: second, acceptedBy: by };
      await listAll(t, next, kept);
      await followToSettlement(t, trade);
      await listAll(t, next, kept);
      await acceptAndSettle(t, next);
    },
  })),
  {
    id: 'order.neighbour.cancelled',
    title:
      'A cancel ends the order that it names; the ones before and after it stay as they were and settle.',
    requirements: [
      'order.cancel.only-that-order',
      'quote.state.other-orders-untouched',
      ...lifeRequirementsOf(),
    ],
    needs: needsOf(waits.settlement, 'sender', 'maker_a', 'maker_b'),
    async run(t) {
      const before = await createOrder(t);
      const named = await createOrder(t);
      const behind = await createOrder(t);
      await quote(t, 'maker_a', named);
      const one = await quote(t, 'maker_a', before);
      const two = await quote(t, 'maker_b', behind);
      await cancelOrder(t, named);
      for (const order of [before, behind]) {
        const after = 'after another order was cancelled';
        await assertUntouched(t, 'order.cancel.only-that-order', order, after);
        await quotesOf(t, order);
      }
      await t.target.timeline.together([
        ['before', () => acceptAndSettle(t, { order: before, quote: one, acceptedBy: 'sender' })],
        ['behind', () => acceptAndSettle(t, { order: behind, quote: two, acceptedBy: 'sender' })],
      ]);
    },
  },
  {
    id: 'order.neighbour.of-another-institution',
    title:
      "What one institution does to its order leaves another institution's alone, though makers quote both.",
    requirements: [
      'order.state.other-orders-untouched',
      'quote.state.other-orders-untouched',
      ...lifeRequirementsOf(),
    ],
    needs: needsOf(waits.settlement, 'sender', 'outsider', 'maker_a', 'maker_b'),
    async run(t) {
      const own = await createOrder(t);
      const foreign = await createOrder(t, {}, { by: 'outsider' });
      const mine = await quote(t, 'maker_a', own);
      const theirs = await quote(t, 'maker_a', foreign);
      await tryAccept(t, own, mine);
      const after = "after another institution's order was accepted";
      await assertUntouched(t, 'order.state.other-orders-untouched', foreign, after);
      await quotesOf(t, foreign, 'outsider');
      await acceptAndSettle(t, { order: foreign, quote: theirs, acceptedBy: 'outsider' });
    },
  },
];

export const selectChecks: readonly Check[] = [
  ...selections,
  ...briefRival,
  ...lapsingRival,
  ...neighbours,
];

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
    return tryQuote(t, maker, order, { validForMs: ms });
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
