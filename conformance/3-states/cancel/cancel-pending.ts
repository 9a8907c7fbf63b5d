import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  assertAllowed,
  assertRefused,
  awaitStatus,
  createOrder,
  findInList,
  matchesOrder,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  readOrder,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { terminalOrderStates, unsettledStates } from '../../../src/spec/states.ts';
import {
  cancelAndFollow,
  cancelEffectMs,
  cancelRequirements,
  followCancelled,
} from './cancelled-order.ts';
import { cancelOrder, tryAccept, tryCancel } from '../../shared/order-calls.ts';
import { needsOf, untilLapsed, viewLagMs, waits } from '../../shared/waits.ts';

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
  const body = quoteBody(t, order);
  await t.party('maker_a').call('quote.submit', { params: paramsOf(order), body });
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

/** 3.1: an order that a cancel has ended stays as it ended, however a second cancel is answered. */
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

/** 4.2: a cancel names an order; an unknown order cannot be cancelled. */
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

/** 2.2: the fields of an accepted quote are set by an acceptance; a cancel before it leaves them unset for everybody. */
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
