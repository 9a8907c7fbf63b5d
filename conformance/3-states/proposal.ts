import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  createOrder,
  type Fields,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  quote,
  readOrder,
  refused,
  said,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { sameValue } from '../../src/rules/same.ts';
import { acceptAndSettle, lifeRequirementsOf } from './flow.ts';
import { judgeStillPending, mustReach } from './verdicts.ts';
import { cancelling, lagMs, unsettled, waits } from './words.ts';

/** Accepts a proposal; with an empty object where a target wants a body (gap `proposal.request`). */
export async function acceptProposal(trial: Trial, order: PlacedOrder): Promise<Exchange> {
  const custodian = trial.party('sender_custodian');
  const params = paramsOf(order);
  const end = trial.target.timeline.now() + lagMs;
  for (;;) {
    const bare = await custodian.call('proposal.accept', { params });
    if (!isRefusal(bare)) return bare;
    const full = await custodian.call('proposal.accept', { params, body: {} });
    if (succeeded(full)) return full;
    if (trial.target.timeline.now() >= end) return bare;
    await trial.target.timeline.sleep(500);
  }
}

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
];
