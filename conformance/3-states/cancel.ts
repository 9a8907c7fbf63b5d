import type { CheckContext, Check } from '../../src/suite/engine/check.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  describeExchange,
  succeeded,
  matchesOrder,
  fieldsOf,
  isRefusal,
  textOf,
} from '../../src/protocol/answers.ts';
import {
  type PlacedOrder,
  readOrder,
  createOrder,
  paramsOf,
} from '../../src/suite/actions/orders.ts';
import { assertAllowed, assertRefused } from '../../src/suite/actions/refusal-assertions.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import {
  type PlacedQuote,
  quote,
  type AcceptedOrder,
  acceptedOrder,
  quotedOrder,
} from '../../src/suite/actions/quotes.ts';
import { targetNow } from '../../src/suite/actions/context.ts';
import type { RequirementId, CastName } from '../../src/spec/requirements/index.ts';
import { unsettledStates, terminalOrderStates } from '../../src/spec/states.ts';
import {
  cancelOrder,
  tryAccept,
  tryCancel,
  findQuote,
  ownQuotesOf,
  type Accepter,
  acceptQuote,
  followToSettlement,
  lifeRequirementsOf,
  tryQuote,
} from '../shared/order-life.ts';
import {
  needsOf,
  untilLapsed,
  viewLagMs,
  waits,
  settlementTimeoutMs,
  untilBefore,
} from '../shared/waits.ts';
import type { Exchange } from '../../src/history/records.ts';
import { awaitUpdate, stateOf, statusIsOneOf } from '../shared/order-states.ts';

/** Maximum delay from the answer to a cancel until it takes effect (gap `cancel.response`). */
const cancelEffectMs = 5_000;

const cancelRequirements = [
  'order.state.cancel-ends-order',
  'order.failure-reason.user-cancelled',
  'order.state.failed-absorbs',
  'order.state.expired-absorbs',
] as const satisfies readonly RequirementId[];

/** Follows a cancelled order to its end, and reads it again later: it must stay ended. */
async function followCancelled(t: CheckContext, order: PlacedOrder): Promise<void> {
  await awaitStatus(t, order, unsettledStates, cancelEffectMs);
  await t.target.timeline.sleep(1_500);
  await readOrder(t, order);
}

/** Cancels an order and follows it to its end. Ends the check if the cancel is refused: the rules judge that. */
export async function cancelAndFollow(t: CheckContext, order: PlacedOrder): Promise<void> {
  const exchange = await cancelOrder(t, order);
  if (!succeeded(exchange))
    t.notExercised(`the order could not be cancelled: ${describeExchange(exchange)}`, [exchange]);
  await followCancelled(t, order);
}

async function createQuoted(t: CheckContext, makers: readonly CastName[]) {
  const order = await createOrder(t);
  const quotes: PlacedQuote[] = [];
  for (const maker of makers) quotes.push(await quote(t, maker, order));
  return { order, quotes };
}

/** An order whose only quote has lapsed: it is PENDING like any other. */
async function createWithLapsedQuote(t: CheckContext) {
  const order = await createOrder(t);
  const brief = await quote(t, 'maker_a', order, { validForMs: 1_500 });
  await untilLapsed(t, brief);
  return { order, quotes: [brief] };
}

/** An order whose only quote costs more than its maximum. A target may refuse this quote (gap `quote.above_max`). */
async function createTooDear(t: CheckContext) {
  const order = await createOrder(t, { target_amount: '1000.00', source_amount_max: '250.00' });
  await tryQuote(t, 'maker_a', order);
  return { order, quotes: [] };
}

interface Situation {
  readonly id: string;
  /** Words of the title "A PENDING order with ... is cancelled". */
  readonly what: string;
  readonly makers: readonly CastName[];
  readonly create: (
    t: CheckContext,
    makers: readonly CastName[],
  ) => Promise<{ readonly order: PlacedOrder; readonly quotes: readonly PlacedQuote[] }>;
}

const situations: readonly Situation[] = [
  { id: 'pending', what: 'no quote', makers: [], create: createQuoted },
  { id: 'with-one-quote', what: 'one quote', makers: ['maker_a'], create: createQuoted },
  {
    id: 'with-three-quotes',
    what: 'three quotes',
    makers: ['maker_b', 'maker_c', 'maker_a'],
    create: createQuoted,
  },
  {
    id: 'with-lapsed-quote',
    what: 'a quote that has lapsed',
    makers: ['maker_a'],
    create: createWithLapsedQuote,
  },
  {
    id: 'only-quote-above-maximum',
    what: 'a quote above its maximum',
    makers: [],
    create: createTooDear,
  },
];

/**
 * 4.2: a PENDING order can be cancelled, with any quotes on it. Then it is no request any more and takes no acceptance.
 */
const pending = situations.map<Check>(({ id, what, makers, create }) => ({
  id: `order.cancel.${id}`,
  title: `A PENDING order with ${what} is cancelled, ends unsettled and is no longer a request.`,
  requirements: [
    makers.length > 0 ? 'order.cancel.pending-with-quotes' : 'order.cancel.pending',
    'order.cancel.request-closes',
    'order.accept.cancelled-order-refused',
    ...cancelRequirements,
  ],
  needs: needsOf(
    create === createWithLapsedQuote ? waits.quoteExpiry : 0,
    'sender',
    'maker_a',
    ...makers,
  ),
  async run(t) {
    const { order, quotes } = await create(t, makers);
    const exchange = await cancelOrder(t, order);
    const requirement = 'order.cancel.pending-with-quotes';
    const cancelling = `a cancel of a PENDING order with ${what}`;
    if (quotes.length > 0 && !assertAllowed(t, requirement, exchange, cancelling)) return;
    await followCancelled(t, order);
    for (const one of quotes) await tryAccept(t, order, one);
    await findInList(t, t.party('maker_a'), 'rfq.list', matchesOrder(order));
  },
}));

const again: Check = {
  id: 'order.cancel.again',
  title: 'A second cancel, however it is answered, leaves the order as it ended.',
  requirements: ['order.cancel.pending', ...cancelRequirements],
  needs: { parties: ['sender'] },
  async run(t) {
    const order = await createOrder(t);
    await cancelOrder(t, order);
    await awaitStatus(t, order, terminalOrderStates, cancelEffectMs);
    await tryCancel(t, order);
    await followCancelled(t, order);
  },
};

const unknown: Check = {
  id: 'order.cancel.unknown',
  title: 'Cancelling an id that no order has is refused, while another order is cancelled.',
  requirements: ['order.cancel.unknown-refused', 'order.cancel.pending', ...cancelRequirements],
  needs: { parties: ['sender'] },
  async run(t) {
    const order = await createOrder(t);
    const no = await tryCancel(t, { intentId: t.random.uuid() });
    assertRefused(t, 'order.cancel.unknown-refused', no, 'a cancel of no order');
    await cancelAndFollow(t, order);
  },
};

const noAcceptance: Check = {
  id: 'order.cancel.then-acceptance-refused',
  title:
    'A cancelled order that nobody accepted carries no accepted quote, for its custodian neither.',
  requirements: [
    'order.quote-id.not-before-acceptance',
    'order.state.views-agree',
    ...cancelRequirements,
  ],
  needs: { parties: ['sender', 'sender_custodian', 'maker_b'] },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_b', order);
    await cancelAndFollow(t, order);
    await awaitStatus(t, order, unsettledStates, viewLagMs, 'sender_custodian');
    await t.target.timeline.sleep(viewLagMs);
    await readOrder(t, order, 'sender_custodian');
    await t.party('maker_b').call('quote.submit', {
      params: paramsOf(order),
      body: {
        fx_rate: '1',
        target_amount: order.sent['target_amount'],
        valid_until: order.data['expires_at'],
      },
    });
  },
};

export const cancelPendingChecks: readonly Check[] = [...pending, again, unknown, noAcceptance];

/** Time from the acceptance to the quote's deadline: its timer is still running at the cancel. */
const leadMs = 500;

interface Tried {
  readonly order: PlacedOrder;
  readonly quote: PlacedQuote;
  readonly exchange: Exchange;
}

/**
 * Accepts and cancels with nothing in between. The time that an order is QUOTED is open, so a refusal counts only if
 * the order is QUOTED even after it; if not, another order is tried. The first attempt has a quote that lapses a moment
 * later, which must not affect an order that was cancelled in time.
 */
async function cancelQuoted(t: CheckContext, by: Accepter): Promise<Tried | undefined> {
  const { clock } = t.target;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const order = await createOrder(t);
    const [maker, rival] =
      attempt === 1 ? (['maker_b', 'maker_a'] as const) : (['maker_a', 'maker_b'] as const);
    const placed = await quote(t, maker, order, attempt === 0 ? { validForMs: 3_000 } : {});
    // A rival that was not selected must not affect the cancel.
    await quote(t, rival, order);
    const { validUntil } = placed;
    // A target may grant a longer validity than requested.
    const brief = attempt === 0 && validUntil < targetNow(t).latest + waits.quoteExpiry;
    if (brief) await untilBefore(t, validUntil, leadMs);
    const [accepted, exchange, after] = await t.inOneMoment(async () => [
      await tryAccept(t, order, placed, by),
      await tryCancel(t, order),
      await readOrder(t, order),
    ]);
    // A cancel may take effect a little later (gap `cancel.response`), and the deadline come before it.
    const inTime = after.exchange.received + clock.offset.most < validUntil;
    if (brief && !(inTime && statusIsOneOf(unsettledStates, after.data))) continue;
    if (!succeeded(accepted)) t.notExercised('the quote could not be accepted', [accepted]);
    if (isRefusal(exchange) && stateOf(after.data) !== 'QUOTED') continue;
    return { order, quote: placed, exchange };
  }
  return undefined;
}

/** 4.2: a QUOTED order can be cancelled. It never settles, and there is no settlement of it. */
const quoted = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.cancel.quoted.${by}`,
  title: `An order whose quote ${by} accepted a moment ago is cancelled, and never settles.`,
  requirements: [
    'order.cancel.quoted',
    'order.cancel.never-settles',
    'settlement.atomic',
    ...cancelRequirements,
  ],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', 'maker_a', 'maker_b', by),
  async run(t) {
    const tried = await cancelQuoted(t, by);
    if (!tried)
      return t.notExercised('orders here are QUOTED too shortly for a cancel to meet them');
    const { order, quote: placed, exchange } = tried;
    const what = 'a cancel of a QUOTED order';
    if (!assertAllowed(t, 'order.cancel.quoted', exchange, what)) return undefined;
    await followCancelled(t, order);
    await t.target.timeline.sleep(9_000);
    await readOrder(t, order);
    await t.party(placed.maker).call('settlement.read', { params: paramsOf(order) });
  },
}));

/** Time that an order was QUOTED, by the events to its sender, in milliseconds; undefined if unknown. */
async function quotedForMs(t: CheckContext): Promise<number | undefined> {
  const { order, acceptance } = await acceptedOrder(t);
  const begun = await awaitUpdate(t, 'sender', order, ['EXECUTING'], settlementTimeoutMs);
  return begun && begun.received - acceptance.exchange.received;
}

/** Shortest span, in milliseconds, that leaves time for a request. */
const shortestMs = 100;
const tooShort = 'orders here are QUOTED too shortly for a cancel to meet them late';
const lagging = 'orders may show QUOTED here when they no longer are (gap views.lag)';

/** True if an acceptance does not show to all parties at once. Then a state that is read may be outdated already. */
async function viewsLag(t: CheckContext, { order, quote: placed }: AcceptedOrder) {
  const { answers, parties } = t.target;
  const known = answers.get('views.lag');
  if (known !== undefined && known !== 'at-once') return true;
  for (const by of ['sender', 'sender_custodian'] as const) {
    if (!parties[by]) continue;
    const read = await t.party(by).call('order.read', { params: paramsOf(order) });
    const seen = stateOf(fieldsOf(read));
    if (seen === undefined || seen === 'PENDING') return true;
  }
  const { items } = await ownQuotesOf(t, order, placed.maker);
  return textOf(findQuote(items, placed) ?? {}, 'status') !== 'ACCEPTED';
}

/** Moments of the cancel, as parts of the time that an earlier order was QUOTED. The first that is in time counts. */
const shares = [0.9, 0.75, 0.6, 0.45] as const;

const lateInQuoted: Check = {
  id: 'order.cancel.quoted.late',
  title:
    'An order that has been QUOTED for most of the time that orders are here is cancelled, and ends unsettled.',
  requirements: ['order.cancel.quoted', ...cancelRequirements],
  needs: needsOf(2 * waits.settlement, 'sender', 'maker_a'),
  async run(t) {
    const spanMs = await quotedForMs(t);
    if (spanMs === undefined || spanMs < shortestMs) return t.outOfScope(tooShort);
    for (const share of shares) {
      const accepted = await acceptedOrder(t);
      const { order, acceptance } = accepted;
      if (await t.promptly(() => viewsLag(t, accepted))) return t.outOfScope(lagging);
      await t.target.timeline.until(acceptance.exchange.received + share * spanMs);
      const exchange = await t.promptly(() => cancelOrder(t, order));
      // This order may have left QUOTED earlier than the one before. A refusal is wrong only if it has not.
      if (isRefusal(exchange) && stateOf((await readOrder(t, order)).data) !== 'QUOTED') continue;
      const what = 'a cancel of an order that was still QUOTED';
      if (assertAllowed(t, 'order.cancel.quoted', exchange, what)) await followCancelled(t, order);
      return undefined;
    }
    return t.outOfScope(tooShort);
  },
};

export const cancelWhileQuotedChecks: readonly Check[] = [...quoted, lateInQuoted];

const tooLate = [
  { id: 'executing', state: 'EXECUTING', by: 'sender' },
  { id: 'executing-by-custodian', state: 'EXECUTING', by: 'sender_custodian' },
  { id: 'settled', state: 'SETTLED', by: 'sender' },
  { id: 'settled-by-custodian', state: 'SETTLED', by: 'sender_custodian' },
] as const;

/** 4.2: PENDING and QUOTED orders alone can be cancelled. From EXECUTING on the cancel is refused, and the order settles. */
export const cancelRefusedChecks = tooLate.map<Check>(({ id, state, by }) => ({
  id: `order.cancel.${id}`,
  title: `An order that is ${state} cannot be cancelled, and settles all the same.`,
  requirements: [
    state === 'EXECUTING' ? 'order.cancel.executing-refused' : 'order.cancel.settled-refused',
    'order.state.settled-absorbs',
    'error.refusal-changes-nothing',
    ...lifeRequirementsOf(by),
  ],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', by),
  async run(t) {
    const trade = { ...(await quotedOrder(t)), acceptedBy: by };
    await acceptQuote(t, trade);
    const reached = await awaitStatus(t, trade.order, [state], settlementTimeoutMs);
    if (stateOf(reached?.data ?? {}) !== state)
      t.notExercised(`the order could not be read as ${state}`);
    await tryCancel(t, trade.order);
    await readOrder(t, trade.order);
    await followToSettlement(t, trade);
  },
}));
