import { mayBeWithdrawn } from '../../trace/must-settle.ts';
import { targetClockOf } from '../../trace/target-clock.ts';
import { defineRule } from '../../findings.ts';
import { timestampIn, type Snapshot } from '../../trace/snapshots.ts';
import { mayHaveChanged, type OrderTrace, orderStateOf } from '../../trace/traces.ts';

export const orderDeadlines = defineRule({
  id: 'order.deadlines',
  title:
    'An order without an accepted quote expires at `expires_at`, no earlier and not much later',
  requirements: [
    'order.state.pending-to-expired',
    'order.state.pending-to-expired.though-quoted',
    'order.state.pending-to-expired.not-early',
  ],
  judge(view, findings) {
    const clock = targetClockOf(view);
    for (const trace of view.orders.values()) {
      const deadline = timestampIn(trace.snapshots, 'expires_at');
      if (!trace.creation || deadline === undefined) continue;
      for (const snapshot of trace.snapshots) {
        if (mayHaveChanged([...trace.acceptances, ...trace.cancels], snapshot)) break;
        const state = orderStateOf(snapshot);
        const isLate = !snapshot.frame && clock.wellAfter(snapshot, deadline);
        if (state === 'EXPIRED') judgeEarly(trace, snapshot, deadline);
        if (isLate && (state === 'EXPIRED' || state === 'PENDING'))
          judgeLate(trace, snapshot, deadline);
        else if (state === 'PENDING' && !snapshot.frame) judgePending(snapshot, deadline);
      }
    }

    function judgePending(snapshot: Snapshot, deadline: number): void {
      if (clock.before(snapshot, deadline)) {
        findings.pass('order.state.pending-to-expired.not-early', snapshot.source);
        return;
      }
      findings.inconclusive('order.state.pending-to-expired', {
        departure: 'near-deadline',
        message: 'an order was seen too near its expires_at to tell',
        evidence: [snapshot.source],
      });
    }

    function judgeEarly(trace: OrderTrace, snapshot: Snapshot, deadline: number): void {
      if (mayBeWithdrawn(view, trace)) return;
      const early = clock.before(snapshot, deadline);
      findings.assert('order.state.pending-to-expired.not-early', !early, snapshot.source, () => ({
        message: 'an order was EXPIRED before its expires_at',
        fields: ['expires_at'],
        must: { words: `PENDING until ${new Date(deadline).toISOString()}` },
        actual: `EXPIRED by ${new Date(snapshot.to).toISOString()}`,
        evidence: [snapshot.source],
      }));
    }

    function judgeLate(trace: OrderTrace, snapshot: Snapshot, deadline: number): void {
      const holds = orderStateOf(snapshot) === 'EXPIRED';
      const violation = () => ({
        message: `an order without an accepted quote was still PENDING well after its expires_at (${snapshot.via})`,
        fields: ['expires_at'],
        must: { words: `EXPIRED from ${new Date(deadline).toISOString()} on` },
        actual: `PENDING at ${new Date(snapshot.from).toISOString()}`,
        evidence: [snapshot.source],
      });
      findings.assert('order.state.pending-to-expired', holds, snapshot.source, violation);
      const before = trace.submissions.filter((call) => call.close < snapshot.open);
      if (mayHaveChanged(before, snapshot)) {
        const quoted = 'order.state.pending-to-expired.though-quoted';
        findings.assert(quoted, holds, snapshot.source, violation);
      }
    }
  },
});
