import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  assertRefused,
  awaitStatus,
  describeExchange,
  type OrderRef,
  type PlacedQuote,
  quote,
  quotedOrder,
  readOrder,
} from '../../../src/suite/actions/index.ts';
import { unsettledStates } from '../../../src/spec/states.ts';
import {
  acceptAndSettle,
  acceptQuote,
  followToSettlement,
  lifeRequirementsOf,
} from '../../shared/order-life.ts';
import { type Accepter, cancelOrder, tryAccept } from '../../shared/order-calls.ts';
import { needsOf, settlementTimeoutMs, waits } from '../../shared/waits.ts';

interface Second {
  readonly id: string;
  readonly first: Accepter;
  readonly second: Accepter;
  /** Stage of the order when the second quote is tried. */
  readonly when: 'at once' | 'EXECUTING' | 'SETTLED';
}

const seconds: readonly Second[] = [
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

/**
 * 3.1: a quote is accepted on a PENDING order. A second attempt afterwards changes neither the order nor its quotes.
 */
const secondQuotes = seconds.map<Check>(({ id, first, second, when }) => ({
  id: `order.accept.second-quote.${id}`,
  title: `After ${first} accepted a quote, ${second} cannot accept another (${when}).`,
  requirements: [
    'order.accept.second-quote-refused',
    'order.accept.settled-order-refused',
    'quote.state.pending-to-rejected',
    'error.refusal-changes-nothing',
    ...lifeRequirementsOf(first),
  ],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', 'maker_b', first, second),
  async run(t) {
    const quoted = await quotedOrder(t);
    const { order } = quoted;
    const rival = await quote(t, 'maker_b', order);
    const trade = { ...quoted, acceptedBy: first };
    await acceptQuote(t, trade);
    if (when !== 'at once' && !(await awaitStatus(t, order, [when], settlementTimeoutMs))) {
      t.notExercised(`the order was not seen ${when}`);
    }
    await tryAccept(t, order, rival, second);
    await followToSettlement(t, trade);
  },
}));

/** 3.1: an order that has ended takes no acceptance; another one, open still, does. */
const cancelled = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.accept.cancelled-order.${by}`,
  title: `${by} cannot accept a quote on a cancelled order, but on another one that is open.`,
  requirements: ['order.accept.cancelled-order-refused', ...lifeRequirementsOf(by)],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', by),
  async run(t) {
    const [gone, open] = [await quotedOrder(t), await quotedOrder(t)];
    const cancel = await cancelOrder(t, gone.order);
    if (!(await awaitStatus(t, gone.order, unsettledStates, 5_000, by))) {
      t.notExercised(`the order was not cancelled: ${describeExchange(cancel)}`, [cancel]);
    }
    await tryAccept(t, gone.order, gone.quote, by);
    await readOrder(t, gone.order, by);
    await acceptAndSettle(t, { ...open, acceptedBy: by });
  },
}));

type Named = Pick<PlacedQuote, 'quoteId'>;

interface WrongPair {
  readonly id: string;
  readonly title: string;
  readonly requirement:
    | 'quote.accept.quote-of-other-order-refused'
    | 'quote.accept.unknown-quote-refused'
    | 'quote.accept.unknown-order-refused';
  readonly what: string;
  /** Parties that try it. The last of them accepts the right pair then. */
  readonly by: readonly Accepter[];
  /** Further participants. */
  readonly others?: readonly 'maker_b'[];
  readonly pairOf: (t: CheckContext, order: OrderRef, own: Named) => Promise<[OrderRef, Named]>;
}

const wrongPairs: readonly WrongPair[] = [
  ...(['sender', 'sender_custodian'] as const).map(
    (by): WrongPair => ({
      id: `quote-of-other-order${by === 'sender' ? '' : `.${by}`}`,
      title: `A quote on one order is not accepted by ${by} under another, which stays PENDING; under its own it is.`,
      requirement: 'quote.accept.quote-of-other-order-refused',
      what: 'a quote of another order',
      by: [by],
      others: ['maker_b'],
      pairOf: async (t, order) => [order, (await quotedOrder(t, { maker: 'maker_b' })).quote],
    }),
  ),
  {
    id: 'unknown-quote',
    title:
      "An unknown quote is accepted neither by the sender nor by its custodian; the order's own still is.",
    requirement: 'quote.accept.unknown-quote-refused',
    what: 'an unknown quote',
    by: ['sender', 'sender_custodian'],
    pairOf: async (t, order) => [order, { quoteId: t.random.uuid() }],
  },
  {
    id: 'unknown-order',
    title:
      'A good quote is not accepted under an order id that nobody knows, by either of those who may accept; under its own it is.',
    requirement: 'quote.accept.unknown-order-refused',
    what: 'an unknown order',
    by: ['sender', 'sender_custodian'],
    pairOf: async (t, _, own) => [{ intentId: t.random.uuid() }, own],
  },
];

/** 4.2: an acceptance names an order and a quote of it. */
const wrongNames = wrongPairs.map<Check>(
  ({ id, title, requirement, what, by, others = [], pairOf }) => ({
    id: `order.accept.${id}`,
    title,
    requirements: [
      requirement,
      'order.state.quote-needed',
      ...lifeRequirementsOf(by.at(-1) ?? 'sender'),
    ],
    needs: needsOf(waits.settlement, 'sender', 'maker_a', ...others, ...by),
    async run(t) {
      const quoted = await quotedOrder(t);
      for (const accepter of by) {
        const [order, named] = await pairOf(t, quoted.order, quoted.quote);
        const no = await tryAccept(t, order, named, accepter);
        assertRefused(t, requirement, no, what);
      }
      await readOrder(t, quoted.order);
      await acceptAndSettle(t, { ...quoted, acceptedBy: by.at(-1) ?? 'sender' });
    },
  }),
);

/** 3.1: to accept the accepted quote once more changes nothing, however that is answered (gap `accept.again`). */
const again: Check = {
  id: 'order.accept.again',
  title: 'Accepting the accepted quote a second time changes nothing, however it is answered.',
  requirements: lifeRequirementsOf(),
  needs: needsOf(waits.settlement, 'sender', 'maker_a'),
  async run(t) {
    const quoted = await quotedOrder(t);
    const trade = { ...quoted, acceptedBy: 'sender' } as const;
    await acceptQuote(t, trade);
    await tryAccept(t, quoted.order, quoted.quote);
    await t.target.timeline.sleep(1_000);
    await tryAccept(t, quoted.order, quoted.quote);
    await followToSettlement(t, trade);
    await tryAccept(t, quoted.order, quoted.quote);
    await readOrder(t, quoted.order);
  },
};

export const acceptChecks: readonly Check[] = [...secondQuotes, ...cancelled, ...wrongNames, again];
