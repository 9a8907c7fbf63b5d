import { parseTimestamp } from '../../../spec/forms.ts';
import { type QuoteState, quoteStates } from '../../../spec/vocabulary.ts';
import { textAt } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { type StateConflict, progressOf } from '../../trace/state-progress.ts';
import { settlementFailed } from '../../trace/settlement-failed.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { timestampIn, type Snapshot } from '../../trace/snapshots.ts';
import {
  possiblyEffective,
  type OrderTrace,
  type QuoteTrace,
  orderStateOf,
} from '../../trace/traces.ts';
import type { HistoryView } from '../../trace/history-view.ts';

const states: readonly string[] = quoteStates;
export const quoteStateOf = ({ value }: Snapshot): QuoteState | undefined => {
  const status = textAt(value, 'status');
  return status !== undefined && states.includes(status) ? (status as QuoteState) : undefined;
};

/** Whether the order may have ended without settling: what then becomes of its accepted quote is open. */
const mayEndUnsettled = (view: HistoryView, trace: OrderTrace | undefined): boolean =>
  !trace ||
  view.disturbed(trace.id) ||
  possiblyEffective(trace.cancels).length > 0 ||
  trace.snapshots.some((seen) => {
    const state = orderStateOf(seen);
    return state === 'EXPIRED' || state === 'FAILED';
  });

const orderOf = (view: HistoryView, quote: QuoteTrace): OrderTrace | undefined =>
  quote.intentId === undefined ? undefined : view.orders.get(quote.intentId);

/** Whether the maker has quoted the order more than once, so that one quote may have replaced another. */
const requotedByMaker = (quote: QuoteTrace, trace: OrderTrace | undefined): boolean =>
  quote.maker === undefined ||
  possiblyEffective(trace?.submissions ?? []).filter((call) => call.party === quote.maker).length >
    1;

const absorbing = {
  REJECTED: 'quote.state.rejected-absorbs',
  EXPIRED: 'quote.state.expired-absorbs',
} as const;
const isAbsorbing = (state: QuoteState): state is keyof typeof absorbing =>
  Object.hasOwn(absorbing, state);

export const quoteTransitions = defineRule({
  id: 'quote.states',
  title: 'Every observer sees a quote move along the listed transitions, and stay where it ended',
  requirements: [
    'quote.state.listed-transitions-only',
    'quote.state.rejected-absorbs',
    'quote.state.expired-absorbs',
    'quote.state.views-agree',
  ],
  judge(view, findings) {
    const violation = ({ earlier, later }: StateConflict<QuoteState>) => ({
      message: `a quote was ${earlier.state} and then ${later.state} (${later.snapshot.via})`,
      expected: earlier.state,
      actual: later.state,
      evidence: [earlier.snapshot.source, later.snapshot.source],
    });
    for (const quote of view.quotes.values()) {
      const loose = mayEndUnsettled(view, orderOf(view, quote));
      const reaches = (from: QuoteState, to: QuoteState): boolean =>
        from === to || from === 'PENDING' || (from === 'ACCEPTED' && loose && to !== 'PENDING');
      const { kept, own, across, agreed } = progressOf(quote.snapshots, quoteStateOf, reaches);
      for (const { state, stayed, snapshot } of kept) {
        findings.pass('quote.state.listed-transitions-only', snapshot.source);
        if (stayed && isAbsorbing(state)) findings.pass(absorbing[state], snapshot.source);
      }
      for (const clash of own) {
        const { state } = clash.earlier;
        const requirement = isAbsorbing(state)
          ? absorbing[state]
          : 'quote.state.listed-transitions-only';
        findings.fail(requirement, violation(clash));
      }
      for (const snapshot of agreed) findings.pass('quote.state.views-agree', snapshot.source);
      for (const clash of across) findings.fail('quote.state.views-agree', violation(clash));
    }
  },
});

export const submission = defineRule({
  id: 'quote.submission',
  title:
    'A submitted quote is answered with 201, an id of its own and PENDING, and its order stays PENDING',
  requirements: [
    'quote.submit.status-201',
    'quote.state.starts-pending',
    'quote.quote-id.unique',
    'quote.submit.order-stays-pending',
  ],
  judge(view, findings) {
    const seen = new Map<string, Call>();
    for (const call of view.endpoint('quote.submit')) {
      if (!call.ok || !call.own) continue;
      const { id } = call;
      findings.assert('quote.submit.status-201', call.status === 201, id, () => ({
        message: 'a submitted quote was not answered with 201',
        expected: 201,
        actual: call.status,
        evidence: [id],
      }));
      const deadline = parseTimestamp(call.sent?.['valid_until']);
      // What a quote is whose deadline has passed already is open (gap `quote.past_validity`).
      const fresh =
        deadline !== undefined &&
        call.exchange.received + view.context.offset.most + tolerance.deadlineEarlyMs < deadline;
      if (fresh && !mayBeLate(call)) {
        const status = textAt(call.data, 'status');
        findings.assert('quote.state.starts-pending', status === 'PENDING', id, () => ({
          message: 'a submitted quote was not PENDING',
          expected: 'PENDING',
          actual: status ?? null,
          evidence: [id],
        }));
      }
      judgeId(call);
      judgeOrder(call);
    }

    /** What a quote is that comes after the selection or the cancel of its order is open (gap `quote.late`). */
    function mayBeLate(call: Call): boolean {
      const trace = view.orders.get(call.exchange.params.intent_id ?? '');
      const ends = possiblyEffective([...(trace?.acceptances ?? []), ...(trace?.cancels ?? [])]);
      return ends.some(({ open }) => open < call.close);
    }

    function judgeId(call: Call): void {
      const quoteId = textAt(call.data, 'quote_id');
      if (quoteId === undefined) return;
      const before = seen.get(quoteId);
      seen.set(quoteId, call);
      const { intent_id } = call.exchange.params;
      // The same maker's next quote on the same order may take the place of the first (gap `quote.twice`).
      const replaces =
        before?.party === call.party && before.exchange.params.intent_id === intent_id;
      findings.assert('quote.quote-id.unique', !before || replaces, call.id, () => ({
        message: 'two submissions returned the same quote_id',
        actual: quoteId,
        evidence: [before?.id ?? '', call.id],
      }));
    }

    function judgeOrder(call: Call): void {
      const trace = view.orders.get(call.exchange.params.intent_id ?? '');
      const after = trace?.snapshots.find((order) => precedes(call, order));
      const state = after && orderStateOf(after);
      if (!trace?.creation || !after || !state) return;
      const meddled = [...trace.acceptances, ...trace.cancels].some(
        (other) => other.open < after.close,
      );
      if (meddled || state === 'EXPIRED' || state === 'FAILED') return;
      findings.assert(
        'quote.submit.order-stays-pending',
        state === 'PENDING',
        after.source,
        () => ({
          message: `an order was ${state} after a quote alone`,
          expected: 'PENDING',
          actual: state,
          evidence: [call.id, after.source],
        }),
      );
    }
  },
});

export const atMostOneAccepted = defineRule({
  id: 'quote.one-accepted',
  title: 'At most one quote of an order is ever ACCEPTED, and none without being selected',
  requirements: [
    'quote.state.one-accepted-per-order',
    'quote.state.other-orders-untouched',
    'quote.state.listed-transitions-only',
  ],
  judge(view, findings) {
    const firstSelection =
      view.endpoint('quote.accept').find((call) => call.ok)?.open ?? Number.POSITIVE_INFINITY;
    for (const trace of view.orders.values()) {
      const accepted = new Map<string, Snapshot>();
      for (const quote of trace.quotes) {
        const snapshot = quote.snapshots.find((seen) => quoteStateOf(seen) === 'ACCEPTED');
        if (snapshot) accepted.set(quote.id, snapshot);
        judgeUnselected(trace, quote, snapshot);
      }
      const [first] = accepted.values();
      if (!first) continue;
      findings.assert(
        'quote.state.one-accepted-per-order',
        accepted.size === 1,
        first.source,
        () => ({
          message: `${accepted.size} quotes of one order were ACCEPTED`,
          actual: [...accepted.keys()],
          evidence: [...accepted.values()].map(({ source }) => source),
        }),
      );
    }

    /** A quote of an order on which nobody accepted anything can be neither selected nor passed over. */
    function judgeUnselected(trace: OrderTrace, quote: QuoteTrace, accepted?: Snapshot): void {
      if (!trace.creation || possiblyEffective(trace.acceptances).length > 0) return;
      const orphaned = mayEndUnsettled(view, trace) || requotedByMaker(quote, trace);
      const rejected = quote.snapshots.find((seen) => quoteStateOf(seen) === 'REJECTED');
      const wrong = accepted ?? (orphaned ? undefined : rejected);
      const elsewhere = firstSelection < (wrong?.close ?? Number.POSITIVE_INFINITY);
      const requirement = elsewhere
        ? 'quote.state.other-orders-untouched'
        : 'quote.state.listed-transitions-only';
      const seen = wrong ?? quote.snapshots.at(-1);
      if (!seen) return;
      findings.assert(requirement, !wrong, seen.source, () => ({
        message: `a quote was ${wrong && quoteStateOf(wrong)} though no quote of its order was accepted`,
        expected: 'PENDING or EXPIRED',
        actual: wrong && quoteStateOf(wrong),
        evidence: [seen.source],
      }));
    }
  },
});

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
      const took = trace.acceptances.filter((call) => call.ok && call.own);
      const [call] = took;
      const winnerId = call?.exchange.params.quote_id;
      if (!call || took.some((other) => other.exchange.params.quote_id !== winnerId)) continue;
      // An acceptance above the maximum may fail the order instead (gap `quote.above_max`).
      if (textAt(call.data, 'status') !== 'QUOTED') continue;
      const winner = winnerId === undefined ? undefined : view.quotes.get(winnerId);
      if (!winner) continue;
      if (!mayEndUnsettled(view, trace)) judgeWinner(trace, winner, call, ['ACCEPTED']);
      // For this no quote is REJECTED, or PENDING again.
      else if (settlementFailed(trace)) judgeWinner(trace, winner, call, ['ACCEPTED', 'EXPIRED']);
      const rivals = trace.quotes.filter(
        (quote) =>
          quote !== winner &&
          quote.maker !== undefined &&
          quote.maker !== winner.maker &&
          quote.submission !== undefined &&
          precedes(quote.submission, call) &&
          !requotedByMaker(quote, trace),
      );
      const several = new Set(rivals.map((quote) => quote.maker)).size > 1;
      for (const rival of rivals) judgeRival(rival, call, several);
    }

    /** What is read after the answer, once what is shown can have caught up (gap `views.lag`). */
    function reflects(snapshot: Snapshot, cause: Call): boolean {
      if (snapshot.frame || !precedes(cause, snapshot)) return false;
      return snapshot.from > cause.exchange.received + tolerance.replicationLagMs;
    }

    function judgeWinner(
      trace: OrderTrace,
      winner: QuoteTrace,
      call: Call,
      expected: readonly QuoteState[],
    ): void {
      const settled = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
      for (const snapshot of winner.snapshots) {
        const state = quoteStateOf(snapshot);
        if (!state || !reflects(snapshot, call)) continue;
        const violation = () => ({
          message: `the selected quote was ${state} (${snapshot.via})`,
          expected: expected.join(' or '),
          actual: state,
          evidence: [call.id, snapshot.source],
        });
        const holds = expected.includes(state);
        findings.assert('quote.state.pending-to-accepted', holds, snapshot.source, violation);
        if (settled && settled.close < snapshot.open) {
          findings.assert(
            'quote.state.accepted-stays-through-settlement',
            holds,
            snapshot.source,
            violation,
          );
        }
      }
    }

    function judgeRival(rival: QuoteTrace, call: Call, several: boolean): void {
      const deadline = timestampIn(rival.snapshots, 'valid_until');
      if (deadline === undefined) return;
      const { most } = view.context.offset;
      // A rival's backend may follow a while later (gap `views.lag`), and look at the deadline first.
      const wasPending = call.exchange.received + most + tolerance.replicationLagMs < deadline;
      for (const snapshot of rival.snapshots) {
        const state = quoteStateOf(snapshot);
        // How soon the others follow is not shown; what is read too soon counts neither way.
        const caughtUp = snapshot.from > call.exchange.received + tolerance.replicationLagMs;
        if (!state || !reflects(snapshot, call)) continue;
        if (!caughtUp && state === 'PENDING') continue;
        // It may have expired before the other was selected.
        if (!wasPending && state !== 'ACCEPTED') continue;
        for (const requirement of [
          'quote.state.pending-to-rejected',
          ...(several ? (['quote.state.pending-to-rejected.every-rival'] as const) : []),
          ...(call.exchange.role === 'custodian'
            ? (['quote.state.pending-to-rejected.by-custodian'] as const)
            : []),
        ] as const) {
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
