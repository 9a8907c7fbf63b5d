import type { Part } from '../vocabulary.ts';

/** Every answer that the reference can be built with, its default first. A target may answer otherwise. */
type Values = readonly [string, ...string[]];

/** A question the document leaves open. */
export interface Gap<V extends Values = Values> {
  readonly part: Part;
  readonly kind: 'silence' | 'contradiction' | 'vague';
  readonly question: string;
  readonly values: V;
  /** Other possible answers of a target, in words; "none" if `values` is complete. */
  readonly others: string;
  /** Reason for the reference's answer. */
  readonly because: string;
  /** Observation that shows a target's answer. */
  readonly observe: string;
  /**
   * Problem of a client that relies on one answer, at a backend with another. The text follows "a client written against
   * A"; `{own}` stands for the answer that the client knows, `{other}` for the one that it meets.
   */
  readonly risk: string;
}

type Described<V extends Values> = Omit<Gap<V>, 'part' | 'kind' | 'others'> & { others?: string };

const gapOf =
  (kind: Gap['kind']) =>
  <const V extends Values>(
    part: Part,
    { question, values, others = 'none', ...reasons }: Described<V>,
  ): Gap<V> => ({ part, kind, question, values, others, ...reasons });

/** The document says "not shown", or nothing at all. */
export const silence = gapOf('silence');
/** Two of its sentences disagree. */
export const contradiction = gapOf('contradiction');
/** Its words have no exact meaning. */
export const vague = gapOf('vague');
