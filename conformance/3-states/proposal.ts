import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  allowed,
  awaitStatus,
  createOrder,
  type Fields,
  insist,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  quote,
  readOrder,
  refused,
  said,
  settledOrder,
  succeeded,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { sameValue } from '../../src/rules/same.ts';
import type { OrderState } from '../../src/spec/words.ts';
import { acceptAndSettle, lifeRequirementsOf } from './flow.ts';
import { judgeState, judgeStillPending, mustReach } from './verdicts.ts';
import {
  accepted,
  among,
  cancelling,
  each,
  lagMs,
  stateOf,
  sweepMs,
  unsettled,
  waits,
} from './words.ts';

/** One attempt to accept a proposal; with an empty object where a target wants a body (gap `proposal.request`). */
async function proposalCall(trial: Trial, order: PlacedOrder): Promise<Exchange> {
  const custodian = trial.party('sender_custodian');
  const params = paramsOf(order);
  const bare = await custodian.call('proposal.accept', { params });
  if (!isRefusal(bare)) return bare;
  const full = await custodian.call('proposal.accept', { params, body: {} });
  return succeeded(full) ? full : bare;
}

/** Accepts a proposal, once the custodian's backend has had its time to know of it. */
export const acceptProposal = (trial: Trial, order: PlacedOrder): Promise<Exchange> =>
  insist(trial, () => proposalCall(trial, order));

/** An order whose proposal was accepted before anybody quoted it; gives up where that was refused. */
export async function proposedOrder(trial: Trial, changes: Fields = {}): Promise<PlacedOrder> {
  const order = await createOrder(trial, changes, { proposal: 'leave' });
  const exchange = await acceptProposal(trial, order);
  if (!succeeded(exchange))
    trial.giveUp(`the proposal was not accepted: ${said(exchange)}`, [exchange]);
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
async function judgeKept(trial: Trial, order: PlacedOrder): Promise<void> {
  const requirement = 'proposal.accept.order-stays-legal';
  const now = await readOrder(trial, order);
  judgeStillPending(trial, requirement, order, now, 'after its proposal was accepted');
  const changed = terms.filter((name) => !sameValue(name, order.data[name], now.data[name]));
  trial.judge(requirement, changed.length === 0, {
    message: `Accepting a proposal changed ${changed.join(', ')} of the order.`,
    seen: [order.exchange, now.exchange],
  });
}

const parties = ['sender', 'sender_custodian', 'maker_a'] as const;

/** Orders that are PENDING no more, where accepting their proposal comes too late to mean anything. */
const late: readonly {
  readonly id: string;
  readonly what: string;
  readonly stays: readonly OrderState[];
  readonly waitMs: number;
  readonly lay: (trial: Trial) => Promise<PlacedOrder>;
}[] = [
  {
    id: 'under-way',
    what: 'a quote was accepted on',
    // It may settle or not meanwhile: it is PENDING no more.
    stays: [...accepted, ...unsettled],
    waitMs: waits.settlement,
    async lay(trial) {
      const order = await createOrder(trial);
      await accept(trial, order, await quote(trial, 'maker_a', order));
      // What it shows may follow (gap `views.lag`).
      await awaitStatus(trial, order, accepted, lagMs);
      return order;
    },
  },
  {
    id: 'settled',
    what: 'has settled',
    stays: ['SETTLED'],
    waitMs: waits.settlement,
    lay: async (trial) => (await settledOrder(trial)).order,
  },
  {
    id: 'cancelled',
    what: 'was cancelled',
    stays: unsettled,
    waitMs: waits.settlement,
    async lay(trial) {
      const order = await createOrder(trial);
      await quote(trial, 'maker_a', order);
      const cancel = await cancelling(trial, order);
      if (!succeeded(cancel)) trial.giveUp(`the cancel was not taken: ${said(cancel)}`, [cancel]);
      await awaitStatus(trial, order, unsettled, 5_000);
      return order;
    },
  },
  {
    id: 'expired',
    what: 'has expired',
    stays: ['EXPIRED'],
    waitMs: waits.orderExpiry,
    async lay(trial) {
      const order = await createOrder(trial);
      await untilExpired(trial, order, sweepMs);
      await awaitStatus(trial, order, ['EXPIRED'], 5_000);
      return order;
    },
  },
];

const tooLate = each(late, ({ id, what, stays, waitMs, lay }) =>
  defineCheck({
    id: `proposal.accept.late.${id}`,
    title: `Accepting the proposal of an order that ${what} moves it nowhere.`,
    requirements: ['proposal.accept.order-stays-legal'],
    needs: { parties, waitMs },
    async run(trial) {
      const order = await lay(trial);
      const before = await readOrder(trial, order);
      if (!among(stays, before.data)) {
        trial.giveUp(`the order is ${stateOf(before.data)}`, [before.exchange]);
      }
      await proposalCall(trial, order);
      const requirement = 'proposal.accept.order-stays-legal';
      const told = 'after its proposal was accepted too late';
      judgeState(trial, requirement, await readOrder(trial, order), stays, told);
      await trial.target.timeline.sleep(lagMs);
      judgeState(trial, requirement, await readOrder(trial, order), stays, told);
    },
  }),
);

export const proposalChecks: readonly Check[] = [
  defineCheck({
    id: 'proposal.accept.then-settles',
    title:
      'An order whose proposal was accepted stays PENDING with its terms, and settles once it is quoted.',
    requirements: [
      'proposal.accept.by-sender-custodian',
      'proposal.accept.order-stays-legal',
      ...lifeRequirementsOf(),
    ],
    needs: { parties, waitMs: waits.settlement },
    async run(trial) {
      const order = await createOrder(trial, {}, { proposal: 'leave' });
      const exchange = await acceptProposal(trial, order);
      const requirement = 'proposal.accept.by-sender-custodian';
      if (!allowed(trial, requirement, exchange, "the sender's custodian accepting a proposal"))
        return;
      await judgeKept(trial, order);
      const placed = await quote(trial, 'maker_a', order);
      await judgeKept(trial, order);
      await acceptAndSettle(trial, { order, quote: placed, acceptedBy: 'sender' });
    },
  }),
  defineCheck({
    id: 'proposal.accept.once-quoted',
    title:
      'A proposal that is accepted after quotes have come leaves order and quotes as they were.',
    requirements: ['proposal.accept.order-stays-legal', ...lifeRequirementsOf('sender_custodian')],
    needs: { parties, waitMs: waits.settlement },
    async run(trial) {
      const order = await createOrder(trial);
      const placed = await quote(trial, 'maker_a', order);
      // Where quoting waits for it, this is its second time, and may be refused.
      await acceptProposal(trial, order);
      await judgeKept(trial, order);
      await acceptAndSettle(trial, { order, quote: placed, acceptedBy: 'sender_custodian' });
    },
  }),
  defineCheck({
    id: 'proposal.accept.then-cancelled',
    title:
      'An order whose proposal was accepted can still be cancelled; an unknown proposal is refused.',
    requirements: [
      'proposal.accept.unknown-refused',
      'order.cancel.pending',
      'order.state.cancel-ends-order',
    ],
    needs: { parties: ['sender', 'sender_custodian'] },
    async run(trial) {
      const order = await createOrder(trial, {}, { proposal: 'leave' });
      const custodian = trial.party('sender_custodian');
      const params = { intent_id: trial.random.uuid() };
      const no = await custodian.call('proposal.accept', { params });
      const yes = await acceptProposal(trial, order);
      if (succeeded(yes)) {
        refused(trial, 'proposal.accept.unknown-refused', no, 'the proposal of no order');
      }
      const cancel = await cancelling(trial, order);
      if (!allowed(trial, 'order.cancel.pending', cancel, 'a cancel of a PENDING order')) return;
      const when = 'after its cancel';
      await mustReach(trial, 'order.state.cancel-ends-order', order, unsettled, 5_000, when);
    },
  }),
  ...tooLate,
];
