import { reaches } from '../../../spec/states.ts';
import type { OrderState } from '../../../spec/vocabulary.ts';
import { type StateConflict, progressOf } from '../../trace/state-progress.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { orderStateOf } from '../../trace/traces.ts';

const absorbing = {
  SETTLED: 'order.state.settled-absorbs',
  EXPIRED: 'order.state.expired-absorbs',
  FAILED: 'order.state.failed-absorbs',
} as const;
const isEnd = (state: OrderState): state is keyof typeof absorbing =>
  Object.hasOwn(absorbing, state);

const violationOf = ({ earlier, later }: StateConflict<string>, whom = '') => ({
  message: `an order was ${earlier.state} and then ${later.state}${whom}`,
  must: { words: `a state that follows ${earlier.state}` },
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
    // Also judged by `event.order-updated.right`, which holds events against calls; this one against later reads.
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
            ...violationOf(clash),
            message: `an event announced ${state}, and a read after it showed ${clash.later.state}`,
          });
          continue;
        }
        const requirement = isEnd(state) ? absorbing[state] : 'order.state.listed-transitions-only';
        findings.fail(requirement, violationOf(clash));
      }
      for (const snapshot of agreed) findings.pass('order.state.views-agree', snapshot.source);
      for (const clash of across)
        findings.fail('order.state.views-agree', violationOf(clash, ' to another observer'));
      if (own.length === 0 && across.length === 0) judgeEnds(trace.snapshots);
    }

    /** Reads of two parties at one time have no order between them, but two different ends are a conflict anyway. */
    function judgeEnds(snapshots: readonly Snapshot[]): void {
      const ends = new Map<OrderState, string>();
      for (const snapshot of snapshots) {
        const state = orderStateOf(snapshot);
        if (state && isEnd(state) && !ends.has(state)) ends.set(state, snapshot.source);
      }
      if (ends.size <= 1) return;
      findings.fail('order.state.views-agree', {
        message: 'an order was seen in two different ends',
        actual: [...ends.keys()],
        evidence: [...ends.values()],
      });
    }
  },
});
