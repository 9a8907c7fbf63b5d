import type { QuoteState } from '../../../spec/vocabulary.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { settlementFailed } from '../../trace/settlement-failed.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { mayEndUnsettled } from '../../trace/open-order.ts';
import { certainSelection } from '../../trace/selected-quote.ts';
import { timestampIn, type Snapshot } from '../../trace/snapshots.ts';
import { mayBeReplaced } from '../../trace/submitted-quotes.ts';
import {
  type OrderTrace,
  orderStateOf,
  type QuoteTrace,
  quoteStateOf,
} from '../../trace/traces.ts';

/** True for a snapshot that was read after the answer, once views can have caught up (gap `views.lag`). */
const reflects = (snapshot: Snapshot, { exchange }: Call): boolean =>
  snapshot.from > exchange.received + tolerance.replicationLagMs;

export const quoteSelection = defineRule({
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
      const settled = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
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
        ...(several ? (['quote.state.pending-to-rejected.every-rival'] as const) : []),
        ...(call.exchange.role === 'custodian'
          ? (['quote.state.pending-to-rejected.by-custodian'] as const)
          : []),
      ] as const;
      // A rival's backend may follow a while later (gap `views.lag`), and look at the deadline first.
      const { most } = view.context.offset;
      const wasPending = call.exchange.received + most + tolerance.replicationLagMs < deadline;
      for (const snapshot of snapshots) {
        const state = quoteStateOf(snapshot);
        // It may have expired before the other was selected.
        if (!state || !reflects(snapshot, call) || (!wasPending && state !== 'ACCEPTED')) continue;
        for (const requirement of requirements) {
          findings.assert(requirement, state === 'REJECTED', snapshot.source, () => ({
            message: `another maker's quote was ${state} after one was selected (${snapshot.via})`,
            expected: 'REJECTED',
            actual: state,
            evidence: [call.id, snapshot.source],
          }));
        }
      }
    }
  },
});
