import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { acceptedOrder, quote, quotedOrder, settledOrder } from '../../src/suite/actions/quotes.ts';
import { assertAllowed, assertRefused } from '../../src/suite/actions/refusal-assertions.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  createOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { type Fields, isRefusal, describeExchange, succeeded } from '../../src/protocol/answers.ts';
import { retryWhileRefused } from '../../src/suite/actions/context.ts';
import type { Exchange } from '../../src/history/records.ts';
import { equalValues } from '../../src/protocol/equality.ts';
import type { OrderState } from '../../src/spec/vocabulary.ts';
import { acceptedStates, unsettledStates } from '../../src/spec/states.ts';
import {
  acceptAndSettle,
  lifeRequirementsOf,
  acceptQuote,
  tryQuote,
} from '../shared/order-life.ts';
import { cancelAndFollow } from './cancel.ts';
import { assertState, assertStillPending, stateOf, statusIsOneOf } from '../shared/order-states.ts';
import {
  expiryLagMs,
  viewLagMs,
  waits,
  settlementTimeoutMs,
  untilViewsAgree,
} from '../shared/waits.ts';

/** One attempt to accept a proposal; with an empty object if the target wants a body (gap `proposal.request`). */
async function proposalCall(t: CheckContext, order: PlacedOrder): Promise<Exchange> {
  const custodian = t.party('sender_custodian');
  const params = paramsOf(order);
  const bare = await custodian.call('proposal.accept', { params });
  if (!isRefusal(bare)) return bare;
  const full = await custodian.call('proposal.accept', { params, body: {} });
  return succeeded(full) ? full : bare;
}

/** Accepts a proposal, once the custodian's backend has had its time to know of it. */
export const acceptProposal = (t: CheckContext, order: PlacedOrder): Promise<Exchange> =>
  retryWhileRefused(t, () => proposalCall(t, order));

/** An order whose proposal was accepted before any quote; ends the check if that was refused. */
export async function proposedOrder(t: CheckContext, changes: Fields = {}): Promise<PlacedOrder> {
  const order = await createOrder(t, changes, { proposal: 'leave' });
  const exchange = await acceptProposal(t, order);
  if (!succeeded(exchange))
    t.notExercised(`the proposal was not accepted: ${describeExchange(exchange)}`, [exchange]);
  return order;
}

const terms = [
  'source_currency',
  'target_currency',
  'target_amount',
  'source_amount_max',
  'source_contract_id',
  'receiver_party_id',
] as const;

/** The effect of a proposal's acceptance is open; that the order stays PENDING and keeps its terms is not. */
async function assertKept(t: CheckContext, order: PlacedOrder): Promise<void> {
  const requirement = 'proposal.accept.order-stays-legal';
  const now = await readOrder(t, order);
  assertStillPending(t, requirement, order, now, 'after its proposal was accepted');
  const changed = terms.filter((name) => !equalValues(name, order.data[name], now.data[name]));
  t.assert(requirement, changed.length === 0, {
    message: `Accepting a proposal changed ${changed.join(', ')} of the order.`,
    fields: changed,
    seen: [order.exchange, now.exchange],
  });
}

const parties = ['sender', 'sender_custodian', 'maker_a'] as const;

/** Shorter than most orders are QUOTED, and long enough that a moment that is written anew is another one. */
const aMomentMs = 120;

/** Orders that are not PENDING any more: to accept their proposal is too late to have an effect. */
const late: readonly {
  readonly id: string;
  readonly what: string;
  readonly stays: readonly OrderState[];
  readonly waitMs: number;
  readonly bringAbout: (t: CheckContext) => Promise<PlacedOrder>;
}[] = [
  {
    id: 'under-way',
    what: 'a quote was accepted on',
    // The order may settle or not meanwhile, but it is not PENDING any more.
    stays: [...acceptedStates, ...unsettledStates],
    waitMs: waits.settlement,
    async bringAbout(t) {
      const { order } = await acceptedOrder(t);
      // The new state may show a moment later (gap `views.lag`).
      await awaitStatus(t, order, acceptedStates, viewLagMs);
      await t.target.timeline.sleep(aMomentMs);
      return order;
    },
  },
  {
    id: 'settled',
    what: 'has settled',
    stays: ['SETTLED'],
    waitMs: waits.settlement,
    bringAbout: async (t) => (await settledOrder(t)).order,
  },
  {
    id: 'cancelled',
    what: 'was cancelled',
    stays: unsettledStates,
    waitMs: waits.settlement,
    async bringAbout(t) {
      const { order } = await quotedOrder(t);
      await cancelAndFollow(t, order);
      return order;
    },
  },
  {
    id: 'expired',
    what: 'has expired',
    stays: ['EXPIRED'],
    waitMs: waits.orderExpiry,
    async bringAbout(t) {
      const order = await createOrder(t);
      await untilExpired(t, order, expiryLagMs);
      await awaitStatus(t, order, ['EXPIRED'], 5_000);
      return order;
    },
  },
];

const tooLate = late.map<Check>(({ id, what, stays, waitMs, bringAbout }) => ({
  id: `proposal.accept.late.${id}`,
  title: `Accepting the proposal of an order that ${what} moves it nowhere.`,
  requirements: ['proposal.accept.order-stays-legal'],
  needs: { parties, waitMs },
  async run(t) {
    const order = await bringAbout(t);
    const before = await readOrder(t, order);
    if (!statusIsOneOf(stays, before.data)) {
      t.notExercised(`the order is ${stateOf(before.data)}`, [before.exchange]);
    }
    await proposalCall(t, order);
    const requirement = 'proposal.accept.order-stays-legal';
    const when = 'after its proposal was accepted too late';
    assertState(t, requirement, await readOrder(t, order), stays, when);
    await t.target.timeline.sleep(viewLagMs);
    assertState(t, requirement, await readOrder(t, order), stays, when);
  },
}));

/** 4.3: the sender's custodian accepts an order proposal. The effect is open (gap `proposal.effect`). */
export const proposalChecks: readonly Check[] = [
  {
    id: 'proposal.accept.then-settles',
    title:
      'An order whose proposal was accepted stays PENDING with its terms, and settles once it is quoted.',
    requirements: [
      'proposal.accept.by-sender-custodian',
      'proposal.accept.order-stays-legal',
      ...lifeRequirementsOf(),
    ],
    needs: { parties, waitMs: waits.settlement },
    async run(t) {
      const order = await createOrder(t, {}, { proposal: 'leave' });
      const exchange = await acceptProposal(t, order);
      const requirement = 'proposal.accept.by-sender-custodian';
      if (!assertAllowed(t, requirement, exchange, "the sender's custodian accepting a proposal"))
        return;
      await assertKept(t, order);
      const placed = await quote(t, 'maker_a', order);
      await assertKept(t, order);
      await acceptAndSettle(t, { order, quote: placed, acceptedBy: 'sender' });
    },
  },
  {
    id: 'proposal.accept.once-quoted',
    title:
      'A proposal that is accepted after quotes have come leaves order and quotes as they were.',
    requirements: ['proposal.accept.order-stays-legal', ...lifeRequirementsOf('sender_custodian')],
    needs: { parties, waitMs: waits.settlement },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quote(t, 'maker_a', order);
      // If the target takes quotes only after the proposal's acceptance, this is a second one and may be refused.
      await acceptProposal(t, order);
      await assertKept(t, order);
      // The request stays open for others: the rules judge if a refusal has a reason.
      if (t.target.parties.maker_b) await retryWhileRefused(t, () => tryQuote(t, 'maker_b', order));
      await acceptAndSettle(t, { order, quote: placed, acceptedBy: 'sender_custodian' });
    },
  },
  {
    id: 'proposal.accept.then-cancelled',
    title:
      'An order whose proposal was accepted can still be cancelled; an unknown proposal is refused.',
    requirements: [
      'proposal.accept.unknown-refused',
      'order.cancel.pending',
      'order.state.cancel-ends-order',
    ],
    needs: { parties: ['sender', 'sender_custodian'] },
    async run(t) {
      const order = await createOrder(t, {}, { proposal: 'leave' });
      const custodian = t.party('sender_custodian');
      const params = { intent_id: t.random.uuid() };
      const no = await custodian.call('proposal.accept', { params });
      const yes = await acceptProposal(t, order);
      if (succeeded(yes)) {
        assertRefused(t, 'proposal.accept.unknown-refused', no, 'the proposal of no order');
      }
      await cancelAndFollow(t, order);
    },
  },
  ...tooLate,
];

const observers = ['sender', 'sender_custodian', 'receiver_custodian'] as const;

/** All permitted parties read an order: at once, and again when the action of one must show to all. */
async function readAsAll(t: CheckContext, order: PlacedOrder): Promise<void> {
  for (const observer of observers) await readOrder(t, order, observer);
  await untilViewsAgree(t);
  for (const observer of observers) await readOrder(t, order, observer);
}

const observedParties = [...observers, 'maker_a', 'maker_b'] as const;

const accepted = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.views.accepted-by.${by}`,
  title: `The sender and both custodians read the same order at every stage after ${by} accepts a quote.`,
  requirements: ['order.state.views-agree', ...lifeRequirementsOf(by)],
  needs: { parties: observedParties, waitMs: waits.settlement },
  async run(t) {
    const quoted = await quotedOrder(t, { maker: 'maker_b' });
    const { order } = quoted;
    await readAsAll(t, order);
    await acceptQuote(t, { ...quoted, acceptedBy: by });
    for (const observer of observers) await readOrder(t, order, observer);
    await awaitStatus(t, order, ['EXECUTING'], settlementTimeoutMs);
    for (const observer of observers) await readOrder(t, order, observer);
    await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs);
    await readAsAll(t, order);
  },
}));

/** 3.1: the same check for orders that end without a settlement. */
const ended: readonly Check[] = [
  {
    id: 'order.views.cancelled',
    title: 'Both custodians read a cancelled order as ended, the same way as its sender.',
    requirements: ['order.state.views-agree', 'order.state.cancel-ends-order'],
    needs: { parties: observedParties },
    async run(t) {
      const { order } = await quotedOrder(t);
      await cancelAndFollow(t, order);
      await readAsAll(t, order);
    },
  },
  {
    id: 'order.views.expired',
    title: 'Both custodians read an expired order as EXPIRED, as its sender does.',
    requirements: ['order.state.views-agree', 'order.state.pending-to-expired'],
    needs: { parties: observedParties, waitMs: waits.orderExpiry },
    async run(t) {
      const { order } = await quotedOrder(t, { maker: 'maker_b' });
      await untilExpired(t, order, expiryLagMs);
      await readAsAll(t, order);
    },
  },
];

export const sameStateChecks: readonly Check[] = [...accepted, ...ended];
