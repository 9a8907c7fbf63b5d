import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  createOrder,
  isRefusal,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
  assertRefused,
} from '../../../src/suite/actions/index.ts';
import { acceptAndSettle, assertAcceptance, lifeRequirementsOf } from '../../shared/order-life.ts';
import { assertQuoteState } from '../../shared/listed-quotes.ts';
import { assertAcceptedTerms } from '../../shared/accepted-terms.ts';
import { assertState, assertStillOpen } from '../../shared/order-assertions.ts';
import {
  tryAccept,
  type Accepter,
  cancelOrder,
  each,
  settlementTimeoutMs,
  unsettledStates,
  waits,
} from '../../shared/order-calls.ts';

interface Late {
  readonly id: string;
  readonly first: Accepter;
  readonly second: Accepter;
  /** How far the order has come when the second quote is tried. */
  readonly when: 'at once' | 'EXECUTING' | 'SETTLED';
}

const seconds: readonly Late[] = [
  { id: 'at-once', first: 'sender', second: 'sender', when: 'at once' },
  { id: 'custodian-after-sender', first: 'sender', second: 'sender_custodian', when: 'at once' },
  { id: 'sender-after-custodian', first: 'sender_custodian', second: 'sender', when: 'at once' },
  { id: 'executing', first: 'sender', second: 'sender', when: 'EXECUTING' },
  { id: 'executing-by-custodian', first: 'sender', second: 'sender_custodian', when: 'EXECUTING' },
  { id: 'settled', first: 'sender', second: 'sender', when: 'SETTLED' },
  {
    id: 'settled-by-custodian',
    first: 'sender_custodian',
    second: 'sender_custodian',
    when: 'SETTLED',
  },
];

/** A second quote is tried on an order that has one already; neither the order nor the quotes may mind. */
const secondQuotes = each(seconds, ({ id, first, second, when }) =>
  defineCheck({
    id: `order.accept.second-quote.${id}`,
    title: `After ${first} accepted a quote, ${second} cannot accept another (${when}).`,
    requirements: [
      'order.accept.second-quote-refused',
      'order.accept.settled-order-refused',
      'quote.state.pending-to-rejected',
      'error.refusal-changes-nothing',
      ...lifeRequirementsOf(first),
    ],
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', first, second] as const)],
      waitMs: waits.settlement,
    },
    async run(t) {
      const order = await createOrder(t);
      const winner = await quote(t, 'maker_a', order);
      const rival = await quote(t, 'maker_b', order);
      const deal = { order, quote: winner, acceptedBy: first };
      if (!(await assertAcceptance(t, deal))) return;
      if (when !== 'at once' && !(await awaitStatus(t, order, [when], settlementTimeoutMs))) {
        t.notExercised(`the order was not seen ${when}`);
      }
      const no = await tryAccept(t, order, rival, second);
      const requirement =
        when === 'SETTLED'
          ? 'order.accept.settled-order-refused'
          : 'order.accept.second-quote-refused';
      assertRefused(t, requirement, no, `${second} accepting a second quote`);
      await assertStillFirst(t, order, winner, rival, isRefusal(no));
    },
  }),
);

async function assertStillFirst(
  t: CheckContext,
  order: PlacedOrder,
  winner: PlacedQuote,
  rival: PlacedQuote,
  wasRefused: boolean,
): Promise<void> {
  const settled = await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs);
  const end = settled ?? (await readOrder(t, order));
  assertAcceptedTerms(t, { order, quote: winner }, end);
  if (wasRefused) {
    assertState(
      t,
      'error.refusal-changes-nothing',
      end,
      ['SETTLED'],
      'though a second acceptance was refused',
    );
  }
  await assertQuoteState(
    t,
    'quote.state.pending-to-rejected',
    order,
    rival,
    ['REJECTED'],
    'after another was selected',
  );
}

/** An order that has ended takes no acceptance; its twin that has not, does. */
const cancelled = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.accept.cancelled-order.${by}`,
    title: `${by} cannot accept a quote on a cancelled order, but on the open one beside it.`,
    requirements: ['order.accept.cancelled-order-refused', ...lifeRequirementsOf(by)],
    needs: { parties: [...new Set(['sender', 'maker_a', by] as const)], waitMs: waits.settlement },
    async run(t) {
      const [gone, open] = [await createOrder(t), await createOrder(t)];
      const [lost, kept] = [await quote(t, 'maker_a', gone), await quote(t, 'maker_a', open)];
      const cancel = await cancelOrder(t, gone);
      if (!(await awaitStatus(t, gone, unsettledStates, 5_000, by))) {
        t.notExercised('the order was not cancelled', [cancel]);
      }
      const no = await tryAccept(t, gone, lost, by);
      assertRefused(
        t,
        'order.accept.cancelled-order-refused',
        no,
        'an acceptance on a cancelled order',
      );
      // Of whom it has shown that it ended: another's view may follow later (gap `views.lag`).
      const after = await readOrder(t, gone, by);
      assertState(
        t,
        'order.accept.cancelled-order-refused',
        after,
        unsettledStates,
        'after an acceptance that came too late',
      );
      await acceptAndSettle(t, { order: open, quote: kept, acceptedBy: by });
    },
  }),
);

const otherOrders = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.accept.quote-of-other-order${by === 'sender' ? '' : `.${by}`}`,
    title: `A quote on one order is not accepted by ${by} under another, which stays PENDING; under its own it is.`,
    requirements: [
      'quote.accept.quote-of-other-order-refused',
      'order.state.quote-needed',
      ...lifeRequirementsOf(by),
    ],
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
      waitMs: waits.settlement,
    },
    async run(t) {
      const [one, other] = [await createOrder(t), await createOrder(t)];
      const own = await quote(t, 'maker_a', one);
      const foreign = await quote(t, 'maker_b', other);
      const no = await tryAccept(t, one, foreign, by);
      assertRefused(t, 'quote.accept.quote-of-other-order-refused', no, 'a quote of another order');
      await assertStillOpen(t, [one, other], 'order.state.quote-needed');
      await acceptAndSettle(t, { order: one, quote: own, acceptedBy: by });
    },
  }),
);

const wrongQuotes: readonly Check[] = [
  defineCheck({
    id: 'order.accept.unknown-quote',
    title:
      "An unknown quote is accepted neither by the sender nor by its custodian; the order's own still is.",
    requirements: [
      'quote.accept.unknown-quote-refused',
      'order.state.quote-needed',
      ...lifeRequirementsOf('sender_custodian'),
    ],
    needs: { parties: ['sender', 'sender_custodian', 'maker_a'], waitMs: waits.settlement },
    async run(t) {
      const order = await createOrder(t);
      const own = await quote(t, 'maker_a', order);
      for (const by of ['sender', 'sender_custodian'] as const) {
        const no = await tryAccept(t, order, { quoteId: t.random.uuid() }, by);
        assertRefused(t, 'quote.accept.unknown-quote-refused', no, 'an unknown quote');
      }
      await assertStillOpen(t, [order], 'order.state.quote-needed');
      await acceptAndSettle(t, { order, quote: own, acceptedBy: 'sender_custodian' });
    },
  }),
  defineCheck({
    id: 'order.accept.unknown-order',
    title:
      'A good quote is not accepted under an order id that nobody knows, by either of those who may accept; under its own it is.',
    requirements: [
      'quote.accept.unknown-order-refused',
      'order.state.quote-needed',
      ...lifeRequirementsOf('sender_custodian'),
    ],
    needs: { parties: ['sender', 'sender_custodian', 'maker_a'], waitMs: waits.settlement },
    async run(t) {
      const order = await createOrder(t);
      const own = await quote(t, 'maker_a', order);
      for (const by of ['sender', 'sender_custodian'] as const) {
        const no = await tryAccept(t, { intentId: t.random.uuid() }, own, by);
        assertRefused(t, 'quote.accept.unknown-order-refused', no, 'an unknown order');
      }
      await assertStillOpen(t, [order], 'order.state.quote-needed');
      await acceptAndSettle(t, { order, quote: own, acceptedBy: 'sender_custodian' });
    },
  }),
  defineCheck({
    id: 'order.accept.again',
    title: 'Accepting the accepted quote a second time changes nothing, however it is answered.',
    requirements: lifeRequirementsOf(),
    needs: { parties: ['sender', 'maker_a'], waitMs: waits.settlement },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quote(t, 'maker_a', order);
      if (!(await assertAcceptance(t, { order, quote: placed, acceptedBy: 'sender' }))) return;
      await tryAccept(t, order, placed);
      await t.target.timeline.sleep(1_000);
      await tryAccept(t, order, placed);
      const settled = await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs);
      const end = settled ?? (await readOrder(t, order));
      assertState(
        t,
        'order.state.executing-to-settled',
        end,
        ['SETTLED'],
        'after its quote was accepted again',
      );
      if (settled) await tryAccept(t, order, placed);
      assertAcceptedTerms(t, { order, quote: placed }, await readOrder(t, order));
    },
  }),
];

export const acceptChecks: readonly Check[] = [
  ...secondQuotes,
  ...cancelled,
  ...otherOrders,
  ...wrongQuotes,
];
