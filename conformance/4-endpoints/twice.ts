import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  createOrder,
  type Fields,
  findInList,
  isBefore,
  isQuote,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  succeeded,
  targetTime,
  textOf,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { judgeQuote, ownQuotesOf, quoteIn, quotesOf } from '../3-states/quotes-seen.ts';
import { lagMs, waits } from '../3-states/words.ts';
import { judgeTold } from '../6-events/hearing.ts';
import { travelMs } from '../6-events/listening.ts';

/** Two quotes of one maker on an order, where both stand on the order's side: else what becomes of them is open. */
async function bothStanding(
  trial: Trial,
  order: PlacedOrder,
  maker: CastName,
): Promise<readonly [PlacedQuote, PlacedQuote]> {
  const first = await quote(trial, maker, order);
  if (trial.target.answers.get('quote.twice') === 'refuse') {
    trial.outOfScope('a maker quotes once here (gap quote.twice)');
  }
  const second = await quote(trial, maker, order, { rate: '1.02' });
  await trial.target.timeline.sleep(lagMs);
  const { items } = await quotesOf(trial, order);
  const standing = items.filter((item) => textOf(item, 'status') === 'PENDING');
  if (standing.length < 2)
    trial.outOfScope('a second quote does not stand beside the first (gap quote.twice)');
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
  needs: { parties: ['sender', 'maker_b'], waitMs: lagMs + 6_000 },
  async run(trial) {
    const order = await createOrder(trial);
    const both = await bothStanding(trial, order, 'maker_b');
    trial.judge('quote.quote-id.unique', both[0].quoteId !== both[1].quoteId, {
      message: 'Two quotes that both stand were answered with one quote_id.',
      actual: both[0].quoteId,
      seen: both.map(({ exchange }) => exchange),
    });
    for (const one of both) {
      const under = await ownQuotesOf(trial, order, 'maker_b');
      const isThere = quoteIn(under.items, one) !== undefined;
      if (succeeded(under.exchange) && (isThere || under.whole)) {
        trial.judge('rfq.quotes.complete', isThere, {
          message: "One of a maker's two quotes was not among its own under the request.",
          expected: one.quoteId,
          actual: under.items.map((item) => item['quote_id']),
          seen: [one.exchange, under.exchange],
        });
      }
      const shown = await judgeListed(
        trial,
        one,
        "One of a maker's two quotes was not on its list of quotes.",
      );
      if (shown && textOf(shown, 'status') === 'PENDING') await judgePending(trial, one);
    }
  },
});

/** Judges that a quote, which is PENDING, is on its maker's list of those. */
async function judgePending(trial: Trial, placed: PlacedQuote): Promise<void> {
  const maker = trial.party(placed.maker);
  const query = { status: 'PENDING' };
  const found = await findInList(trial, maker, 'quote.list', isQuote(placed), { query });
  if (!found.item && found.ended !== 'whole') return;
  // It may have gone meanwhile: a quote lives for as long as its deadline says.
  if (
    isBefore(targetTime(trial, found.pages.at(-1) ?? placed.exchange), placed.validUntil) !== true
  )
    return;
  trial.judge('quote.list.status-filter.complete', found.item !== undefined, {
    message: "One of a maker's two PENDING quotes was not on its list of those.",
    expected: placed.quoteId,
    seen: [placed.exchange, ...found.pages.slice(-3)],
  });
}

/** Judges that a quote is on its maker's list; answers how it stands there. */
async function judgeListed(
  trial: Trial,
  placed: PlacedQuote,
  message: string,
): Promise<Fields | undefined> {
  const found = await findInList(trial, trial.party(placed.maker), 'quote.list', isQuote(placed));
  if (!found.item && found.ended !== 'whole') return undefined;
  trial.judge('quote.list.complete', found.item !== undefined, {
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
  needs: { parties: ['sender', 'maker_a'], waitMs: lagMs + 6_000 },
  async run(trial) {
    const order = await createOrder(trial);
    const [first] = await bothStanding(trial, order, 'maker_a');
    const { data, exchange } = await accept(trial, order, first);
    const named = textOf(data, 'quote_id');
    if (named === undefined) return;
    for (const requirement of [
      'quote.accept.selects-named-quote',
      'order.quote-id.names-accepted-quote',
    ] as const) {
      trial.judge(requirement, named.toLowerCase() === first.quoteId.toLowerCase(), {
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
    waitMs: lagMs + travelMs,
  },
  async run(trial) {
    const order = await createOrder(trial);
    const both = await bothStanding(trial, order, 'maker_b');
    const won = await quote(trial, 'maker_a', order);
    const { exchange } = await accept(trial, order, won, 'sender_custodian');
    const accepted = targetTime(trial, exchange);
    for (const one of both) {
      if (isBefore(accepted, one.validUntil) !== true) continue;
      for (const observer of ['sender', 'its maker'] as const) {
        const rejected = 'quote.state.pending-to-rejected';
        const when = "after another maker's was selected";
        await judgeQuote(trial, rejected, order, one, ['REJECTED'], when, observer);
      }
    }
    if (!both.every((one) => isBefore(accepted, one.validUntil) === true)) return;
    await trial.target.timeline.sleep(travelMs);
    judgeTold(trial, order, {
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
  async run(trial) {
    const order = await createOrder(trial);
    const placed = [await quote(trial, 'maker_a', order), await quote(trial, 'maker_c', order)];
    await untilExpired(trial, order);
    await trial.target.timeline.sleep(lagMs);
    for (const one of placed)
      await judgeListed(
        trial,
        one,
        'A quote on an expired order was not on the list of its maker.',
      );
  },
});

/** Lists of a maker in situations that tempt to leave something out. */
export const twiceChecks: readonly Check[] = [listed, selected, bothRejected, afterExpiry];
