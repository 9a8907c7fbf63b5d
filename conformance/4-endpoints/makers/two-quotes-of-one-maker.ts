import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  matchesQuote,
  type PlacedOrder,
  quote,
  textOf,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { ownQuotesOf, quotesOf } from '../../shared/listed-quotes.ts';
import { needsOf, viewLagMs, waits } from '../../shared/waits.ts';
import { eventLatencyMs } from '../../shared/streams.ts';
import { pollList } from '../lists/list-walks.ts';

/** Two quotes of one maker on an order; out of scope if it may quote once only. */
async function twoQuotes(t: CheckContext, order: PlacedOrder, maker: CastName) {
  const first = await quote(t, maker, order);
  if (t.target.answers.get('quote.twice') === 'refuse') {
    t.outOfScope('a maker quotes once here (gap quote.twice)');
  }
  const second = await quote(t, maker, order, { rate: '1.02' });
  await t.target.timeline.sleep(viewLagMs + 100);
  return [first, second] as const;
}

/**
 * Two quotes of one maker, both PENDING for the order's side. Out of scope if not: their further states are open then.
 * @returns the first
 */
async function firstOfTwo(t: CheckContext, order: PlacedOrder, maker: CastName) {
  const [first] = await twoQuotes(t, order, maker);
  const { items } = await quotesOf(t, order);
  const standing = items.filter((item) => textOf(item, 'status') === 'PENDING');
  if (standing.length < 2)
    t.outOfScope('a second quote does not stand beside the first (gap quote.twice)');
  return first;
}

/**
 * 4.2 to 4.4: a second quote of a maker is on every list that shows the first. It may replace the first (gap
 * `quote.twice`).
 */
const listed: Check = {
  id: 'quote.two-of-one-maker.listed',
  title:
    'Where two quotes of one maker stand on an order, each has an id of its own, and its maker finds both in its lists.',
  requirements: [
    'quote.quote-id.unique',
    'rfq.quotes.complete',
    'rfq.quotes.only-that-request',
    'quote.list.complete',
    'quote.list.status-filter.complete',
    'quote.list.agrees-with-request',
    'order.quotes.complete',
    'quote.submit.shown-to-order-side',
  ],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: viewLagMs + 6_000 },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    const both = await twoQuotes(t, order, 'maker_b');
    await ownQuotesOf(t, order, 'maker_b');
    await quotesOf(t, order);
    for (const query of [{}, { status: 'PENDING' }, {}]) {
      const listing = { by: 'maker_b', endpoint: 'quote.list', query } as const;
      for (const one of both) await pollList(t, listing, matchesQuote(one));
    }
  },
};

/** 3.2, 4.2: the quote that is accepted is the one that the path names. */
const selected: Check = {
  id: 'quote.two-of-one-maker.first-selected',
  title: "Of a maker's two quotes the one that the path names is accepted, though it is the older.",
  requirements: ['quote.accept.selects-named-quote', 'order.quote-id.names-accepted-quote'],
  needs: { parties: ['sender', 'maker_a'], waitMs: viewLagMs + 6_000 },
  async run(t) {
    const order = await createOrder(t);
    await accept(t, order, await firstOfTwo(t, order, 'maker_a'));
  },
};

/** 3.2, 6: if another maker's quote is selected, all quotes of a maker are REJECTED, and it gets the events. */
const bothRejected: Check = {
  id: 'quote.two-of-one-maker.both-rejected',
  title:
    "When a rival's quote is selected both quotes of a maker are REJECTED, on the order's side and under the request, and the maker is told.",
  requirements: ['quote.state.pending-to-rejected', 'event.quote-rejected.sent'],
  needs: needsOf(viewLagMs + eventLatencyMs, 'sender', 'sender_custodian', 'maker_a', 'maker_b'),
  async run(t) {
    const order = await createOrder(t);
    await firstOfTwo(t, order, 'maker_b');
    // A rate that occurs in no quote of the losing maker and in no amount, so that a rule recognizes it if it leaks.
    const winner = await quote(t, 'maker_a', order, { rate: '1.015' });
    await accept(t, order, winner, 'sender_custodian');
    await t.target.timeline.sleep(eventLatencyMs);
    await quotesOf(t, order);
    await ownQuotesOf(t, order, 'maker_b');
  },
};

/** 4.4: quotes are listed when their order has expired, too. */
const afterExpiry: Check = {
  id: 'quote.list.after-expiry',
  title: 'Quotes on an order that has expired stay on the list of their makers.',
  requirements: ['quote.list.complete'],
  needs: { parties: ['sender', 'maker_a', 'maker_c'], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    const placed = [await quote(t, 'maker_a', order), await quote(t, 'maker_c', order)];
    await untilExpired(t, order);
    await t.target.timeline.sleep(viewLagMs);
    for (const one of placed) {
      await pollList(t, { by: one.maker, endpoint: 'quote.list' }, matchesQuote(one));
    }
  },
};

export const twoQuotesChecks: readonly Check[] = [listed, selected, bothRejected, afterExpiry];
