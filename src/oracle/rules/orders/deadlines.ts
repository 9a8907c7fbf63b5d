import { failureReasonIn } from '../../../protocol/failure-reason.ts';
import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { defineRule } from '../../findings.ts';
import { precedes } from '../../trace/calls.ts';
import {
  isOpenAndUntouched,
  lapsedWhileOpen,
  mayBeReplaced,
  mayBeWithdrawn,
  mustSettleAfter,
  winnerOf,
} from '../../trace/selections.ts';
import { type Snapshot, timestampIn } from '../../trace/snapshots.ts';
import {
  mayHaveChanged,
  orderStateOf,
  type OrderTrace,
  quoteStateOf,
  touchesOf,
} from '../../trace/traces.ts';

const orderDeadlines = defineRule({
  id: 'order.deadlines',
  title:
    'An order without an accepted quote expires at `expires_at`, no earlier and not much later',
  requirements: [
    'order.state.pending-to-expired',
    'order.state.pending-to-expired.though-quoted',
    'order.state.pending-to-expired.not-early',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const deadline = timestampIn(trace.snapshots, 'expires_at');
      if (!trace.creation || deadline === undefined) continue;
      for (const snapshot of trace.snapshots) {
        if (mayHaveChanged(touchesOf(trace), snapshot)) break;
        const state = orderStateOf(snapshot);
        const isLate = !snapshot.frame && view.clock.wellAfter(snapshot, deadline);
        if (state === 'EXPIRED') judgeEarly(trace, snapshot, deadline);
        if (isLate && (state === 'EXPIRED' || state === 'PENDING'))
          judgeLate(trace, snapshot, deadline);
        else if (state === 'PENDING' && !snapshot.frame) judgePending(snapshot, deadline);
      }
    }

    function judgePending(snapshot: Snapshot, deadline: number): void {
      if (view.clock.before(snapshot, deadline)) {
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
      const early = view.clock.before(snapshot, deadline);
      findings.assert('order.state.pending-to-expired.not-early', !early, snapshot.source, () => ({
        message: 'an order was EXPIRED before its expires_at',
        fields: ['expires_at'],
        must: { words: `PENDING until ${new Date(deadline).toISOString()}` },
        actual: `EXPIRED by ${new Date(snapshot.to).toISOString()}`,
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

const acceptedDeadlines = defineRule({
  id: 'order.accepted-deadlines',
  title: "An order with an accepted quote expires by the quote's deadline only, not by its own",
  requirements: [
    'order.state.quoted-to-expired.not-early',
    'order.state.accepted-outlives-expires-at',
  ],
  judge(view, findings) {
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
        const isValid = validity !== undefined && view.clock.before(snapshot, validity);
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
        if (expiry === undefined || !view.clock.after(seen, expiry)) continue;
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

const quoteDeadlines = defineRule({
  id: 'quote.deadlines',
  title: 'A quote on an open order expires at its `valid_until`, no earlier and not much later',
  requirements: ['quote.state.pending-to-expired', 'quote.state.pending-to-expired.not-early'],
  judge(view, findings) {
    for (const quote of view.quotes.values()) {
      const order = view.order(quote.intentId);
      if (!order || mayBeReplaced(view, quote, order)) continue;
      for (const snapshot of quote.snapshots) {
        const { value, source, via } = snapshot;
        const [state, deadline] = [quoteStateOf(snapshot), parseTimestamp(value['valid_until'])];
        if (snapshot.frame || !state || deadline === undefined) continue;
        // The state of quotes on an expired order is open (gap `quote.orphans`), unless they had lapsed before.
        const isKnown =
          isOpenAndUntouched(view, order, snapshot) ||
          (view.clock.wellAfter(snapshot, deadline) && lapsedWhileOpen(view, order, deadline));
        if (!isKnown) continue;
        // A quote whose deadline had passed when it came may start PENDING all the same (gap `quote.past_validity`).
        if (via === 'quote.submit' && view.clock.wellAfter(snapshot, deadline)) continue;
        const violation = (message: string) => ({
          message,
          fields: ['valid_until'],
          must: { words: `PENDING until ${new Date(deadline).toISOString()}, then EXPIRED` },
          actual: `${state} between ${new Date(snapshot.from).toISOString()} and ${new Date(snapshot.to).toISOString()}`,
          evidence: [...(quote.submission ? [quote.submission.id] : []), source],
        });
        if (view.clock.before(snapshot, deadline)) {
          const early = 'quote.state.pending-to-expired.not-early';
          findings.assert(early, state === 'PENDING', source, () =>
            violation(`a quote was ${state} before its valid_until (${via})`),
          );
        } else if (state === 'EXPIRED' && view.clock.after(snapshot, deadline)) {
          findings.pass('quote.state.pending-to-expired', source);
        } else if (view.clock.wellAfter(snapshot, deadline)) {
          findings.fail(
            'quote.state.pending-to-expired',
            violation(
              `a quote was ${state === 'PENDING' ? 'still ' : ''}${state} well after its valid_until (${via})`,
            ),
          );
        } else {
          const message = 'a quote was seen too near its valid_until to tell';
          findings.inconclusive('quote.state.pending-to-expired', {
            ...violation(message),
            departure: 'near-deadline',
          });
        }
      }
    }
  },
});

export const deadlineRules = [orderDeadlines, acceptedDeadlines, quoteDeadlines];
