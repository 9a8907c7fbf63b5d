import { reaches } from '../../../spec/states.ts';
import { type OrderState, orderStates, type QuoteState } from '../../../spec/vocabulary.ts';
import { defineRule, type Findings, type Violation } from '../../findings.ts';
import { mayEndUnsettled } from '../../trace/selections.ts';
import { type Progress, progressOf, type StateConflict } from '../../trace/state-progress.ts';
import { isIn, orderStateOf, quoteStateOf } from '../../trace/traces.ts';

/** Judges that each observer sees listed transitions, and an end that stays; and that observers agree. */
function judgeProgress<Id extends string, State extends string>(
  findings: Findings<Id>,
  { kept, own, across, agreed }: Progress<State>,
  ids: { readonly listed: Id; readonly ends: Readonly<Record<string, Id>>; readonly agree: Id },
  violation: (conflict: StateConflict<State>, isAcross: boolean) => Violation,
): void {
  for (const { state, stayed, snapshot } of kept) {
    findings.pass(ids.listed, snapshot.source);
    const end = ids.ends[state];
    if (stayed && end) findings.pass(end, snapshot.source);
  }
  for (const conflict of own)
    findings.fail(ids.ends[conflict.earlier.state] ?? ids.listed, violation(conflict, false));
  for (const { source } of agreed) findings.pass(ids.agree, source);
  for (const conflict of across) findings.fail(ids.agree, violation(conflict, true));
}

const evidenceOf = ({ earlier, later }: StateConflict<string>) => ({
  actual: later.state,
  evidence: [earlier.snapshot.source, later.snapshot.source],
});

/** The states that may follow a state of an order, itself included. */
const after = (state: OrderState) => ({
  one_of: orderStates.filter((later) => later === state || reaches(state, later)),
});

const ofOrder = {
  listed: 'order.state.listed-transitions-only',
  agree: 'order.state.views-agree',
  ends: {
    SETTLED: 'order.state.settled-absorbs',
    EXPIRED: 'order.state.expired-absorbs',
    FAILED: 'order.state.failed-absorbs',
  },
} as const;

const orderTransitions = defineRule({
  id: 'order.states',
  title: 'Every observer sees an order move along listed transitions, and stay where it ended',
  requirements: [
    ofOrder.listed,
    ...Object.values(ofOrder.ends),
    ofOrder.agree,
    // Also judged by `event.order-updated.right`, which holds events against calls; this one against later reads.
    'event.after-cause',
  ],
  judge(view, findings) {
    for (const { snapshots } of view.orders.values()) {
      const progress = progressOf(snapshots, orderStateOf, reaches);
      const announced = progress.own.filter(({ earlier }) => earlier.snapshot.frame);
      for (const conflict of announced) {
        const { earlier, later } = conflict;
        findings.fail('event.after-cause', {
          ...evidenceOf(conflict),
          message: `an event announced ${earlier.state}, and a read after it showed ${later.state}`,
          must: after(earlier.state),
        });
      }
      const own = progress.own.filter((conflict) => !announced.includes(conflict));
      judgeProgress(findings, { ...progress, own }, ofOrder, (conflict, isAcross) => ({
        ...evidenceOf(conflict),
        message: `an order was ${conflict.earlier.state} and then ${conflict.later.state}${isAcross ? ' to another observer' : ''}`,
        must: after(conflict.earlier.state),
      }));
      if (progress.own.length > 0 || progress.across.length > 0) continue;
      // Reads of two parties at one time have no order between them, but two different ends are a conflict anyway.
      const ends = (Object.keys(ofOrder.ends) as OrderState[])
        .flatMap((state) => snapshots.find(isIn(state)) ?? [])
        .toSorted((one, other) => snapshots.indexOf(one) - snapshots.indexOf(other));
      if (ends.length <= 1) continue;
      findings.fail(ofOrder.agree, {
        message: 'an order was seen in two different ends',
        actual: ends.map(orderStateOf),
        evidence: ends.map(({ source }) => source),
      });
    }
  },
});

const ofQuote = {
  // Also judged by `quote.one-accepted`, which sees quotes decided on that nobody selected.
  listed: 'quote.state.listed-transitions-only',
  agree: 'quote.state.views-agree',
  ends: { REJECTED: 'quote.state.rejected-absorbs', EXPIRED: 'quote.state.expired-absorbs' },
} as const;

const quoteTransitions = defineRule({
  id: 'quote.states',
  title: 'Every observer sees a quote move along the listed transitions, and stay where it ended',
  requirements: [ofQuote.listed, ...Object.values(ofQuote.ends), ofQuote.agree],
  judge(view, findings) {
    for (const { snapshots, intentId } of view.quotes.values()) {
      const loose = mayEndUnsettled(view, view.order(intentId));
      const mayBecome = (from: QuoteState, to: QuoteState): boolean =>
        from === to || from === 'PENDING' || (from === 'ACCEPTED' && loose && to !== 'PENDING');
      const progress = progressOf(snapshots, quoteStateOf, mayBecome);
      judgeProgress(findings, progress, ofQuote, (conflict) => ({
        ...evidenceOf(conflict),
        message: `a quote was ${conflict.earlier.state} and then ${conflict.later.state} (${conflict.later.snapshot.via})`,
        expected: conflict.earlier.state,
      }));
    }
  },
});

export const transitionRules = [orderTransitions, quoteTransitions];
