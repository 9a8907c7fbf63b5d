import { reaches } from '../../../spec/states.ts';
import type { OrderState } from '../../../spec/vocabulary.ts';
import { textAt } from '../../../protocol/json.ts';
import { type StateConflict, progressOf } from '../../trace/state-progress.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { orderStateOf } from '../../trace/traces.ts';

const absorbing = {
  SETTLED: 'order.state.settled-absorbs',
  EXPIRED: 'order.state.expired-absorbs',
  FAILED: 'order.state.failed-absorbs',
} as const;
const isEnd = (state: OrderState): state is keyof typeof absorbing =>
  Object.hasOwn(absorbing, state);

const violationOf = (what: string, { earlier, later }: StateConflict<string>, whom = '') => ({
  message: `${what} was ${earlier.state} and then ${later.state}${whom}`,
  expected: `a state that follows ${earlier.state}`,
  actual: later.state,
  evidence: [earlier.snapshot.source, later.snapshot.source],
});

export const orderTransitions = defineRule({
  id: 'order.states',
  title: 'Every observer sees an order move along listed transitions, and stay where it ended',
  requirements: [
    'order.state.listed-transitions-only',
    'order.state.settled-absorbs',
    'order.state.expired-absorbs',
    'order.state.failed-absorbs',
    'order.state.views-agree',
    'event.after-cause',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const { kept, own, across, agreed } = progressOf(trace.snapshots, orderStateOf, reaches);
      for (const { state, stayed, snapshot } of kept) {
        findings.pass('order.state.listed-transitions-only', snapshot.source);
        if (stayed && isEnd(state)) findings.pass(absorbing[state], snapshot.source);
      }
      for (const clash of own) {
        const { state, snapshot } = clash.earlier;
        if (snapshot.frame) {
          findings.fail('event.after-cause', {
            ...violationOf('an order', clash),
            message: `an event told ${state}, and a read after it showed ${clash.later.state}`,
          });
          continue;
        }
        const requirement = isEnd(state) ? absorbing[state] : 'order.state.listed-transitions-only';
        findings.fail(requirement, violationOf('an order', clash));
      }
      for (const snapshot of agreed) findings.pass('order.state.views-agree', snapshot.source);
      for (const clash of across) {
        findings.fail(
          'order.state.views-agree',
          violationOf('an order', clash, ' to another observer'),
        );
      }
      const ends = new Map<OrderState, Snapshot>();
      for (const snapshot of trace.snapshots) {
        const state = orderStateOf(snapshot);
        if (state && isEnd(state) && !ends.has(state)) ends.set(state, snapshot);
      }
      if (ends.size > 1 && own.length === 0 && across.length === 0) {
        findings.fail('order.state.views-agree', {
          message: 'an order was seen in two different ends',
          actual: [...ends.keys()],
          evidence: [...ends.values()].map(({ source }) => source),
        });
      }
    }
  },
});

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
      const { id } = call;
      const evidence = [id];
      const status = textAt(call.data, 'status');
      for (const requirement of [
        'order.state.starts-pending',
        'order.create.returns-pending',
      ] as const) {
        findings.assert(requirement, status === 'PENDING', id, () => ({
          message: 'a new order was not PENDING',
          expected: 'PENDING',
          actual: status ?? null,
          evidence,
        }));
      }
      const intentId = textAt(call.data, 'intent_id');
      const assigned = intentId !== undefined && intentId !== '';
      findings.assert('order.create.assigns-intent-id', assigned, id, () => ({
        message: 'a created order came without an intent_id',
        evidence,
      }));
      if (intentId !== undefined) {
        const before = seen.get(intentId);
        // The same creation once more may be answered with what it made: one order, told twice.
        const again =
          before?.party === call.party && JSON.stringify(before.sent) === JSON.stringify(call.sent);
        findings.assert('order.intent-id.unique', before === undefined || again, id, () => ({
          message: 'two creations returned the same intent_id',
          actual: intentId,
          evidence: [before?.id ?? '', id],
        }));
        seen.set(intentId, call);
      }
      const creator = view.partyIdOf(call.party);
      const sender = textAt(call.data, 'sender_party_id');
      if (creator === undefined || sender === undefined) continue;
      findings.assert('order.sender-party-id.is-creator', sender === creator, id, () => ({
        message: 'sender_party_id was not the party that created the order',
        expected: creator,
        actual: sender,
        evidence,
      }));
    }
  },
});
