import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  type Fields,
  findInList,
  isBefore,
  matchesQuote,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  succeeded,
  targetTime,
  textOf,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { assertQuoteState, ownQuotesOf, findQuote, quotesOf } from '../../shared/listed-quotes.ts';
import { viewLagMs, waits } from '../../shared/waits.ts';
import { assertDelivered } from '../../shared/event-delivery.ts';
import { eventLatencyMs } from '../../shared/streams.ts';

/** Two quotes of one maker on an order, where both stand on the order's side: else what becomes of them is open. */
async function bothStanding(
  t: CheckContext,
  order: PlacedOrder,
  maker: CastName,
): Promise<readonly [PlacedQuote, PlacedQuote]> {
  const first = await quote(t, maker, order);
  if (t.target.answers.get('quote.twice') === 'refuse') {
    t.outOfScope('a maker quotes once here (gap quote.twice)');
  }
  const second = await quote(t, maker, order, { rate: '1.02' });
  await t.target.timeline.sleep(viewLagMs);
  const { items } = await quotesOf(t, order);
  const standing = items.filter((item) => textOf(item, 'status') === 'PENDING');
  if (standing.length < 2)
    t.outOfScope('a second quote does not stand beside the first (gap quote.twice)');
  return [first, second];
}

const listed = defineCheck({
  id: 'quote.twice.listed',
  title:
    'Where two quotes of one maker stand on an order, each has an id of its own, and its maker finds both in its lists.',
  requirements: [
    'quote.quote-id.unique',
    'rfq.quotes.complete',
    'quote.list.complete',
    'quote.list.status-filter.complete',
  ],
  needs: { parties: ['sender', 'maker_b'], waitMs: viewLagMs + 6_000 },
  async run(t) {
    const order = await createOrder(t);
    const both = await bothStanding(t, order, 'maker_b');
    t.assert('quote.quote-id.unique', both[0].quoteId !== both[1].quoteId, {
      message: 'Two quotes that both stand were answered with one quote_id.',
      actual: both[0].quoteId,
      seen: both.map(({ exchange }) => exchange),
    });
    for (const one of both) {
      const under = await ownQuotesOf(t, order, 'maker_b');
      const isThere = findQuote(under.items, one) !== undefined;
      if (succeeded(under.exchange) && (isThere || under.whole)) {
        t.assert('rfq.quotes.complete', isThere, {
          message: "One of a maker's two quotes was not among its own under the request.",
          expected: one.quoteId,
          actual: under.items.map((item) => item['quote_id']),
          seen: [one.exchange, under.exchange],
        });
      }
      const shown = await assertListed(
        t,
        one,
        "One of a maker's two quotes was not on its list of quotes.",
      );
      if (shown && textOf(shown, 'status') === 'PENDING') await assertPending(t, one);
    }
  },
});

/** Judges that a quote, which is PENDING, is on its maker's list of those. */
async function assertPending(t: CheckContext, placed: PlacedQuote): Promise<void> {
  const maker = t.party(placed.maker);
  const query = { status: 'PENDING' };
  const found = await findInList(t, maker, 'quote.list', matchesQuote(placed), { query });
  if (!found.item && found.ended !== 'whole') return;
  // It may have gone meanwhile: a quote lives for as long as its deadline says.
  if (isBefore(targetTime(t, found.pages.at(-1) ?? placed.exchange), placed.validUntil) !== true)
    return;
  t.assert('quote.list.status-filter.complete', found.item !== undefined, {
    message: "One of a maker's two PENDING quotes was not on its list of those.",
    expected: placed.quoteId,
    seen: [placed.exchange, ...found.pages.slice(-3)],
  });
}

/** Judges that a quote is on its maker's list; answers how it stands there. */
async function assertListed(
  t: CheckContext,
  placed: PlacedQuote,
  message: string,
): Promise<Fields | undefined> {
  const found = await findInList(t, t.party(placed.maker), 'quote.list', matchesQuote(placed));
  if (!found.item && found.ended !== 'whole') return undefined;
  t.assert('quote.list.complete', found.item !== undefined, {
    message,
    expected: placed.quoteId,
    seen: [placed.exchange, ...found.pages.slice(-3)],
  });
  return found.item;
}

const selected = defineCheck({
  id: 'quote.twice.first-selected',
  title: "Of a maker's two quotes the one that the path names is accepted, though it is the older.",
  requirements: ['quote.accept.selects-named-quote', 'order.quote-id.names-accepted-quote'],
  needs: { parties: ['sender', 'maker_a'], waitMs: viewLagMs + 6_000 },
  async run(t) {
    const order = await createOrder(t);
    const [first] = await bothStanding(t, order, 'maker_a');
    const { data, exchange } = await accept(t, order, first);
    const named = textOf(data, 'quote_id');
    if (named === undefined) return;
    for (const requirement of [
      'quote.accept.selects-named-quote',
      'order.quote-id.names-accepted-quote',
    ] as const) {
      t.assert(requirement, named.toLowerCase() === first.quoteId.toLowerCase(), {
        message: "The acceptance of a maker's older quote selected another.",
        expected: first.quoteId,
        actual: named,
        seen: [first.exchange, exchange],
      });
    }
  },
});

const bothRejected = defineCheck({
  id: 'quote.twice.both-rejected',
  title:
    "When a rival's quote is selected both quotes of a maker are REJECTED, on the order's side and under the request, and the maker is told.",
  requirements: ['quote.state.pending-to-rejected', 'event.quote-rejected.sent'],
  needs: {
    parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b'],
    waitMs: viewLagMs + eventLatencyMs,
  },
  async run(t) {
    const order = await createOrder(t);
    const both = await bothStanding(t, order, 'maker_b');
    const won = await quote(t, 'maker_a', order);
    const { exchange } = await accept(t, order, won, 'sender_custodian');
    const accepted = targetTime(t, exchange);
    for (const one of both) {
      if (isBefore(accepted, one.validUntil) !== true) continue;
      for (const observer of ['sender', 'its maker'] as const) {
        const rejected = 'quote.state.pending-to-rejected';
        const when = "after another maker's was selected";
        await assertQuoteState(t, rejected, order, one, ['REJECTED'], when, observer);
      }
    }
    if (!both.every((one) => isBefore(accepted, one.validUntil) === true)) return;
    await t.target.timeline.sleep(eventLatencyMs);
    assertDelivered(t, order, {
      by: 'maker_b',
      requirement: 'event.quote-rejected.sent',
      event: 'quote_rejected',
    });
  },
});

const afterExpiry = defineCheck({
  id: 'quote.list.after-expiry',
  title: 'Quotes on an order that has expired stay on the list of their makers.',
  requirements: ['quote.list.complete'],
  needs: { parties: ['sender', 'maker_a', 'maker_c'], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    const placed = [await quote(t, 'maker_a', order), await quote(t, 'maker_c', order)];
    await untilExpired(t, order);
    await t.target.timeline.sleep(viewLagMs);
    for (const one of placed)
      await assertListed(t, one, 'A quote on an expired order was not on the list of its maker.');
  },
});

/** Lists of a maker in situations that tempt to leave something out. */
export const twoQuotesChecks: readonly Check[] = [listed, selected, bothRejected, afterExpiry];
