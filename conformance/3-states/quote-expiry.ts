import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  type PlacedQuote,
  placedQuote,
  quote,
  quoteBody,
} from '../../src/suite/actions/quotes.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  createOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { retryWhileRefused, targetNow } from '../../src/suite/actions/context.ts';
import { succeeded, textOf } from '../../src/protocol/answers.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import {
  acceptAndSettle,
  lifeRequirementsOf,
  ownQuotesOf,
  quotesOf,
  tryAccept,
  findQuote,
  type Accepter,
} from '../shared/order-life.ts';
import { proposedOrder } from './custodians.ts';
import { assertUntouched, awaitUpdate, stateOf } from '../shared/order-states.ts';
import {
  expiryLagMs,
  needsOf,
  settlementTimeoutMs,
  untilBefore,
  untilLapsed,
  waits,
  viewLagMs,
} from '../shared/waits.ts';
import type { Exchange } from '../../src/history/records.ts';

/** Weeks are more milliseconds than 31 bits hold. */
const farOffMs = 30 * 24 * 3_600_000;

/** 3.2: a quote is PENDING until its valid_until, be that weeks away. How long it may be is open (gap `quote.max_validity`). */
const farOff: Check = {
  id: 'quote.expiry.weeks-ahead',
  title: 'A quote that is valid for weeks, where a target takes one, can be accepted and settles.',
  requirements: [
    'error.refusal-is-4xx',
    'quote.state.pending-to-expired.not-early',
    ...lifeRequirementsOf(),
  ],
  needs: needsOf(waits.settlement, 'sender', 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    const body = quoteBody(t, order, { validUntil: targetNow(t).latest + farOffMs });
    const exchange = await retryWhileRefused(t, () =>
      t.party('maker_a').call('quote.submit', { params: paramsOf(order), body }),
    );
    const placed = placedQuote('maker_a', exchange);
    if (!placed) return t.outOfScope('no quote is valid for so long here (gap quote.max_validity)');
    await t.target.timeline.sleep(1_000);
    await quotesOf(t, order);
    await acceptAndSettle(t, { order, quote: placed, acceptedBy: 'sender' });
  },
};

/** The sender, its custodian and the maker list a quote; the maker reads its request, too. */
async function listAsAll(t: CheckContext, order: PlacedOrder, maker: CastName): Promise<void> {
  for (const by of ['sender', 'sender_custodian'] as const) await quotesOf(t, order, by);
  await ownQuotesOf(t, order, maker);
  await t.party(maker).call('rfq.read', { params: paramsOf(order) });
}

interface Situation {
  readonly id: string;
  readonly short: CastName;
  readonly long: readonly CastName[];
  readonly order?: (t: CheckContext) => Promise<PlacedOrder>;
}

const situations: readonly Situation[] = [
  { id: 'alone', short: 'maker_a', long: [] },
  { id: 'after-its-proposal', short: 'maker_a', long: ['maker_b'], order: proposedOrder },
  { id: 'beside-a-rival', short: 'maker_b', long: ['maker_a'] },
  { id: 'before-two-rivals', short: 'maker_c', long: ['maker_b', 'maker_a'] },
];

const lapses = situations.map<Check>(({ id, short, long, order: place = createOrder }) => ({
  id: `quote.expiry.${id}`,
  title: `A quote of ${short} among ${long.length} longer ones is EXPIRED after its deadline for its maker and for the order side; the order stays open.`,
  requirements: [
    'quote.state.pending-to-expired',
    'quote.state.pending-to-expired.not-early',
    'quote.state.expired-absorbs',
    'quote.state.other-orders-untouched',
    'order.state.other-orders-untouched',
    ...lifeRequirementsOf(),
  ],
  needs: needsOf(
    waits.quoteExpiry + waits.settlement,
    'sender',
    'sender_custodian',
    short,
    ...long,
  ),
  async run(t) {
    const order = await place(t);
    const brief = await quote(t, short, order, { validForMs: 3_000 });
    const kept: PlacedQuote[] = [];
    for (const maker of long) kept.push(await quote(t, maker, order));
    await untilBefore(t, brief.validUntil, 400);
    await listAsAll(t, order, short);
    await untilLapsed(t, brief);
    await listAsAll(t, order, short);
    await t.target.timeline.sleep(1_000);
    await listAsAll(t, order, short);
    const untouched = 'order.state.other-orders-untouched';
    await assertUntouched(t, untouched, order, 'after a quote on it had expired');
    const [first] = kept;
    if (first) await acceptAndSettle(t, { order, quote: first, acceptedBy: 'sender' });
  },
}));

const decided = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `quote.expiry.selected-stays-accepted.${by}`,
  title: `After their deadlines a quote that ${by} selected is still ACCEPTED, its rival REJECTED and the order SETTLED.`,
  requirements: [
    'quote.state.rejected-absorbs',
    'order.state.settled-absorbs',
    ...lifeRequirementsOf(by),
  ],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', 'maker_a', 'maker_b', by),
  async run(t) {
    const order = await createOrder(t);
    const rival = await quote(t, 'maker_a', order, { validForMs: 8_000 });
    const winner = await quote(t, 'maker_b', order, { validForMs: 8_000 });
    await acceptAndSettle(t, { order, quote: winner, acceptedBy: by });
    await untilLapsed(t, winner);
    await quotesOf(t, order);
    for (const { maker } of [winner, rival]) await ownQuotesOf(t, order, maker);
    await readOrder(t, order);
  },
}));

/** 3.1: a settlement may go on after its quote's deadline, which is open. If it does, the quote is still ACCEPTED. */
const overtaken = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `quote.expiry.during-settlement.${by}`,
  title: `A quote that ${by} selected and whose deadline passes while the order executes is still ACCEPTED once that has settled.`,
  requirements: ['quote.state.accepted-stays-through-settlement'],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', 'maker_a', by),
  async run(t) {
    const order = await createOrder(t);
    const placed = await quote(t, 'maker_a', order, { validForMs: 2_500 });
    await accept(t, order, placed, by);
    const ended = await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
    if (ended?.status !== 'SETTLED') {
      return t.outOfScope('here an order does not outlast the deadline of its quote');
    }
    await untilLapsed(t, placed);
    await quotesOf(t, order);
    await ownQuotesOf(t, order, 'maker_a');
  },
}));

const oneByOne: Check = {
  id: 'quote.expiry.one-by-one',
  title:
    'Of two quotes that lapse one after the other each is EXPIRED; after a refused acceptance the order expires as well.',
  requirements: ['quote.state.pending-to-expired', 'order.state.pending-to-expired'],
  needs: needsOf(waits.quoteExpiry + waits.orderExpiry, 'sender', 'maker_a', 'maker_b'),
  async run(t) {
    const order = await createOrder(t);
    const both = [
      await quote(t, 'maker_a', order, { validForMs: 1_500 }),
      await quote(t, 'maker_b', order, { validForMs: 3_000 }),
    ];
    const { expiresAt = 0 } = order;
    for (const one of both) {
      // A target may grant more time than was asked for.
      if (one.validUntil >= expiresAt) break;
      await untilLapsed(t, one);
      if (targetNow(t).latest >= expiresAt) break;
      await quotesOf(t, order);
      await tryAccept(t, order, one);
    }
    await untilExpired(t, order, expiryLagMs);
    await readOrder(t, order);
  },
};

export const quoteExpiryChecks: readonly Check[] = [
  farOff,
  ...lapses,
  oneByOne,
  ...decided,
  ...overtaken,
];

/**
 * The document leaves open if a target sweeps its deadlines or heeds them at once. A quote that nobody accepted shows
 * it: a target that saw this deadline pass must have seen the same deadline of a QUOTED order.
 */
interface Lapse {
  readonly order: PlacedOrder;
  /** Just after the deadline the order was still QUOTED, and another quote of the same deadline EXPIRED. */
  readonly heeded: boolean;
  readonly seen: readonly Exchange[];
}

/**
 * Moments after the deadline at which an order is read, with room for a settlement under way. If views lag, an order
 * may show QUOTED although it was EXECUTING before: only an order that is QUOTED beyond any lag counts.
 */
const looksMs = (t: CheckContext): readonly number[] =>
  t.target.answers.get('views.lag') === 'at-once' ? [120, 350] : [viewLagMs + 100];

async function acceptJustBefore(t: CheckContext, by: Accepter, leadMs: number) {
  const { timeline, clock } = t.target;
  const [order, control] = [await createOrder(t), await createOrder(t)];
  const placed = await quote(t, 'maker_a', order, { validForMs: 3_000 });
  const { validUntil } = placed;
  const unaccepted = await quote(t, 'maker_a', control, { validUntil });
  await untilBefore(t, validUntil, leadMs);
  const acceptance = await t.promptly(() => tryAccept(t, order, placed, by));
  if (!succeeded(acceptance)) return undefined;
  let seen: readonly Exchange[] = [];
  for (const lookMs of looksMs(t)) {
    await timeline.until(validUntil - clock.offset.least + lookMs);
    const { items, exchange } = await t.promptly(() => quotesOf(t, control));
    const now = await t.promptly(() => readOrder(t, order, by));
    seen = [exchange, now.exchange];
    if (stateOf(now.data) !== 'QUOTED') break;
    const heeded = textOf(findQuote(items, unaccepted), 'status') === 'EXPIRED';
    if (heeded) return { order, heeded, seen };
  }
  return { order, heeded: false, seen };
}

/** The event that announced a state of an order to its sender, if one has. */
const announced = (t: CheckContext, order: PlacedOrder, state: string) =>
  awaitUpdate(t, 'sender', order, [state], 0);

/** True if the sender's stream announced the order as QUOTED and FAILED, but never as EXECUTING. */
async function failedUnexecuted(t: CheckContext, order: PlacedOrder): Promise<boolean> {
  if (!t.party('sender').events.isOpen || (await announced(t, order, 'EXECUTING'))) return false;
  const both = [await announced(t, order, 'QUOTED'), await announced(t, order, 'FAILED')];
  return both.every((frame) => frame !== undefined);
}

/** Judges the state of an order whose quote lapsed. Returns false if its settlement came too early to judge that. */
async function assertExpiredWithQuote(t: CheckContext, { order, heeded, seen }: Lapse) {
  const after = await readOrder(t, order);
  const state = stateOf(after.data);
  const isWrong =
    state === 'QUOTED' || heeded || (state === 'FAILED' && (await failedUnexecuted(t, order)));
  if (state !== 'EXPIRED' && !isWrong) return false;
  t.assert('order.state.quoted-to-expired', state === 'EXPIRED', {
    message: `An order that was QUOTED when its quote's valid_until passed was ${state} later.`,
    fields: ['valid_until'],
    expected: 'EXPIRED',
    actual: state ?? null,
    seen: [...seen, after.exchange],
  });
  return true;
}

const quotedLapses = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.expiry.quoted.${by}`,
  title: `An order that ${by} accepted just before its quote's deadline expires where it is still QUOTED then.`,
  requirements: ['order.state.quoted-to-expired', 'order.state.expired-absorbs'],
  needs: needsOf(3 * waits.quoteExpiry, 'sender', 'sender_custodian', 'maker_a'),
  async run(t) {
    let why = 'no acceptance came in time before its deadline';
    for (const leadMs of [120, 300, 60]) {
      const lapse = await acceptJustBefore(t, by, leadMs);
      if (!lapse) continue;
      why = 'settlement here starts sooner than a deadline can pass and be seen to';
      await t.target.timeline.sleep(expiryLagMs);
      if (!(await assertExpiredWithQuote(t, lapse))) continue;
      await t.target.timeline.sleep(1_000);
      await readOrder(t, lapse.order);
      await listAsAll(t, lapse.order, 'maker_a');
      if (t.target.parties.receiver_custodian)
        await readOrder(t, lapse.order, 'receiver_custodian');
      return;
    }
    t.notExercised(why);
  },
}));

const notEarly = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.expiry.quoted-not-early.${by}`,
  title: `An order that ${by} accepted with a quote that stays valid does not expire, but settles.`,
  requirements: ['order.state.quoted-to-expired.not-early', ...lifeRequirementsOf(by)],
  needs: needsOf(waits.settlement, 'sender', 'maker_b', by),
  async run(t) {
    const order = await createOrder(t);
    const placed = await quote(t, 'maker_b', order, { validForMs: 12_000 });
    await acceptAndSettle(t, { order, quote: placed, acceptedBy: by });
  },
}));

export const acceptedQuoteExpiryChecks: readonly Check[] = [...quotedLapses, ...notEarly];

const successors = [
  { id: 'same-maker', by: 'maker_a', acceptedBy: 'sender' },
  { id: 'rival', by: 'maker_b', acceptedBy: 'sender_custodian' },
] as const;

/** A target that refuses a second quote may take it once the first has lapsed. */
async function quoteAfter(t: CheckContext, by: CastName, order: PlacedOrder): Promise<PlacedQuote> {
  if (by !== 'maker_a' || t.target.answers.get('quote.twice') !== 'refuse')
    return quote(t, by, order);
  const body = quoteBody(t, order);
  const exchange = await t.party(by).call('quote.submit', { params: paramsOf(order), body });
  const placed = succeeded(exchange) ? placedQuote(by, exchange) : undefined;
  return placed ?? t.outOfScope('a maker quotes once on a request here (gap quote.twice)');
}

/** 3.2: EXPIRED is an end. A second quote of that maker may be refused (gap `quote.twice`); other makers may quote. */
export const quoteAgainChecks = successors.map<Check>(({ id, by, acceptedBy }) => ({
  id: `quote.submit.after-expired-quote.${id}`,
  title: `A quote of ${by} that comes after maker_a's has lapsed is one of its own: it is accepted and settles, and the other stays EXPIRED.`,
  requirements: [
    'quote.state.expired-absorbs',
    'quote.state.starts-pending',
    ...lifeRequirementsOf(acceptedBy),
  ],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', 'maker_a', by, acceptedBy),
  async run(t) {
    const order = await createOrder(t);
    const brief = await quote(t, 'maker_a', order, { validForMs: 1_500 });
    await untilLapsed(t, brief);
    await quotesOf(t, order);
    const anew = await quoteAfter(t, by, order);
    await quotesOf(t, order);
    await acceptAndSettle(t, { order, quote: anew, acceptedBy });
  },
}));
