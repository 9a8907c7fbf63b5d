import type { Assignment, GapId } from '../../src/spec/gaps/index.ts';
import type { AnswerChanges } from './job.ts';

/**
 * Warnings and inconclusive verdicts that an admissible answer to a gap rightly causes: the requirement is vague, and
 * the answer is at the edge of its meaning. Each with its answer.
 */
export const expectedWarnings: readonly {
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
  expectedWarnings.some(
    ({ requirement, gap, values }) =>
      requirement === flip.requirement && values.includes(changes[gap] ?? ''),
  );

/** Answers that look like another one from outside the target, with the answer that hides them. */
export const indistinguishable: readonly {
  readonly gap: GapId;
  readonly value: string;
  readonly behind?: { readonly gap: GapId; readonly value: string };
  readonly because: string;
}[] = [
  {
    gap: 'stream.auth',
    value: 'header-or-query',
    because: 'No token is ever put into an address.',
  },
  {
    gap: 'cancel.response',
    value: 'accepted',
    behind: { gap: 'http.success_status', value: '202' },
    because: 'Every change is answered in the same way.',
  },
  {
    gap: 'access.foreign',
    value: '403',
    behind: { gap: 'error.statuses', value: 'hidden-404' },
    because: 'It is the same refusal.',
  },
  {
    gap: 'accept.again',
    value: 'repeat',
    behind: { gap: 'settlement.steps', value: '0ms-4000ms' },
    because: 'An order is under way before it can be accepted again.',
  },
  {
    gap: 'quote.beyond_expiry',
    value: 'allow',
    behind: { gap: 'quote.max_validity', value: '1h' },
    because: 'Where orders live for an hour, a quote that outlives one is refused for its length.',
  },
];

export const isIndistinguishable = (gap: GapId, assignment: Assignment): boolean =>
  indistinguishable.some(
    (one) =>
      one.gap === gap &&
      one.value === assignment[gap] &&
      (one.behind === undefined || assignment[one.behind.gap] === one.behind.value),
  );
