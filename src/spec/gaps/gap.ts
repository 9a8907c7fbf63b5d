import type { Part } from '../vocabulary.ts';

/**
 * A question the document leaves open. `silence`: it says "not shown" or nothing at all;
 * `contradiction`: two of its sentences disagree; `vague`: its words have no exact meaning.
 */
export interface Gap {
  readonly part: Part;
  readonly kind: 'silence' | 'contradiction' | 'vague';
  readonly question: string;
  /** Answers the reference can be built with, its default first. A target may answer otherwise. */
  readonly values: readonly [string, ...string[]];
  /** What else a target may answer, in words; "none" where `values` is all there can be. */
  readonly others: string;
  /** Why the reference answers as it does. */
  readonly because: string;
  /** How a target's answer shows. */
  readonly observe: string;
}
