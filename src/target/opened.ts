import type { Target } from '../client/contract.ts';
import type { AnswerBook } from './discovery/answers.ts';
import type { Sight } from './discovery/sights.ts';

/** A target opened and reached, with what it takes to judge it. */
export interface OpenedTarget {
  readonly target: Target;
  readonly book: AnswerBook;
  /** Answers to gaps that no history shows, such as the algorithm of a masked token. */
  readonly sights: readonly Sight[];
}

export type Opening =
  | ({ readonly ok: true } & OpenedTarget)
  | {
      readonly ok: false;
      /** `unreachable`: could not be judged. `misconfigured`: the target file or the command says otherwise. */
      readonly kind: 'unreachable' | 'misconfigured';
      /** Each a text for a person, of one or more lines. */
      readonly problems: readonly string[];
    };
