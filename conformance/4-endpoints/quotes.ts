import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  findInList,
  insist,
  isOrder,
  isQuote,
  isRefusal,
  lookUntil,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quote,
  quoteBody,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import { sameValue } from '../../src/rules/same.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import { OwnQuote } from '../../src/spec/resources.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { ownQuotesOf, quoteIn, quotesOf, quotesWith } from '../3-states/quotes-seen.ts';
import { each, isSet, lagMs, settlementPatienceMs, terminal, waits } from '../3-states/words.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** Clocks seldom stand on a whole second, which is where milliseconds are left out by mistake. */
const wholeSecond = defineCheck({
  id: 'quote.whole-second-deadline',
  title: 'A quote whose deadline is a whole second shows it with milliseconds, wherever it stands.',
  requirements: [],
  needs: { parties: ['sender', 'maker_b'] },
  async run(trial) {
    const order = await createOrder(trial);
    const usual = parseTimestamp(quoteBody(trial, order)['valid_until']) ?? 0;
    const validUntil = Math.floor(usual / 1_000) * 1_000;
    const placed = await quote(trial, 'maker_b', order, { validUntil });
    await ownQuotesOf(trial, order, 'maker_b');
    await quotesOf(trial, order);
    await accept(trial, order, placed);
  },
});

/** Judges that a maker's own quote is under its request and in the list of all its quotes, and the same in both. */
async function judgeOwn(trial: Trial, order: PlacedOrder, placed: PlacedQuote): Promise<void> {
  const { maker } = placed;
  const under = await lookUntil(
    trial,
    () => ownQuotesOf(trial, order, maker),
    ({ items }) => quoteIn(items, placed) !== undefined,
  );
  const here = quoteIn(under.items, placed);
  if (succeeded(under.exchange)) {
    if (here || under.whole) {
      trial.judge('rfq.quotes.complete', here !== undefined, {
        message: "A maker's quote was not among its own under the request.",
        expected: placed.quoteId,
        actual: under.items,
        seen: [under.exchange],
      });
    }
    const foreign = under.items.filter((item) => isSet(item, 'intent_id') && !isOrder(order)(item));
    trial.judge('rfq.quotes.only-that-request', foreign.length === 0, {
      message: 'Under a request stood a quote on another.',
      expected: order.intentId,
      actual: foreign,
      seen: [under.exchange],
    });
  }
  const found = await lookUntil(
    trial,
    () => findInList(trial, trial.party(maker), 'quote.list', isQuote(placed)),
    ({ item }) => item !== undefined,
  );
  if (!found.item && found.ended !== 'whole') return;
  trial.judge('quote.list.complete', found.item !== undefined, {
    message: "A maker's quote was not on the list of its quotes.",
    expected: placed.quoteId,
    seen: [placed.exchange, ...found.pages.slice(-3)],
  });
  const again = (await ownQuotesOf(trial, order, maker)).items.find(isQuote(placed));
  const steady = here && again && here['status'] === again['status'];
  if (!found.item || !steady) return;
  const { item } = found;
  const different = Object.keys(OwnQuote.properties).filter((name) => {
    if (!isSet(item, name) && !isSet(here, name)) return false;
    return !isSet(item, name) || !isSet(here, name) || !sameValue(name, item[name], here[name]);
  });
  trial.judge('quote.list.agrees-with-request', different.length === 0, {
    message: `A quote in the list of quotes differed from the one under its request in ${different.join(', ')}.`,
    expected: here,
    actual: item,
    seen: [under.exchange, ...found.pages.slice(-1)],
  });
}

const own = [
  'rfq.quotes.complete',
  'rfq.quotes.only-that-request',
  'quote.list.complete',
  'quote.list.agrees-with-request',
] as const satisfies readonly RequirementId[];

/** The order side's list holds the quotes of every maker, with their terms. */
async function judgeShown(
  trial: Trial,
  order: PlacedOrder,
  placed: readonly PlacedQuote[],
  by: CastName,
): Promise<void> {
  const { items, exchange, whole } = await quotesWith(trial, order, placed, by);
  const missing = placed.filter((one) => !quoteIn(items, one));
  if (!succeeded(exchange) || (missing.length > 0 && !whole)) return;
  const requirements: readonly RequirementId[] =
    by === 'sender_custodian'
      ? ['order.quotes.custodian-sees-same']
      : ['order.quotes.complete', 'quote.submit.shown-to-order-side'];
  for (const requirement of requirements) {
    trial.judge(requirement, missing.length === 0, {
      message: `The quotes of an order, as ${by} lists them, left out a quote that was taken.`,
      expected: placed.map(({ quoteId }) => quoteId),
      actual: items.map((item) => item['quote_id']),
      seen: [...placed.map((one) => one.exchange), exchange],
    });
  }
}

const shown = each(
  [
    { id: 'three-makers', rates: ['1', '1', '1'] },
    { id: 'different-rates', rates: ['1', '1.0125', '0.9875'] },
  ] as const,
  ({ id, rates }) =>
    defineCheck({
      id: `quote.lists.${id}`,
      title: `Three makers' quotes (${id}) on each of two orders are in all lists that they belong in, and in no other.`,
      requirements: [
        ...own,
        'order.quotes.complete',
        'quote.submit.shown-to-order-side',
        'order.quotes.custodian-sees-same',
      ],
      needs: { parties: ['sender', 'sender_custodian', ...makers], waitMs: 15_000 },
      async run(trial) {
        const orders = [await createOrder(trial), await createOrder(trial)];
        for (const order of orders) {
          const placed: PlacedQuote[] = [];
          for (const [index, maker] of makers.entries()) {
            const rate = rates[index] ?? '1';
            const taken = await quote(trial, maker, order, { rate });
            placed.push(taken);
            await judgeShown(trial, order, placed, 'sender');
          }
          await judgeShown(trial, order, placed, 'sender_custodian');
          for (const one of placed) await judgeOwn(trial, order, one);
        }
      },
    }),
);

/** Where a maker may quote twice, each of its quotes is there: which of them stand is open (gap `quote.twice`). */
const twice = defineCheck({
  id: 'quote.lists.twice',
  title:
    "A maker's second quote on a request, where it is taken, is in all lists that it belongs in.",
  requirements: [...own, 'order.quotes.complete', 'quote.submit.shown-to-order-side'],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 10_000 },
  async run(trial) {
    const order = await createOrder(trial);
    await quote(trial, 'maker_a', order);
    await quote(trial, 'maker_b', order);
    const body = quoteBody(trial, order);
    const params = paramsOf(order);
    const exchange = await trial.party('maker_a').call('quote.submit', { params, body });
    const second = placedQuote('maker_a', exchange);
    if (!second) return trial.outOfScope('a maker may quote once only (gap quote.twice)');
    await judgeShown(trial, order, [second], 'sender');
    await judgeOwn(trial, order, second);
  },
});

/** Quotes in every state, under their request and in the list of all. */
const states = each(
  [
    { id: 'settled', by: 'sender' },
    { id: 'settled-by-custodian', by: 'sender_custodian' },
  ] as const,
  ({ id, by }) =>
    defineCheck({
      id: `quote.lists.${id}`,
      title: `Quotes that won, lost and lapsed before an order was ${id} are still in the lists of their makers.`,
      requirements: [...own, 'order.quotes.complete', 'quote.submit.shown-to-order-side'],
      needs: {
        parties: [...new Set<CastName>(['sender', by, ...makers])],
        waitMs: waits.settlement + 5_000,
      },
      async run(trial) {
        const order = await createOrder(trial);
        const lapsed = await quote(trial, 'maker_c', order, { validForMs: 2_500 });
        const won = await quote(trial, 'maker_a', order);
        const lost = await quote(trial, 'maker_b', order);
        await trial.target.timeline.sleep(3_000);
        await accept(trial, order, won, by);
        await awaitStatus(trial, order, terminal, settlementPatienceMs);
        await trial.target.timeline.sleep(lagMs);
        for (const one of [lapsed, won, lost]) await judgeOwn(trial, order, one);
        await judgeShown(trial, order, [lapsed, won, lost], 'sender');
      },
    }),
);

/** Everybody else accepts without a body: only what is taken with one tells that it was the body that was missing. */
const bare = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `quote.accept.bare.${by}`,
    title: `A quote that ${by} accepts without a body is accepted; one with a body is not the only way.`,
    requirements: ['quote.accept.no-body-needed'],
    needs: { parties: [...new Set<CastName>(['sender', by, 'maker_a'])] },
    async run(trial) {
      const order = await createOrder(trial);
      const { quoteId } = await quote(trial, 'maker_a', order);
      const params = { ...paramsOf(order), quote_id: quoteId };
      const party = trial.party(by);
      const no = await insist(trial, () => party.call('quote.accept', { params }));
      const yes = isRefusal(no) ? await party.call('quote.accept', { params, body: {} }) : no;
      if (!succeeded(yes)) trial.giveUp('the quote could not be accepted at all', [no, yes]);
      trial.judge('quote.accept.no-body-needed', yes === no, {
        message: 'A quote was accepted with an empty object for a body, and not without a body.',
        expected: 'success',
        actual: no.response?.status,
        seen: [no, yes],
      });
    },
  }),
);

export const quoteEndpointChecks: readonly Check[] = [
  ...shown,
  twice,
  ...states,
  ...bare,
  wholeSecond,
];
