import { failureReasonIn } from '../../../protocol/failure-reason.ts';
import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { targetClockOf } from '../../trace/target-clock.ts';
import { defineRule } from '../../findings.ts';
import { precedes } from '../../trace/calls.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { mayBeWithdrawn, mustSettleAfter } from '../../trace/must-settle.ts';
import { winnerOf } from '../../trace/selected-quote.ts';
import { mayBeReplaced } from '../../trace/submitted-quotes.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';

export const acceptedDeadlines = defineRule({
  id: 'order.accepted-deadlines',
  title: "An order with an accepted quote expires by the quote's deadline only, not by its own",
  requirements: [
    'order.state.quoted-to-expired.not-early',
    'order.state.accepted-outlives-expires-at',
  ],
  judge(view, findings) {
    const clock = targetClockOf(view);
    for (const trace of view.orders.values()) {
      const accepted = trace.acceptances.find((call) => call.ok);
      if (!trace.creation || !accepted || textOf(accepted.data, 'status') !== 'QUOTED') continue;
      if (trace.cancels.length > 0 || mayBeWithdrawn(view, trace)) continue;
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      const validity = validityOf(trace);
      const mustSettle = mustSettleAfter(view, trace) !== undefined;
      for (const snapshot of trace.snapshots) {
        const state = orderStateOf(snapshot);
        const isExpired = state === 'EXPIRED';
        if (!state || (snapshot.frame ? !isExpired : !precedes(accepted, snapshot))) continue;
        const timedOut =
          failureReasonIn(snapshot.value) === 'TIMEOUT' ||
          snapshot.to > accepted.exchange.sent + 2 * tolerance.settlementMaxMs;
        if (isExpired && timedOut) continue;
        const isValid = validity !== undefined && clock.before(snapshot, validity);
        const violation =
          (message: string, fields: readonly string[] = []) =>
          () => ({
            message,
            fields,
            ...(validity !== undefined && {
              must: { words: `no expiry before ${new Date(validity).toISOString()}` },
            }),
            evidence: [accepted.id, snapshot.source],
          });
        if (isValid) {
          const message =
            'an order with an accepted quote was EXPIRED though the quote was still valid';
          const early = 'order.state.quoted-to-expired.not-early';
          findings.assert(early, !isExpired, snapshot.source, violation(message));
        }
        const seen = { from: snapshot.to, to: snapshot.to };
        if (expiry === undefined || !clock.after(seen, expiry)) continue;
        if (isExpired && !isValid) continue;
        const message = 'an order with an accepted quote ended when its own expires_at had passed';
        const outlives = 'order.state.accepted-outlives-expires-at';
        // An order that can only settle is not ended by a deadline as FAILED either.
        const isEnded = isExpired || (state === 'FAILED' && mustSettle);
        findings.assert(outlives, !isEnded, snapshot.source, violation(message, ['expires_at']));
      }
    }

    function validityOf(trace: OrderTrace): number | undefined {
      const winner = winnerOf(trace);
      return winner && !mayBeReplaced(view, winner, trace)
        ? timestampIn(winner.snapshots, 'valid_until')
        : undefined;
    }
  },
});
