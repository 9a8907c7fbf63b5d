import type { QuoteState } from '../../../spec/vocabulary.ts';
import { type StateConflict, progressOf } from '../../trace/state-progress.ts';
import { defineRule } from '../../findings.ts';
import { mayEndUnsettled } from '../../trace/selections.ts';
import { quoteStateOf } from '../../trace/traces.ts';

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
    // Also judged by `quote.one-accepted`, which sees quotes decided on that nobody selected.
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
      const loose = mayEndUnsettled(view, view.order(quote.intentId));
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
