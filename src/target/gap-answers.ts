import type { GapAnswers } from '../client/contract.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { DeclaredAnswers, GapFinding } from './gap-observations.ts';

/** What is known of a target's answers: what its file declares is believed, the rest is learned. */
export interface LearnedGapAnswers extends GapAnswers {
  readonly declared: DeclaredAnswers;
  learn(findings: readonly GapFinding[]): void;
}

export function createGapAnswers(declared: DeclaredAnswers): LearnedGapAnswers {
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
