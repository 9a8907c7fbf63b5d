import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  isBefore,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  targetTime,
} from '../../../src/suite/actions/index.ts';
import { acceptAndSettle, assertAcceptance, lifeRequirementsOf } from '../../shared/order-life.ts';
import { assertQuoteState } from '../../shared/listed-quotes.ts';
import { assertSettlement } from '../../shared/settlement-assertions.ts';
import { assertUntouched } from '../../shared/order-assertions.ts';
import {
  tryAccept,
  type Accepter,
  cancelOrder,
  each,
  viewLagMs,
  expiryLagMs,
  waits,
} from '../../shared/order-calls.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** Rates whose best and whose last are not the ones that are selected. */
const rates = ['1', '1.01', '0.99'] as const;

/** Quotes of all three makers on one order, in their order. */
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

async function assertRivals(
  t: CheckContext,
  order: PlacedOrder,
  rivals: readonly PlacedQuote[],
  acceptedBy: Accepter,
): Promise<void> {
  const observers = [...new Set(['sender', acceptedBy, 'its maker'] as const)];
  for (const rival of rivals) {
    for (const by of observers) {
      for (const requirement of [
        'quote.state.pending-to-rejected',
        'quote.state.pending-to-rejected.every-rival',
        ...(acceptedBy === 'sender_custodian'
          ? (['quote.state.pending-to-rejected.by-custodian'] as const)
          : []),
      ] as const) {
        const when = "after another maker's was selected";
        await assertQuoteState(t, requirement, order, rival, ['REJECTED'], when, by);
      }
    }
  }
}

const selections = each(
  [
    { id: 'first', chosen: 0, by: 'sender' },
    { id: 'second', chosen: 1, by: 'sender' },
    { id: 'third', chosen: 2, by: 'sender' },
    { id: 'first-by-custodian', chosen: 0, by: 'sender_custodian' },
    { id: 'second-by-custodian', chosen: 1, by: 'sender_custodian' },
    { id: 'third-by-custodian', chosen: 2, by: 'sender_custodian' },
  ] as const,
  ({ id, chosen, by }) =>
    defineCheck({
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
      needs: {
        parties: [...new Set(['sender', ...makers, by] as const)],
        waitMs: waits.settlement,
      },
      async run(t) {
        const order = await createOrder(t);
        const placed = await rivalQuotes(t, order);
        t.assert('service.several-makers-quote', true, { message: '' });
        const winner = placed[chosen];
        if (!winner) return;
        const deal = { order, quote: winner, acceptedBy: by };
        const acceptance = await assertAcceptance(t, deal);
        if (!acceptance) return;
        const rivals = placed.filter((one) => one !== winner);
        const selected = 'quote.state.pending-to-accepted';
        await assertQuoteState(
          t,
          selected,
          order,
          winner,
          ['ACCEPTED'],
          'after it was selected',
          by,
        );
        await assertQuoteState(
          t,
          selected,
          order,
          winner,
          ['ACCEPTED'],
          'after it was selected',
          'its maker',
        );
        await assertRivals(t, order, rivals, by);
        await assertSettlement(t, deal, acceptance);
        for (const rival of rivals) {
          const when = "after another maker's trade had settled";
          await assertQuoteState(
            t,
            'quote.state.rejected-absorbs',
            order,
            rival,
            ['REJECTED'],
            when,
          );
        }
      },
    }),
);

/** Once one is selected, the others have no deadline that anything could hang on; and who loses is told, at any time. */
const briefRival = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `quote.select.brief-rival.${by}`,
    title: `When ${by} selects a quote a moment before its rival lapses, the rival is rejected and the order settles.`,
    requirements: ['quote.state.pending-to-rejected', ...lifeRequirementsOf(by)],
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', 'maker_c', by] as const)],
      waitMs: waits.settlement,
    },
    async run(t) {
      const order = await createOrder(t);
      const lapsed = await quote(t, 'maker_c', order, { validForMs: 1_500 });
      const winner = await quote(t, 'maker_a', order);
      const { timeline, clock } = t.target;
      await timeline.until(lapsed.validUntil - clock.offset.least + expiryLagMs);
      const brief = await quote(t, 'maker_b', order, { validForMs: 2 * viewLagMs });
      // One that has a lapsed quote as well is told like any other: the rules look for that.
      if (t.target.answers.get('quote.twice') !== 'refuse') {
        const body = quoteBody(t, order);
        await t.party('maker_c').call('quote.submit', { params: paramsOf(order), body });
      }
      // Long enough for the rival to be rejected, and short enough for it to lapse before the order settles.
      const leadMs = viewLagMs + (timeline.kind === 'system' ? 900 : 200);
      await timeline.until(brief.validUntil - clock.offset.most - leadMs);
      const deal = { order, quote: winner, acceptedBy: by };
      const acceptance = await assertAcceptance(t, deal);
      if (!acceptance) return;
      const rejectedBy = brief.validUntil - viewLagMs;
      const inTime = isBefore(targetTime(t, acceptance), rejectedBy) === true;
      await assertSettlement(t, deal, acceptance);
      if (!inTime) return;
      const when = 'after another was selected, once its own deadline had passed';
      const requirement = 'quote.state.pending-to-rejected';
      await assertQuoteState(t, requirement, order, brief, ['REJECTED'], when);
    },
  }),
);

/** How long a selected order stays QUOTED is open: here a rival lapses within whatever time that is, or nearly. */
const lapsingRival = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `quote.select.rival-lapses.${by}`,
    title: `A rival's deadline just after ${by} selected a quote is nothing to the order: it settles.`,
    requirements: lifeRequirementsOf(by),
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
      waitMs: waits.settlement,
    },
    async run(t) {
      const order = await createOrder(t);
      const winner = await quote(t, 'maker_a', order);
      const { validUntil } = await quote(t, 'maker_b', order, { validForMs: 1_500 });
      const { timeline, clock } = t.target;
      // Whether it lapses before the acceptance after all, on a slow target, makes no difference.
      await timeline.until(validUntil - clock.offset.least - 200);
      await acceptAndSettle(t, { order, quote: winner, acceptedBy: by });
    },
  }),
);

/** Two orders with the same makers: what is done to one leaves the other alone, and it lives on. */
const neighbours: readonly Check[] = [
  ...each<Accepter>(['sender', 'sender_custodian'], (by) =>
    defineCheck({
      id: `order.neighbour.accepted-by.${by}`,
      title: `When ${by} accepts a quote on one order, the other's quotes stay PENDING and it settles in its turn.`,
      requirements: [
        'quote.state.other-orders-untouched',
        'order.state.other-orders-untouched',
        ...lifeRequirementsOf(by),
      ],
      needs: {
        parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
        waitMs: 2 * waits.settlement,
      },
      async run(t) {
        const [one, other] = [await createOrder(t), await createOrder(t)];
        const pair = ['maker_a', 'maker_b'] as const;
        const [winner] = await rivalQuotes(t, one, pair);
        const kept = await rivalQuotes(t, other, pair);
        if (!winner) return;
        const deal = { order: one, quote: winner, acceptedBy: by };
        const acceptance = await assertAcceptance(t, deal);
        if (!acceptance) return;
        const after = 'after a quote on another order was accepted';
        await assertUntouched(t, 'order.state.other-orders-untouched', other, after);
        for (const each of kept) {
          const requirement = 'quote.state.other-orders-untouched';
          await assertQuoteState(t, requirement, other, each, ['PENDING'], after);
          await assertQuoteState(t, requirement, other, each, ['PENDING'], after, 'its maker');
        }
        await assertSettlement(t, deal, acceptance);
        const [, second] = kept;
        if (second) await acceptAndSettle(t, { order: other, quote: second, acceptedBy: by });
      },
    }),
  ),
  defineCheck({
    id: 'order.neighbour.cancelled',
    title:
      'A cancel ends the order that it names; the ones before and after it stay as they were and settle.',
    requirements: [
      'order.cancel.only-that-order',
      'quote.state.other-orders-untouched',
      ...lifeRequirementsOf(),
    ],
    needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: waits.settlement },
    async run(t) {
      const before = await createOrder(t);
      const named = await createOrder(t);
      const behind = await createOrder(t);
      await quote(t, 'maker_a', named);
      const one = await quote(t, 'maker_a', before);
      const two = await quote(t, 'maker_b', behind);
      await cancelOrder(t, named);
      const after = 'after another order was cancelled';
      for (const [order, kept] of [
        [before, one],
        [behind, two],
      ] as const) {
        await assertUntouched(t, 'order.cancel.only-that-order', order, after);
        await assertQuoteState(
          t,
          'quote.state.other-orders-untouched',
          order,
          kept,
          ['PENDING'],
          after,
        );
      }
      await t.target.timeline.together([
        ['before', () => acceptAndSettle(t, { order: before, quote: one, acceptedBy: 'sender' })],
        ['behind', () => acceptAndSettle(t, { order: behind, quote: two, acceptedBy: 'sender' })],
      ]);
    },
  }),
  defineCheck({
    id: 'order.neighbour.of-another-institution',
    title:
      "What one institution does to its order leaves another institution's alone, though makers quote both.",
    requirements: [
      'order.state.other-orders-untouched',
      'quote.state.other-orders-untouched',
      ...lifeRequirementsOf(),
    ],
    needs: { parties: ['sender', 'outsider', 'maker_a', 'maker_b'], waitMs: waits.settlement },
    async run(t) {
      const own = await createOrder(t);
      const foreign = await createOrder(t, {}, { by: 'outsider' });
      const mine = await quote(t, 'maker_a', own);
      const theirs = await quote(t, 'maker_a', foreign);
      await tryAccept(t, own, mine);
      const after = "after another institution's order was accepted";
      await assertUntouched(t, 'order.state.other-orders-untouched', foreign, after);
      const requirement = 'quote.state.other-orders-untouched';
      await assertQuoteState(t, requirement, foreign, theirs, ['PENDING'], after, 'outsider');
      await acceptAndSettle(t, { order: foreign, quote: theirs, acceptedBy: 'outsider' });
    },
  }),
];

export const selectChecks: readonly Check[] = [
  ...selections,
  ...briefRival,
  ...lapsingRival,
  ...neighbours,
];
