import { textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';

export const newOrderIsPending = defineRule({
  id: 'order.creation',
  title: 'A new order is PENDING, with an id of its own and the creator as its sender',
  requirements: [
    'order.state.starts-pending',
    'order.create.returns-pending',
    'order.create.assigns-intent-id',
    'order.intent-id.unique',
    'order.sender-party-id.is-creator',
  ],
  judge(view, findings) {
    const seen = new Map<string, Call>();
    for (const call of view.endpoint('order.create')) {
      if (!call.ok || !call.own) continue;
      judgeState(call);
      judgeId(call);
    }
    for (const { creation, snapshots } of view.orders.values()) {
      const creator = creation && view.partyIdOf(creation.party);
      if (creator === undefined) continue;
      for (const { value, source, via } of snapshots) {
        const sender = textOf(value, 'sender_party_id');
        if (sender === undefined) continue;
        findings.assert('order.sender-party-id.is-creator', sender === creator, source, () => ({
          message: `sender_party_id was not the party that created the order (${via})`,
          expected: creator,
          actual: sender,
          evidence: [creation?.id ?? '', source],
        }));
      }
    }

    function judgeState({ id, data }: Call): void {
      const status = textOf(data, 'status');
      for (const requirement of [
        'order.state.starts-pending',
        'order.create.returns-pending',
      ] as const) {
        findings.assert(requirement, status === 'PENDING', id, () => ({
          message: 'a new order was not PENDING',
          expected: 'PENDING',
          actual: status ?? null,
          evidence: [id],
        }));
      }
    }

    function judgeId(call: Call): void {
      const { id } = call;
      const intentId = textOf(call.data, 'intent_id') ?? '';
      findings.assert('order.create.assigns-intent-id', intentId !== '', id, () => ({
        message: 'a created order came without an intent_id',
        evidence: [id],
      }));
      if (intentId === '') return;
      const before = seen.get(intentId);
      // A repeated creation may be answered with the order that it made: one order, shown again.
      const again =
        before?.party === call.party && JSON.stringify(before.sent) === JSON.stringify(call.sent);
      findings.assert('order.intent-id.unique', before === undefined || again, id, () => ({
        message: 'two creations returned the same intent_id',
        actual: intentId,
        evidence: [before?.id ?? '', id],
      }));
      seen.set(intentId, call);
    }
  },
});
