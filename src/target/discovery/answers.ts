import type { Answers } from '../../client/contract.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import type { Declared, Finding } from './sights.ts';

/** What is known of a target's answers: what its file declares is believed, the rest is learned. */
export interface AnswerBook extends Answers {
  readonly declared: Declared;
  learn(findings: readonly Finding[]): void;
}

export function answerBook(declared: Declared): AnswerBook {
  const observed = new Map<GapId, string>();
  return {
    declared,
    get: (gap) => declared[gap] ?? observed.get(gap),
    learn(findings) {
      for (const finding of findings) {
        if (finding.observed !== undefined) observed.set(finding.gap, finding.observed);
      }
    },
  };
}
