import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  findInList,
  retryWhileRefused,
  matchesOrder,
  matchesQuote,
  isRefusal,
  pollUntil,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quote,
  quoteBody,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import { equalValues } from '../../../src/protocol/equality.ts';
import { parseTimestamp } from '../../../src/spec/forms.ts';
import { OwnQuote } from '../../../src/spec/resources.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { ownQuotesOf, findQuote, quotesOf, quotesOnceListed } from '../../shared/listed-quotes.ts';
import { each } from '../../shared/check-table.ts';
import { isSet } from '../../shared/order-fields.ts';
import { viewLagMs, settlementTimeoutMs, waits } from '../../shared/waits.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** Clocks seldom stand on a whole second, which is where milliseconds are left out by mistake. */
const wholeSecond = defineCheck({
  id: 'quote.whole-second-deadline',
  title: 'A quote whose deadline is a whole second shows it with milliseconds, wherever it stands.',
  requirements: [],
  needs: { parties: ['sender', 'maker_b'] },
  async run(t) {
    const order = await createOrder(t);
    const usual = parseTimestamp(quoteBody(t, order)['valid_until']) ?? 0;
    const validUntil = Math.floor(usual / 1_000) * 1_000;
    const placed = await quote(t, 'maker_b', order, { validUntil });
    await ownQuotesOf(t, order, 'maker_b');
    await quotesOf(t, order);
    await accept(t, order, placed);
  },
});

/** Judges that a maker's own quote is under its request and in the list of all its quotes, and the same in both. */
async function assertOwn(t: CheckContext, order: PlacedOrder, placed: PlacedQuote): Promise<void> {
  const { maker } = placed;
  const under = await pollUntil(
    t,
    () => ownQuotesOf(t, order, maker),
    ({ items }) => findQuote(items, placed) !== undefined,
  );
  const here = findQuote(under.items, placed);
  if (succeeded(under.exchange)) {
    if (here || under.whole) {
      t.assert('rfq.quotes.complete', here !== undefined, {
        message: "A maker's quote was not among its own under the request.",
        expected: placed.quoteId,
        actual: under.items,
        seen: [under.exchange],
      });
    }
    const foreign = under.items.filter(
      (item) => isSet(item, 'intent_id') && !matchesOrder(order)(item),
    );
    t.assert('rfq.quotes.only-that-request', foreign.length === 0, {
      message: 'Under a request stood a quote on another.',
      expected: order.intentId,
      actual: foreign,
      seen: [under.exchange],
    });
  }
  const found = await pollUntil(
    t,
    () => findInList(t, t.party(maker), 'quote.list', matchesQuote(placed)),
    ({ item }) => item !== undefined,
  );
  if (!found.item && found.ended !== 'whole') return;
  t.assert('quote.list.complete', found.item !== undefined, {
    message: "A maker's quote was not on the list of its quotes.",
    expected: placed.quoteId,
    seen: [placed.exchange, ...found.pages.slice(-3)],
  });
  const again = (await ownQuotesOf(t, order, maker)).items.find(matchesQuote(placed));
  const steady = here && again && here['status'] === again['status'];
  if (!found.item || !steady) return;
  const { item } = found;
  const different = Object.keys(OwnQuote.properties).filter((name) => {
    if (!isSet(item, name) && !isSet(here, name)) return false;
    return !isSet(item, name) || !isSet(here, name) || !equalValues(name, item[name], here[name]);
  });
  t.assert('quote.list.agrees-with-request', different.length === 0, {
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
async function assertShown(
  t: CheckContext,
  order: PlacedOrder,
  placed: readonly PlacedQuote[],
  by: CastName,
): Promise<void> {
  const { items, exchange, whole } = await quotesOnceListed(t, order, placed, by);
  const missing = placed.filter((one) => !findQuote(items, one));
  if (!succeeded(exchange) || (missing.length > 0 && !whole)) return;
  const requirements: readonly RequirementId[] =
    by === 'sender_custodian'
      ? ['order.quotes.custodian-sees-same']
      : ['order.quotes.complete', 'quote.submit.shown-to-order-side'];
  for (const requirement of requirements) {
    t.assert(requirement, missing.length === 0, {
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
      async run(t) {
        const orders = [await createOrder(t), await createOrder(t)];
        for (const order of orders) {
          const placed: PlacedQuote[] = [];
          for (const [index, maker] of makers.entries()) {
            const rate = rates[index] ?? '1';
            const taken = await quote(t, maker, order, { rate });
            placed.push(taken);
            await assertShown(t, order, placed, 'sender');
          }
          await assertShown(t, order, placed, 'sender_custodian');
          for (const one of placed) await assertOwn(t, order, one);
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
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    await quote(t, 'maker_b', order);
    const body = quoteBody(t, order);
    const params = paramsOf(order);
    const exchange = await t.party('maker_a').call('quote.submit', { params, body });
    const second = placedQuote('maker_a', exchange);
    if (!second) return t.outOfScope('a maker may quote once only (gap quote.twice)');
    await assertShown(t, order, [second], 'sender');
    await assertOwn(t, order, second);
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
      async run(t) {
        const order = await createOrder(t);
        const lapsed = await quote(t, 'maker_c', order, { validForMs: 2_500 });
        const won = await quote(t, 'maker_a', order);
        const lost = await quote(t, 'maker_b', order);
        await t.target.timeline.sleep(3_000);
        await accept(t, order, won, by);
        await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
        await t.target.timeline.sleep(viewLagMs);
        for (const one of [lapsed, won, lost]) await assertOwn(t, order, one);
        await assertShown(t, order, [lapsed, won, lost], 'sender');
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
    async run(t) {
      const order = await createOrder(t);
      const { quoteId } = await quote(t, 'maker_a', order);
      const params = { ...paramsOf(order), quote_id: quoteId };
      const party = t.party(by);
      const no = await retryWhileRefused(t, () => party.call('quote.accept', { params }));
      const yes = isRefusal(no) ? await party.call('quote.accept', { params, body: {} }) : no;
      if (!succeeded(yes)) t.notExercised('the quote could not be accepted at all', [no, yes]);
      t.assert('quote.accept.no-body-needed', yes === no, {
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
