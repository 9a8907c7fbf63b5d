import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  awaitStatus,
  createOrder,
  isRefusal,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
  refused,
} from '../../src/conformance/moves/index.ts';
import { acceptAndSettle, judgeAcceptance, lifeRequirementsOf } from './flow.ts';
import { judgeQuote } from './quotes-seen.ts';
import { judgeTerms } from './terms.ts';
import { judgeState, judgeStillOpen } from './verdicts.ts';
import {
  acceptCall,
  type Accepter,
  cancelling,
  each,
  settlementPatienceMs,
  unsettled,
  waits,
} from './words.ts';

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
    async run(trial) {
      const order = await createOrder(trial);
      const winner = await quote(trial, 'maker_a', order);
      const rival = await quote(trial, 'maker_b', order);
      const deal = { order, quote: winner, acceptedBy: first };
      if (!(await judgeAcceptance(trial, deal))) return;
      if (when !== 'at once' && !(await awaitStatus(trial, order, [when], settlementPatienceMs))) {
        trial.giveUp(`the order was not seen ${when}`);
      }
      const no = await acceptCall(trial, order, rival, second);
      const requirement =
        when === 'SETTLED'
          ? 'order.accept.settled-order-refused'
          : 'order.accept.second-quote-refused';
      refused(trial, requirement, no, `${second} accepting a second quote`);
      await judgeStillFirst(trial, order, winner, rival, isRefusal(no));
    },
  }),
);

async function judgeStillFirst(
  trial: Trial,
  order: PlacedOrder,
  winner: PlacedQuote,
  rival: PlacedQuote,
  wasRefused: boolean,
): Promise<void> {
  const settled = await awaitStatus(trial, order, ['SETTLED'], settlementPatienceMs);
  const end = settled ?? (await readOrder(trial, order));
  judgeTerms(trial, { order, quote: winner }, end);
  if (wasRefused) {
    judgeState(
      trial,
      'error.refusal-changes-nothing',
      end,
      ['SETTLED'],
      'though a second acceptance was refused',
    );
  }
  await judgeQuote(
    trial,
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
    async run(trial) {
      const [gone, open] = [await createOrder(trial), await createOrder(trial)];
      const [lost, kept] = [
        await quote(trial, 'maker_a', gone),
        await quote(trial, 'maker_a', open),
      ];
      const cancel = await cancelling(trial, gone);
      if (!(await awaitStatus(trial, gone, unsettled, 5_000, by))) {
        trial.giveUp('the order was not cancelled', [cancel]);
      }
      const no = await acceptCall(trial, gone, lost, by);
      refused(
        trial,
        'order.accept.cancelled-order-refused',
        no,
        'an acceptance on a cancelled order',
      );
      // Of whom it has shown that it ended: another's view may follow later (gap `views.lag`).
      const after = await readOrder(trial, gone, by);
      judgeState(
        trial,
        'order.accept.cancelled-order-refused',
        after,
        unsettled,
        'after an acceptance that came too late',
      );
      await acceptAndSettle(trial, { order: open, quote: kept, acceptedBy: by });
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
    async run(trial) {
      const [one, other] = [await createOrder(trial), await createOrder(trial)];
      const own = await quote(trial, 'maker_a', one);
      const foreign = await quote(trial, 'maker_b', other);
      const no = await acceptCall(trial, one, foreign, by);
      refused(trial, 'quote.accept.quote-of-other-order-refused', no, 'a quote of another order');
      await judgeStillOpen(trial, [one, other], 'order.state.quote-needed');
      await acceptAndSettle(trial, { order: one, quote: own, acceptedBy: by });
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
    async run(trial) {
      const order = await createOrder(trial);
      const own = await quote(trial, 'maker_a', order);
      for (const by of ['sender', 'sender_custodian'] as const) {
        const no = await acceptCall(trial, order, { quoteId: trial.random.uuid() }, by);
        refused(trial, 'quote.accept.unknown-quote-refused', no, 'an unknown quote');
      }
      await judgeStillOpen(trial, [order], 'order.state.quote-needed');
      await acceptAndSettle(trial, { order, quote: own, acceptedBy: 'sender_custodian' });
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
    async run(trial) {
      const order = await createOrder(trial);
      const own = await quote(trial, 'maker_a', order);
      for (const by of ['sender', 'sender_custodian'] as const) {
        const no = await acceptCall(trial, { intentId: trial.random.uuid() }, own, by);
        refused(trial, 'quote.accept.unknown-order-refused', no, 'an unknown order');
      }
      await judgeStillOpen(trial, [order], 'order.state.quote-needed');
      await acceptAndSettle(trial, { order, quote: own, acceptedBy: 'sender_custodian' });
    },
  }),
  defineCheck({
    id: 'order.accept.again',
    title: 'Accepting the accepted quote a second time changes nothing, however it is answered.',
    requirements: lifeRequirementsOf(),
    needs: { parties: ['sender', 'maker_a'], waitMs: waits.settlement },
    async run(trial) {
      const order = await createOrder(trial);
      const placed = await quote(trial, 'maker_a', order);
      if (!(await judgeAcceptance(trial, { order, quote: placed, acceptedBy: 'sender' }))) return;
      await acceptCall(trial, order, placed);
      await trial.target.timeline.sleep(1_000);
      await acceptCall(trial, order, placed);
      const settled = await awaitStatus(trial, order, ['SETTLED'], settlementPatienceMs);
      const end = settled ?? (await readOrder(trial, order));
      judgeState(
        trial,
        'order.state.executing-to-settled',
        end,
        ['SETTLED'],
        'after its quote was accepted again',
      );
      if (settled) await acceptCall(trial, order, placed);
      judgeTerms(trial, { order, quote: placed }, await readOrder(trial, order));
    },
  }),
];

export const acceptChecks: readonly Check[] = [
  ...secondQuotes,
  ...cancelled,
  ...otherOrders,
  ...wrongQuotes,
];
