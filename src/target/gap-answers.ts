import type { GapAnswers } from '../client/contract.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { DeclaredAnswers, GapFinding } from './gap-observations.ts';

/** A target's answers to gaps: those that its file declares are taken as they are, the others are observed. */
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
