import { failureReasonIn } from '../../../protocol/failure-reason.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import type { OrderState } from '../../../spec/vocabulary.ts';
import { textAt } from '../../../protocol/json.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { winnerOf } from './echoed-fields.ts';
import { defineRule } from '../../findings.ts';
import { precedes } from '../../trace/calls.ts';
import { timestampIn, type Snapshot } from '../../trace/snapshots.ts';
import {
  possiblyEffective,
  type OrderTrace,
  type QuoteTrace,
  orderStateOf,
} from '../../trace/traces.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** Whether an operator or a control may have ended the order, at any time. */
const mayBeWithdrawn = (view: HistoryView, trace: OrderTrace): boolean =>
  view.disturbed(trace.id) ||
  trace.snapshots.some(({ value }) => failureReasonIn(value) === 'OPERATOR_WITHDRAWN');

/** Whether a call that was sent before the sighting was over may have had its effect. */
const hadEffect = (calls: OrderTrace['acceptances'], snapshot: Snapshot): boolean =>
  possiblyEffective(calls).some((call) => call.open < snapshot.close);

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
      const expires = new Date(deadline).toISOString();
      for (const snapshot of trace.snapshots) {
        const state = orderStateOf(snapshot);
        if (hadEffect(trace.acceptances, snapshot) || hadEffect(trace.cancels, snapshot)) continue;
        if (state === 'EXPIRED') {
          judgeEarly(trace, snapshot, deadline);
          if (!snapshot.frame && clock.wellAfter(snapshot, deadline))
            late(trace, snapshot, expires);
        } else if (state === 'PENDING' && !snapshot.frame) {
          if (clock.before(snapshot, deadline)) {
            findings.pass('order.state.pending-to-expired.not-early', snapshot.source);
          } else if (clock.wellAfter(snapshot, deadline)) late(trace, snapshot, expires);
          else {
            findings.inconclusive('order.state.pending-to-expired', {
              message: 'an order was seen too near its expires_at to tell',
              evidence: [snapshot.source],
            });
          }
        }
      }
    }

    function judgeEarly(trace: OrderTrace, snapshot: Snapshot, deadline: number): void {
      if (mayBeWithdrawn(view, trace)) return;
      const early = clock.before(snapshot, deadline);
      findings.assert('order.state.pending-to-expired.not-early', !early, snapshot.source, () => ({
        message: 'an order was EXPIRED before its expires_at',
        expected: `PENDING until ${new Date(deadline).toISOString()}`,
        actual: `EXPIRED by ${new Date(snapshot.to).toISOString()}`,
        evidence: [snapshot.source],
      }));
    }

    function late(trace: OrderTrace, snapshot: Snapshot, expires: string): void {
      const holds = orderStateOf(snapshot) === 'EXPIRED';
      const quoted = possiblyEffective(trace.submissions).some(
        (call) => call.close < snapshot.open,
      );
      for (const requirement of [
        'order.state.pending-to-expired',
        ...(quoted ? (['order.state.pending-to-expired.though-quoted'] as const) : []),
      ] as const) {
        findings.assert(requirement, holds, snapshot.source, () => ({
          message: `an order without an accepted quote was still PENDING well after its expires_at (${snapshot.via})`,
          expected: `EXPIRED from ${expires} on`,
          actual: `PENDING at ${new Date(snapshot.from).toISOString()}`,
          evidence: [snapshot.source],
        }));
      }
    }
  },
});

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
      if (!trace.creation || !accepted || textAt(accepted.data, 'status') !== 'QUOTED') continue;
      if (trace.cancels.length > 0 || mayBeWithdrawn(view, trace)) continue;
      const winner = winnerOf(trace);
      const validity =
        winner && onlyOfItsMaker(winner, trace)
          ? timestampIn(winner.snapshots, 'valid_until')
          : undefined;
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      for (const snapshot of trace.snapshots) {
        if (snapshot.frame ? orderStateOf(snapshot) !== 'EXPIRED' : !precedes(accepted, snapshot))
          continue;
        const state = orderStateOf(snapshot);
        const timedOut =
          failureReasonIn(snapshot.value) === 'TIMEOUT' ||
          snapshot.to > accepted.exchange.sent + 2 * tolerance.settlementMaxMs;
        const ended = state === 'EXPIRED';
        if (!state || (ended && timedOut)) continue;
        const violation = {
          message: 'an order with an accepted quote was EXPIRED though the quote was still valid',
          ...(validity !== undefined && {
            expected: `no expiry before ${new Date(validity).toISOString()}`,
          }),
          evidence: [accepted.id, snapshot.source],
        };
        if (validity !== undefined && clock.before(snapshot, validity)) {
          findings.assert(
            'order.state.quoted-to-expired.not-early',
            !ended,
            snapshot.source,
            () => violation,
          );
        }
        if (expiry === undefined || !clock.after({ from: snapshot.to, to: snapshot.to }, expiry))
          continue;
        const byQuote = validity === undefined || !clock.before(snapshot, validity);
        if (ended && byQuote) continue;
        findings.assert(
          'order.state.accepted-outlives-expires-at',
          !ended,
          snapshot.source,
          () => ({
            ...violation,
            message: 'an order with an accepted quote expired when its own expires_at had passed',
          }),
        );
      }
    }
  },
});

/** An order as it stands while nobody has done anything to its quotes but time. */
function openThroughout(
  view: HistoryView,
  trace: OrderTrace | undefined,
  snapshot: Snapshot,
): boolean {
  if (!trace?.creation || view.disturbed(trace.id)) return false;
  if (hadEffect(trace.acceptances, snapshot) || hadEffect(trace.cancels, snapshot)) return false;
  return !mayHaveFailedAnyTime(trace);
}

/** Validation may fail a PENDING order whenever it likes (gap `validation.when`), and so end its quotes. */
const mayHaveFailedAnyTime = (trace: OrderTrace): boolean =>
  possiblyEffective(trace.acceptances).length === 0 &&
  possiblyEffective(trace.cancels).length === 0 &&
  trace.snapshots.some((seen) => orderStateOf(seen) === 'FAILED');

const onlyOfItsMaker = (quote: QuoteTrace, trace: OrderTrace): boolean =>
  quote.maker !== undefined &&
  trace.submissions.filter((call) => call.party === quote.maker && call.ok).length === 1;

export const quoteDeadlines = defineRule({
  id: 'quote.deadlines',
  title: 'A quote on an open order expires at its `valid_until`, no earlier and not much later',
  requirements: ['quote.state.pending-to-expired', 'quote.state.pending-to-expired.not-early'],
  judge(view, findings) {
    const clock = targetClockOf(view);
    for (const quote of view.quotes.values()) {
      const trace = quote.intentId === undefined ? undefined : view.orders.get(quote.intentId);
      if (!trace || !onlyOfItsMaker(quote, trace)) continue;
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      for (const snapshot of quote.snapshots) {
        if (snapshot.frame) continue;
        const status = textAt(snapshot.value, 'status');
        const deadline = parseTimestamp(snapshot.value['valid_until']);
        if (deadline === undefined || !openThroughout(view, trace, snapshot)) continue;
        // A quote whose deadline had passed when it came may start PENDING all the same (gap `quote.past_validity`).
        if (snapshot.via === 'quote.submit' && clock.wellAfter(snapshot, deadline)) continue;
        // What becomes of the quotes of an expired order is open (gap `quote.orphans`).
        if (expiry === undefined || !clock.before(snapshot, expiry)) continue;
        const violation = {
          expected: `PENDING until ${new Date(deadline).toISOString()}, then EXPIRED`,
          actual: `${status} between ${new Date(snapshot.from).toISOString()} and ${new Date(snapshot.to).toISOString()}`,
          evidence: [...(quote.submission ? [quote.submission.id] : []), snapshot.source],
        };
        if (clock.before(snapshot, deadline)) {
          findings.assert(
            'quote.state.pending-to-expired.not-early',
            status !== 'EXPIRED',
            snapshot.source,
            () => ({
              message: `a quote was EXPIRED before its valid_until (${snapshot.via})`,
              ...violation,
            }),
          );
        } else if (clock.wellAfter(snapshot, deadline)) {
          findings.assert(
            'quote.state.pending-to-expired',
            status !== 'PENDING',
            snapshot.source,
            () => ({
              message: `a quote was still PENDING well after its valid_until (${snapshot.via})`,
              ...violation,
            }),
          );
        } else {
          findings.inconclusive('quote.state.pending-to-expired', {
            message: 'a quote was seen too near its valid_until to tell',
            ...violation,
          });
        }
      }
    }
  },
});

const beyondPending: readonly OrderState[] = [
  'QUOTED',
  'EXECUTING',
  'SETTLED',
  'EXPIRED',
  'FAILED',
];

export const lateAcceptances = defineRule({
  id: 'quote.late-acceptance',
  title:
    'A quote cannot be accepted after its `valid_until`, nor an order quoted after its `expires_at`',
  requirements: [
    'order.accept.expired-quote-refused',
    'order.accept.expired-order-refused',
    'quote.submit.expired-request-refused',
  ],
  judge(view, findings) {
    const clock = targetClockOf(view);
    for (const trace of view.orders.values()) {
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      for (const call of trace.acceptances) {
        if (call.status === undefined) continue;
        const quote = view.quotes.get(call.exchange.params.quote_id ?? '');
        const again = trace.acceptances.some(
          (other) => other.ok && other.open < call.close && other !== call,
        );
        if (again) continue;
        // A second quote of the maker may have replaced this one, deadline and all (gap `quote.twice`).
        const validity =
          quote && onlyOfItsMaker(quote, trace)
            ? timestampIn(quote.snapshots, 'valid_until')
            : undefined;
        if (validity !== undefined && clock.after(intervalOf(call), validity)) {
          findings.assert('order.accept.expired-quote-refused', !call.ok, call.id, () => ({
            message: 'a quote was accepted after its valid_until',
            expected: `a 4xx status after ${new Date(validity).toISOString()}`,
            actual: `${call.status} at ${new Date(call.exchange.sent).toISOString()}`,
            evidence: [call.id],
          }));
        }
        if (expiry === undefined || !clock.wellAfter(intervalOf(call), expiry)) continue;
        findings.assert('order.accept.expired-order-refused', !call.ok, call.id, () => ({
          message: "a quote was accepted after the order's expires_at",
          expected: `a 4xx status after ${new Date(expiry).toISOString()}`,
          actual: `${call.status} at ${new Date(call.exchange.sent).toISOString()}`,
          evidence: [call.id],
        }));
      }
      if (expiry === undefined) continue;
      for (const call of trace.submissions) {
        if (call.status === undefined || !clock.wellAfter(intervalOf(call), expiry)) continue;
        // Only of a request that expired: what answers a quote on an accepted order is open (gap `quote.late`).
        const accepted = possiblyEffective(trace.acceptances).some(
          (other) => other.open < call.close,
        );
        const known = trace.snapshots.find((seen) => {
          const state = orderStateOf(seen);
          return state !== undefined && beyondPending.includes(state) && state !== 'EXPIRED';
        });
        if (accepted || known) continue;
        findings.assert('quote.submit.expired-request-refused', !call.ok, call.id, () => ({
          message: 'a quote was taken on a request that had expired',
          expected: `a 4xx status after ${new Date(expiry).toISOString()}`,
          actual: call.status,
          evidence: [call.id],
        }));
      }
    }
  },
});
