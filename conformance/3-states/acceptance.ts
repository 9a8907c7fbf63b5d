import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { assertRefused, assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  describeExchange,
  isRefusal,
  succeeded,
  fieldsOf,
  textOf,
} from '../../src/protocol/answers.ts';
import {
  type OrderRef,
  readOrder,
  createOrder,
  paramsOf,
  type PlacedOrder,
} from '../../src/suite/actions/orders.ts';
import {
  type PlacedQuote,
  quote,
  quotedOrder,
  grantedUntil,
  quoteBody,
} from '../../src/suite/actions/quotes.ts';
import { unsettledStates, acceptedStates, terminalOrderStates } from '../../src/spec/states.ts';
import {
  acceptAndSettle,
  acceptQuote,
  followToSettlement,
  lifeRequirementsOf,
  type Accepter,
  cancelOrder,
  tryAccept,
  quotesOf,
} from '../shared/order-life.ts';
import {
  needsOf,
  settlementTimeoutMs,
  waits,
  untilBefore,
  rows,
  expiryLagMs,
} from '../shared/waits.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { OrderState } from '../../src/spec/vocabulary.ts';
import { assertRaceLeft, assertState } from '../shared/order-states.ts';

/** `when`: stage of the order when the second quote is tried. */
const seconds = rows(
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
);

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
    if (when === 'EXECUTING') await readOrder(t, order);
    await followToSettlement(t, trade);
  },
}));

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
    // Several times, since nobody is to be locked out for it.
    by: [1, 2, 3].flatMap(() => ['sender', 'sender_custodian'] as const),
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
    needs: needsOf(waits.settlement, 'maker_a', ...others, ...new Set(['sender', ...by] as const)),
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
    await readOrder(t, quoted.order);
    await followToSettlement(t, trade);
    await tryAccept(t, quoted.order, quoted.quote);
    await readOrder(t, quoted.order);
  },
};

export const acceptChecks: readonly Check[] = [...secondQuotes, ...cancelled, ...wrongNames, again];

/** 3.1: only a valid quote can be accepted. A lapsed quote is tried first, then a valid one on the same order. */
const lapsed = rows(
  { id: 'sender', by: 'sender', short: 'maker_a', long: 'maker_b', waitMs: 60 },
  { id: 'custodian', by: 'sender_custodian', short: 'maker_b', long: 'maker_a', waitMs: 60 },
  { id: 'well-past', by: 'sender', short: 'maker_b', long: 'maker_a', waitMs: 3_600 },
).map<Check>(({ id, by, short, long, waitMs }) => ({
  id: `order.accept.expired-quote.${id}`,
  title: `${by} cannot accept a quote whose deadline has passed, but another's on the same order.`,
  requirements: [
    'order.accept.expired-quote-refused',
    'error.refusal-changes-nothing',
    ...lifeRequirementsOf(by),
  ],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', by, short, long),
  async run(t) {
    const order = await createOrder(t);
    const valid = await quote(t, long, order);
    const brief = await quote(t, short, order, { validForMs: 2_500 });
    await readOrder(t, order);
    const { timeline, clock } = t.target;
    await timeline.until(brief.validUntil - clock.offset.least + waitMs);
    const late = await tryAccept(t, order, brief, by);
    await readOrder(t, order);
    if (isRefusal(late)) await acceptAndSettle(t, { order, quote: valid, acceptedBy: by });
  },
}));

const stillUsable = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `quote.accept.before-deadline.${by}`,
  title: `${by} can accept a quote in the last second of its validity.`,
  requirements: ['quote.state.usable-until-deadline', 'quote.state.pending-to-expired.not-early'],
  needs: needsOf(waits.quoteExpiry, 'sender', 'maker_a', by),
  async run(t) {
    const order = await createOrder(t);
    const brief = await quote(t, 'maker_a', order, { validForMs: 4_000 });
    const { timeline, clock } = t.target;
    await untilBefore(t, brief.validUntil, 1_200);
    await quotesOf(t, order, by);
    // On a timeline that is not the system clock an answer takes no time: a short lead is enough.
    const leadMs = timeline.kind === 'system' ? 900 : 60;
    await untilBefore(t, brief.validUntil, leadMs);
    const yes = await t.promptly(() => tryAccept(t, order, brief, by));
    // Only now it is known if the request was in time: the answer may have taken long.
    const inTime = yes.received + clock.offset.most < brief.validUntil;
    if (!inTime && !succeeded(yes)) t.notExercised('the acceptance came too late', [yes]);
    const what = 'the acceptance of a quote before its deadline';
    assertAllowed(t, 'quote.state.usable-until-deadline', yes, what);
  },
}));

export const acceptDeadlineChecks: readonly Check[] = [...lapsed, ...stillUsable];

const settled: readonly OrderState[] = ['SETTLED'];

/**
 * An acceptance at about its deadline may succeed or be refused; the state of the order must follow from the answer. A
 * refused acceptance leaves no trace. A successful one is not undone by the order's own deadline.
 */
async function assertConsistent(
  t: CheckContext,
  order: PlacedOrder,
  acceptance: Exchange,
  quoteOutlives: boolean,
): Promise<void> {
  await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
  const end = await readOrder(t, order);
  const afterSuccess = quoteOutlives ? settled : [...acceptedStates, ...unsettledStates];
  if (isRefusal(acceptance)) assertRaceLeft(t, end, ['PENDING', 'EXPIRED'], [acceptance]);
  else if (succeeded(acceptance)) assertRaceLeft(t, end, afterSuccess, [acceptance]);
}

const aboutOrder = rows(
  { id: 'just-before', by: 'sender', leadMs: 30 },
  { id: 'just-after', by: 'sender', leadMs: -10 },
  { id: 'by-custodian', by: 'sender_custodian', leadMs: 5 },
).map<Check>(({ id, by, leadMs }) => ({
  id: `order.race.expiry.${id}`,
  title: `An acceptance by ${by} about the moment of expires_at (${id}) either settles the order or leaves it EXPIRED.`,
  requirements: ['order.state.legal-under-race'],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_a', by),
  async run(t) {
    const order = await createOrder(t);
    const { expiresAt } = order;
    if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
    const body = quoteBody(t, order, { validUntil: expiresAt + 20_000 });
    const params = paramsOf(order);
    const submitted = await t.party('maker_a').call('quote.submit', { params, body });
    const taken = textOf(fieldsOf(submitted), 'quote_id');
    const outlives = taken !== undefined && grantedUntil(submitted) > expiresAt;
    const quoteId =
      taken ?? (await quote(t, 'maker_a', order, { validUntil: expiresAt - 1 })).quoteId;
    const { timeline, clock } = t.target;
    const startMs = expiresAt - clock.offset.most - leadMs;
    t.allowWait(startMs - timeline.now() + expiryLagMs, "this target's orders' life");
    await timeline.until(startMs);
    const acceptance = await t.promptly(() => tryAccept(t, order, { quoteId }, by));
    await timeline.sleep(expiryLagMs);
    await assertConsistent(t, order, acceptance, outlives);
  },
}));

const aboutQuote = rows(
  { id: 'just-before', by: 'sender', leadMs: 20 },
  { id: 'just-after', by: 'sender', leadMs: -5 },
  { id: 'by-custodian', by: 'sender_custodian', leadMs: 5 },
).map<Check>(({ id, by, leadMs }) => ({
  id: `order.race.valid-until.${id}`,
  title: `An acceptance by ${by} about the moment of valid_until (${id}) takes effect whole or not at all.`,
  requirements: ['order.state.legal-under-race', 'quote.state.one-accepted-per-order'],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', 'maker_a', 'maker_b', by),
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_b', order);
    const brief = await quote(t, 'maker_a', order, { validForMs: 2_500 });
    const { timeline, clock } = t.target;
    await untilBefore(t, brief.validUntil, leadMs);
    const acceptance = await t.promptly(() => tryAccept(t, order, brief, by));
    await timeline.sleep(expiryLagMs);
    if (!isRefusal(acceptance)) return assertConsistent(t, order, acceptance, false);
    const now = await readOrder(t, order);
    await quotesOf(t, order);
    const latest = now.exchange.received + clock.offset.most;
    if (order.expiresAt === undefined || latest >= order.expiresAt) return undefined;
    const when = 'after an acceptance was refused at the deadline of a quote';
    assertState(t, 'order.state.legal-under-race', now, ['PENDING'], when);
  },
}));

export const raceDeadlineChecks: readonly Check[] = [...aboutOrder, ...aboutQuote];
