import { tolerance } from '../../../protocol/tolerances.ts';
import type { QuoteState } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import {
  certainSelection,
  isOpenAndUntouched,
  mayBeReplaced,
  mayEndUnsettled,
  settlementFailed,
} from '../../trace/selections.ts';
import { type Snapshot, timestampIn } from '../../trace/snapshots.ts';
import {
  isIn,
  mayHaveChanged,
  type OrderTrace,
  quoteStateOf,
  type QuoteTrace,
} from '../../trace/traces.ts';

const atMostOneAccepted = defineRule({
  id: 'quote.one-accepted',
  title: 'At most one quote of an order is ever ACCEPTED, and none without being selected',
  requirements: [
    'quote.state.one-accepted-per-order',
    'quote.state.one-accepted-under-race',
    'quote.state.other-orders-untouched',
    // Also judged by `quote.states`, which sees what a quote was before.
    'quote.state.listed-transitions-only',
  ],
  judge(view, findings) {
    const firstSelection =
      view.endpoint('quote.accept').find((call) => call.ok)?.open ?? Number.POSITIVE_INFINITY;
    for (const trace of view.orders.values()) {
      judgeAccepted(trace);
      judgeRaces(trace);
      if (!trace.creation) continue;
      for (const quote of trace.quotes) judgeUnselected(trace, quote);
    }

    function judgeAccepted({ quotes }: OrderTrace): void {
      const accepted = quotes.flatMap((quote) => {
        const seen = quote.snapshots.find((one) => quoteStateOf(one) === 'ACCEPTED');
        return seen ? [{ id: quote.id, source: seen.source }] : [];
      });
      const [first] = accepted;
      if (!first) return;
      const isOnly = accepted.length === 1;
      findings.assert('quote.state.one-accepted-per-order', isOnly, first.source, () => ({
        message: `${accepted.length} quotes of one order were ACCEPTED`,
        actual: accepted.map(({ id }) => id),
        evidence: accepted.map(({ source }) => source),
      }));
    }

    /** Of acceptances of different quotes that were sent at once, one succeeds at most. */
    function judgeRaces({ acceptances }: OrderTrace): void {
      for (const [index, call] of acceptances.entries()) {
        for (const other of acceptances.slice(index + 1)) {
          const [one, two] = [call.exchange, other.exchange];
          const atOnce = one.sent <= two.received && two.sent <= one.received;
          if (!atOnce || one.params.quote_id === two.params.quote_id) continue;
          if (call.status === undefined || other.status === undefined) continue;
          const bothSucceeded = call.ok && other.ok;
          findings.assert('quote.state.one-accepted-under-race', !bothSucceeded, other.id, () => ({
            message: 'two acceptances of different quotes sent at once both succeeded',
            evidence: [call.id, other.id],
          }));
        }
      }
    }

    /** As long as nobody accepted anything on its order, a quote can be neither selected nor passed over. */
    function judgeUnselected(trace: OrderTrace, quote: QuoteTrace): void {
      const before = quote.snapshots.filter((seen) => !mayHaveChanged(trace.acceptances, seen));
      const isRejected = (seen: Snapshot): boolean =>
        quoteStateOf(seen) === 'REJECTED' &&
        isOpenAndUntouched(view, trace, seen) &&
        !mayBeReplaced(view, quote, trace);
      const wrong = before.find((seen) => quoteStateOf(seen) === 'ACCEPTED' || isRejected(seen));
      const seen = wrong ?? before.at(-1);
      if (!seen) return;
      const isAfterAnother = firstSelection < (wrong?.close ?? Number.POSITIVE_INFINITY);
      const requirement = isAfterAnother
        ? 'quote.state.other-orders-untouched'
        : 'quote.state.listed-transitions-only';
      findings.assert(requirement, !wrong, seen.source, () => ({
        message: `a quote was ${quoteStateOf(seen)} though no quote of its order was accepted`,
        must: { one_of: ['PENDING', 'EXPIRED'] },
        actual: quoteStateOf(seen),
      }));
    }
  },
});

/** True for a snapshot that was read after the answer, once views can have caught up (gap `views.lag`). */
const reflects = (snapshot: Snapshot, { exchange }: Call): boolean =>
  snapshot.from > exchange.received + tolerance.replicationLagMs;

const quoteSelection = defineRule({
  id: 'quote.selection',
  title: 'The selected quote is ACCEPTED, and those of other makers are REJECTED',
  requirements: [
    'quote.state.pending-to-accepted',
    'quote.state.pending-to-rejected',
    'quote.state.pending-to-rejected.every-rival',
    'quote.state.pending-to-rejected.by-custodian',
    'quote.state.accepted-stays-through-settlement',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const [call, winner] = certainSelection(view, trace) ?? [];
      if (!call?.own || !winner) continue;
      judgeWinner(trace, winner, call);
      const rivals = trace.quotes.filter(
        (quote) =>
          quote.maker !== winner.maker &&
          quote.submission !== undefined &&
          precedes(quote.submission, call) &&
          !mayBeReplaced(view, quote, trace),
      );
      const several = new Set(rivals.map((quote) => quote.maker)).size > 1;
      for (const rival of rivals) judgeRival(rival, call, several);
    }

    /** Admissible states of the accepted quote. They are open (undefined) if a cancel or a deadline ended its order. */
    function admissible(trace: OrderTrace): readonly QuoteState[] | undefined {
      if (!mayEndUnsettled(view, trace)) return ['ACCEPTED'];
      // For a failed settlement no quote is REJECTED, or PENDING again.
      return settlementFailed(trace) ? ['ACCEPTED', 'EXPIRED'] : undefined;
    }

    function judgeWinner(trace: OrderTrace, { snapshots }: QuoteTrace, call: Call): void {
      const expected = admissible(trace);
      if (!expected) return;
      const settled = trace.snapshots.find(isIn('SETTLED'));
      for (const snapshot of snapshots) {
        const state = quoteStateOf(snapshot);
        if (!state || !reflects(snapshot, call)) continue;
        const holds = expected.includes(state);
        const violation = () => ({
          message: `the selected quote was ${state} (${snapshot.via})`,
          must: { one_of: expected },
          actual: state,
          evidence: [call.id, snapshot.source],
        });
        findings.assert('quote.state.pending-to-accepted', holds, snapshot.source, violation);
        if (!settled || !precedes(settled, snapshot)) continue;
        const stays = 'quote.state.accepted-stays-through-settlement';
        findings.assert(stays, holds, snapshot.source, violation);
      }
    }

    function judgeRival({ snapshots }: QuoteTrace, call: Call, several: boolean): void {
      const deadline = timestampIn(snapshots, 'valid_until');
      if (deadline === undefined) return;
      const requirements = [
        'quote.state.pending-to-rejected',
        several && 'quote.state.pending-to-rejected.every-rival',
        call.exchange.role === 'custodian' && 'quote.state.pending-to-rejected.by-custodian',
      ] as const;
      // A rival's backend may follow a while later (gap `views.lag`), and look at the deadline first.
      const { most } = view.context.offset;
      const wasPending = call.exchange.received + most + tolerance.replicationLagMs < deadline;
      for (const snapshot of snapshots) {
        const state = quoteStateOf(snapshot);
        // It may have expired before the other was selected.
        if (!state || !reflects(snapshot, call) || (!wasPending && state !== 'ACCEPTED')) continue;
        findings.assert(requirements, state === 'REJECTED', snapshot.source, () => ({
          message: `another maker's quote was ${state} after one was selected (${snapshot.via})`,
          expected: 'REJECTED',
          actual: state,
          evidence: [call.id, snapshot.source],
        }));
      }
    }
  },
});

export const selectionRules = [atMostOneAccepted, quoteSelection];
