import type { AnswerChanges } from './job.ts';

/**
 * Warnings and inconclusive verdicts that an admissible answer to a gap rightly causes: the requirement is vague, and
 * the answer is at the edge of its meaning. Each with its answer.
 */
const admitted: readonly {
  readonly requirement: string;
  readonly gap: keyof AnswerChanges;
  readonly values: readonly string[];
  readonly because: string;
}[] = [
  {
    requirement: 'limit.token-lifetime',
    gap: 'token.lifetime',
    values: ['900s', '7200s'],
    because: 'The document gives 3600 seconds as a default: another span is worth a word, no more.',
  },
];

export const excused = (
  flip: { readonly requirement: string; readonly verdict: string },
  changes: AnswerChanges,
): boolean =>
  ['warn', 'inconclusive'].includes(flip.verdict) &&
  admitted.some(
    ({ requirement, gap, values }) =>
      requirement === flip.requirement && values.includes(changes[gap] ?? ''),
  );

export const expectedWarnings = admitted;
